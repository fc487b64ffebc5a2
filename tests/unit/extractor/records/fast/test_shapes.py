"""What places have held, and whether one type reads it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from penstock.extractor.records.columns import Column
from penstock.extractor.records.fast.shapes import MAX_NESTED, FieldShape


def learnt(*pages: list[Any]) -> FieldShape:
    place = FieldShape()
    for page in pages:
        place.learn(Column(page))
    return place


@pytest.mark.parametrize("page", [["a", None], [1, None], [True], [{"a": 1}, None], [["x"], []], [None], [[None]]])
def test_values_of_one_kind_are_readable(page: list[Any]):
    assert learnt(page).is_readable(is_exact=True)


@pytest.mark.parametrize("page", [["a", 1], [True, 1], [{"a": 1}, [1]], [{}], [[[1]]], [[{"a": 1}, 2]]])
def test_values_of_several_kinds_are_not(page: list[Any]):
    assert not learnt(page).is_readable(is_exact=False)


def test_objects_with_other_keys_are_readable_only_if_nobody_needs_the_keys():
    place = learnt([{"a": 1, "b": 2}], [{"b": 1, "a": 2}])

    assert place.is_readable(is_exact=False)
    assert not place.is_readable(is_exact=True)


def test_an_object_without_keys_beside_others_is_one_with_other_keys():
    assert not learnt([{}, {"a": 1}]).is_readable(is_exact=True)
    assert learnt([{}, {"a": 1}]).is_readable(is_exact=False)


def test_lists_are_found_at_any_depth():
    assert learnt([{"a": {"b": [1]}}]).has_lists
    assert not learnt([{"a": {"b": 1}}]).has_lists


def test_what_is_too_deep_is_not_readable():
    value: Any = {"a": 1}
    for _ in range(MAX_NESTED + 1):
        value = {"a": value}

    assert not learnt([value]).is_readable(is_exact=False)


def test_the_type_reads_what_was_learnt_and_null_where_it_was_seen():
    read = msgspec.json.Decoder(learnt([{"a": "x", "b": None}, {"a": "y", "b": True}]).type()).decode

    assert msgspec.json.encode(read(b'{"a": "z"}')) == b'{"a":"z","b":null}'
    with pytest.raises(msgspec.ValidationError):
        read(b'{"b": true}')
