from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from tests.unit.extractor.records.legacy.reading import Batch, read, tables


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "scalar"),
        ("", "scalar"),
        (False, "scalar"),
        (None, "NULL"),
        ([], "NULL"),
        ([1], "arrayOfscalar"),
        ([[1]], "arrayOfscalar"),
        ([1, None], "arrayOfNULL"),
        ([None, 1], "arrayOfscalar"),
        ([{"x": 1}], "arrayOfobject"),
        ([{}], "arrayOfobject"),
        ({"x": None}, "object"),
        ({"y": 2, "x": {}}, "object"),
    ],
)
def test_a_value_has_a_type_and_a_list_that_of_its_last_item(value: Any, kind: str):
    assert read([{"id": 1, "a": value}]).struct["r"]["a"] == kind


@pytest.mark.parametrize("hollow", [{}, {"x": {}}, {"x": {}, "y": 2}, {"x": {"y": {}, "z": [1]}, "w": 1}])
def test_an_object_whose_first_value_is_empty_counts_as_empty_and_makes_no_column(hollow: Any):
    assert read([{"id": 1, "a": hollow}]).struct == {"r": {"id": "scalar"}}


def test_a_list_and_a_single_object_share_the_columns_of_their_path():
    outcome = read([{"l": {"x": 1}}, {"l": [{"y": 2}]}])

    assert outcome.struct == {"r.l": {"x": "scalar", "y": "scalar"}, "r": {"l": "arrayOfobject"}}
    header, rows = outcome.tables["r_l"]
    assert header == ["x", "y", "JSON_parentId"]
    assert [row[:2] for row in rows] == [["1", ""], ["", "2"]]


def test_a_null_makes_the_parser_forget_which_type_it_expects():
    header, rows = tables([{"a": [1, None, {"x": 5}]}])["r_a"]

    assert header == ["data", "x", "JSON_parentId"]
    assert [row[:2] for row in rows] == [["1", ""], ["", ""], ["", "5"]]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"a": [1, {"x": 1}]}], "Data array in 'r.a' contains incompatible data types 'scalar' and 'object'!"),
        ([{"a": [{"x": 1}, 1]}], "Data array in 'r.a' contains incompatible data types 'object' and 'scalar'!"),
        ([{"a": 1}, {"a": [{"x": 1}]}], "Data array in 'r.a' contains incompatible data types 'scalar' and 'object'!"),
        ([{"a": {"x": 1}}, {"a": [1]}], "Data array in 'r.a' contains incompatible data types 'object' and 'scalar'!"),
        (
            [{"a": [1]}, {"a": [{"x": 1}]}],
            "Data array in 'r.a' contains incompatible data types 'scalar' and 'object'!",
        ),
        ([1, {"x": 1}], "Data array in 'r' contains incompatible data types 'scalar' and 'object'!"),
        ([[1], {"x": 1}], "Data array in 'r' contains incompatible data types 'scalar' and 'object'!"),
        ([{"a": 1}, {"a": {"x": 1}}], 'Unhandled type change from "scalar" to "object" in \'r.a\''),
        ([{"a": {"x": 1}}, {"a": 1}], 'Unhandled type change from "object" to "scalar" in \'r.a\''),
        ([{"a": [1]}, {"a": {"x": 1}}], 'Unhandled type change from "arrayOfscalar" to "object" in \'r.a\''),
        (
            [{"o": {"a": 1}}, {"o": {"a": {"x": 1}}}],
            'Unhandled type change from "scalar" to "object" in \'r.o.a\'',
        ),
    ],
)
def test_values_that_fit_no_common_type_are_the_users_error(records: list[Any], message: str):
    with pytest.raises(UserError) as caught:
        read(records)

    assert str(caught.value).startswith(f"Error parsing response JSON: {message}")


def test_types_are_held_over_pages_and_runs():
    with pytest.raises(UserError):
        read([{"a": 1}], [{"a": {"x": 1}}])
    with pytest.raises(UserError):
        read([{"a": [1]}], struct={"r": {"a": "arrayOfobject"}})


def test_a_null_never_damages_a_list():
    outcome = read([{"a": [1]}, {"a": None}, {"a": []}, {"a": [None]}])

    assert outcome.struct["r"] == {"a": "arrayOfscalar"}
    assert [row[0] for row in outcome.tables["r_a"][1]] == ["1", ""]


def test_records_with_a_column_called_data_are_read_on_every_page():
    pages = [[{"data": 1, "x": 2}], [{"data": 3, "x": 4}]]

    assert tables(*pages) == {"r": (["data", "x"], [["1", "2"], ["3", "4"]])}
    assert tables(*pages, struct=read(*pages).struct) == tables(*pages)


def test_a_key_with_a_dot_is_a_part_of_the_path():
    # The path `r.a.b` is that of the key `b` in `a` as well as that of the key `a.b`.
    with pytest.raises(UserError, match=r"Data array in 'r\.a\.b' contains incompatible"):
        read([{"a": {"b": 1}, "a.b": [{"x": 1}]}])


def test_a_list_in_a_list_is_text_and_a_warning():
    outcome = read([{"grid": [[1, 2], ["a/b"]]}, {"grid": [[3]]}])

    assert [row[0] for row in outcome.tables["r_grid"][1]] == ["[1,2]", '["a\\/b"]', "[3]"]
    assert outcome.lines.of("WARNING") == ["Unsupported array nesting in 'r.grid'! Converting to JSON string."]
    assert ("WARNING", "Unsupported array nesting in 'r.grid'! Converting to JSON string.", {"row": "[1,2]"}) in (
        outcome.lines.all
    )


def test_records_that_are_lists_are_text_too():
    outcome = read([[1, 2], [3]])

    assert outcome.tables == {"r": (["data"], [["[1,2]"], ["[3]"]])}
    assert outcome.lines.of("WARNING") == ["Unsupported array nesting in 'r'! Converting to JSON string."]


@pytest.mark.parametrize("records", [[], [None]])
def test_a_page_without_data_is_ignored_if_nothing_is_known_of_it(records: list[Any]):
    outcome = read(records)

    assert outcome.tables == {}
    assert outcome.lines.of("DEBUG")[1:] == ["No data returned in 'r'"]


@pytest.mark.parametrize(("records", "rows"), [([], []), ([None], [[""]])])
def test_a_page_without_data_makes_the_file_of_a_known_table(records: list[Any], rows: list[list[str]]):
    assert tables(records, struct={"r": {"a": "scalar"}}) == {"r": (["a"], rows)}
    assert tables([{"a": 1}], records) == {"r": (["a"], [["1"], *rows])}


def test_the_first_page_of_a_table_is_announced():
    lines = read([{"l": [1, 2]}], [{"l": [3]}], Batch([{}], data_type="s")).lines

    announced = [(message, context) for _level, message, context in lines.all if message.startswith("Analyzing")]
    assert announced == [
        ("Analyzing r", {"rowsAnalyzed": [], "rowsToAnalyze": 1}),
        ("Analyzing s", {"rowsAnalyzed": {"r": 2, "r.l": 3}, "rowsToAnalyze": 1}),
    ]
