from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.legacy import VERSION, Legacy
from tests.unit.extractor.records.legacy.reading import Lines, read, tables


@pytest.mark.parametrize("nothing", [None, [], {}])
def test_without_a_struct_nothing_is_known(nothing: Any):
    assert Legacy(nothing, Lines()).struct() == []


def test_the_version_is_that_of_the_legacy_parser():
    assert VERSION == 2


def test_a_struct_is_given_back_as_it_was():
    known = {"r.l": {"data": "scalar"}, "r": {"id": "integer", "l": "arrayOfscalar", "o": "object"}, "empty": []}

    assert Legacy(known, Lines()).struct() == known


def test_nested_paths_stand_before_the_path_that_holds_them():
    struct = read([{"a": 1, "b": {"c": [True]}}]).struct

    assert struct == {
        "r.b.c": {"data": "scalar"},
        "r.b": {"c": "arrayOfscalar"},
        "r": {"a": "scalar", "b": "object"},
    }
    assert list(struct) == ["r.b.c", "r.b", "r"]


def test_keys_that_count_from_zero_make_a_list_as_in_every_state():
    assert read([{"0": 1, "1": [2]}]).struct == {"r.1": {"data": "scalar"}, "r": ["scalar", "arrayOfscalar"]}
    assert read([{"0": 3}], struct={"r": ["scalar", "scalar"]}).tables == {"r": (["0", "1"], [["3", ""]])}


def test_a_snapshot_does_not_change_with_what_is_learnt_later():
    legacy = Legacy({"r": {"a": "scalar"}}, Lines())
    before = legacy.struct()

    legacy.learn("r", [{"b": 1}])

    assert before == {"r": {"a": "scalar"}}
    assert legacy.struct() == {"r": {"a": "scalar", "b": "scalar"}}


def test_columns_of_the_state_come_first_and_appear_even_when_absent():
    known = {"r": {"old": "scalar", "id": "scalar"}}

    assert tables([{"id": 1, "new": 2}], struct=known) == {"r": (["old", "id", "new"], [["", "1", "2"]])}


def test_extra_columns_are_not_remembered():
    legacy = Legacy(None, Lines())
    legacy.learn("r", [{"id": 1}])
    legacy.write("r", [{"id": 1}], {"tag": "T"}, lambda layout, lines, _count: None)

    assert legacy.struct() == {"r": {"id": "scalar"}}


@pytest.mark.parametrize("kind", ["integer", "string", "arrayOfinteger"])
def test_a_value_for_a_type_of_an_old_state_is_the_users_error(kind: str):
    known = {"r": {"a": kind}}

    assert tables([{"a": None}, {"a": []}], struct=known) == {"r": (["a"], [[""], [""]])}
    with pytest.raises(UserError) as caught:
        tables([{"a": 1}], struct=known)
    message = f'Error parsing response JSON: Unhandled type change from "{kind}" to "scalar" in \'r.a\''
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("struct", "message"),
    [
        (
            {"r": {"a": "text"}},
            "Error loading data structure definition in 'r.a'! 'text' is not a valid data type.",
        ),
        (
            {"data": {"_r": {"nodeType": "array"}}},
            "Error loading data structure definition in 'data._r'! 'Array' is not a valid data type.",
        ),
        ({"r": {"a": None}}, "Error loading data structure definition in 'r.a'! '' is not a valid data type."),
        ({"r": {"a": 5}}, "Error loading data structure definition in 'r.a'! '5' is not a valid data type."),
        (
            {"r": "scalar"},
            "Invalid data definitions in 'r'. Each key should contain an array of data types in an associative array.",
        ),
        ({"r": None}, "Invalid data definitions in 'r'."),
        ("text", "Invalid data definitions in 'json_parser.struct'."),
    ],
)
def test_a_malformed_struct_is_the_users_error(struct: Any, message: str):
    with pytest.raises(UserError) as caught:
        Legacy(struct, Lines())

    assert str(caught.value).startswith(message)
