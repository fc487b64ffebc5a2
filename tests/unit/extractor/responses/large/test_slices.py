from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.find import DataField
from penstock.extractor.responses.large import Limits, Slices, find_large, read_part

INDEXES = st.none() | st.integers(-15, 15)


def slices_of(path: Path, items: list[Any], part: int = 20) -> Slices:
    path.write_text(json.dumps({"before": "x", "data": items}))
    records = find_large(path, DataField("data"), "rows", limits=Limits(chunk=16, array=0, part=part)).records
    assert isinstance(records, Slices)
    return records


@given(st.integers(1, 12), INDEXES, INDEXES, st.sampled_from([None, 1, 2, 5, -1, -3]))
def test_indexes_and_slices_are_those_of_a_list(
    path: Path, size: int, start: int | None, stop: int | None, step: int | None
):
    items = [{"id": number} for number in range(size)]
    slices = slices_of(path, items)

    assert len(slices) == size
    assert slices[start:stop:step] == items[start:stop:step]
    assert [slices[index] for index in range(-size, size)] == [*items, *items]
    with pytest.raises(IndexError):
        slices[size]


def test_parts_are_whole_items_and_can_be_read_again(path: Path):
    items = [{"id": number, "text": ",]}" * (number % 3)} for number in range(50)]

    parts = list(slices_of(path, items).parts())

    assert len(parts) > 10
    assert [record for part in parts for record in part.records] == items
    assert [read_part(path, part.start, part.end) for part in parts] == [part.records for part in parts]


def test_a_part_ends_with_the_item_that_makes_it_full(path: Path):
    parts = list(slices_of(path, [12345678] * 10, part=20).parts())

    assert [len(part.records) for part in parts] == [3, 3, 3, 1]


def test_one_part_is_decoded_at_a_time(path: Path):
    slices = slices_of(path, ["x" * 30] * 5)
    text = path.read_bytes()
    path.write_bytes(text[:-40] + b"?" * 40)  # the last parts cannot be decoded any more

    assert slices[0] == "x" * 30
    assert slices[:2] == ["x" * 30] * 2
    assert next(iter(slices)) == "x" * 30


def test_digits_are_kept_and_damaged_texts_are_mended_and_counted(path: Path):
    path.write_bytes(b'[1.10, "a\xffb", "\\ud800", 12345678901234567890123]')
    records = find_large(path, DataField(""), "rows", limits=Limits(array=0, part=1)).records
    assert isinstance(records, Slices)

    assert list(records) == [Float("1.10"), "ab", "", 12345678901234567890123]
    assert isinstance(records[0], Float)
    assert [part.dropped for part in records.parts()] == [0, 1, 1, 0]
