from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.legacy import Legacy
from penstock.extractor.records.row_ids import row_id
from tests.support.examples import examples
from tests.unit.extractor.records.legacy.reading import Batch, Lines, md5, read, tables


def test_values_are_rendered_as_everywhere():
    records = [{"a": True, "b": False, "c": Float("1.50"), "d": None, "e": 'x"y'}, {"a": 10**20}]

    assert tables(records) == {
        "r": (["a", "b", "c", "d", "e"], [["1", "", "1.5", "", 'x"y'], [str(10**20), "", "", "", ""]])
    }


def test_scalar_records_have_one_column():
    assert tables([1, "x", None]) == {"r": (["data"], [["1"], ["x"], [""]])}


def test_a_list_becomes_a_table_linked_by_the_id_of_its_row():
    record = {"id": 123, "tags": ["x", "y"]}
    link = row_id("r", record)

    assert tables([record]) == {
        "r": (["id", "tags"], [["123", link]]),
        "r_tags": (["data", "JSON_parentId"], [["x", link], ["y", link]]),
    }


def test_a_list_inside_an_object_is_linked_by_the_id_of_the_object_within_its_row():
    inner = {"l": [{"x": 1}]}
    link = row_id("r.o", inner, row_id("r", {"o": inner}))

    assert tables([{"o": inner}]) == {
        "r": (["o_l"], [[link]]),
        "r_o_l": (["x", "JSON_parentId"], [["1", link]]),
    }


def test_lists_in_lists_of_objects_are_linked_level_by_level():
    link = row_id("r", {"l": [{"m": [1]}]})
    inner = row_id("r.l", {"m": [1], "JSON_parentId": link})

    found = tables([{"l": [{"m": [1]}]}])

    assert found["r_l"] == (["m", "JSON_parentId"], [[inner, link]])
    assert found["r_l_m"] == (["data", "JSON_parentId"], [["1", inner]])


def test_extra_columns_are_part_of_what_identifies_a_row():
    (row,) = tables(Batch([{"tag": 1, "l": [2]}], {"tag": "T", "u": 1.5}))["r"][1]

    assert row[1] == row_id("r", {"tag": "T", "l": [2], "u": Float("1.5")})


def test_a_single_value_beside_lists_is_a_list_of_one_and_keeps_the_id_of_its_row():
    found = tables([{"a": 1}, {"a": [2]}])

    assert found["r"][1] == [[row_id("r", {"a": 1})], [row_id("r", {"a": [2]})]]
    assert [row[0] for row in found["r_a"][1]] == ["1", "2"]


@pytest.mark.parametrize(
    ("record", "extra", "header", "cells"),
    [
        (
            {"a": {"b": 1}, "a_b": 2, "a.b": 3},
            {},
            ["a_b", md5("a_b"), md5("a.b")],
            ["3", "", ""],
        ),
        ({"d": {"e_": 1, "e": 2}}, {}, ["d_e", f"d_{md5('e')}"], ["2", ""]),
        (
            {"id": 1, "tag": "data"},
            {"tag": "T", "price": 5},
            ["id", "tag", md5("tag"), "price"],
            ["1", "T", "", "5"],
        ),
        ({"parent_id": 1, "x": 2}, {"parent_id": 9}, ["parent_id", "x", md5("parent_id")], ["9", "2", ""]),
        ({"tag": {"x": 1}, "y": 2}, {"tag": "T"}, ["tag_x", "y", "tag"], ["", "2", "T"]),
        ({"tag": ["l"], "y": 2}, {"tag": "T"}, ["tag", "y", md5("tag")], ["T", "2", ""]),
        ({"a": 1, "a_": None}, {}, ["a", md5("a_")], ["", ""]),
        ({"a_b": 1, "a": {"b": 2}}, {}, ["a_b", md5("a_b")], ["2", ""]),
        ({"x~": 1}, {"x!": 2}, ["x", md5("x!")], ["2", ""]),
        ({"ě": {"š": 1}, "b": 2}, {}, ["_u0", "b"], ["1", "2"]),
        ({"ě": 1, "ř": 2, "_u0": 3}, {}, ["_u0", md5("ř"), "u0"], ["2", "", "3"]),
        ({"_": {"5": 1}}, {}, ["5"], ["1"]),
        ({"Q" * 40: {"w" * 30: 1}}, {}, [f"Q__{'w' * 30}"], ["1"]),
    ],
)
def test_where_names_clash_the_last_value_wins(
    record: dict[str, Any], extra: dict[str, Any], header: list[str], cells: list[str]
):
    assert tables(Batch([record], extra))["r"] == (header, [cells])


def test_a_null_object_leaves_the_column_of_its_namesake_alone():
    _header, rows = tables([{"a_b": 1, "a": {"b": 2}}, {"a_b": 3, "a": None}, {"a_b": 4, "a": []}, {"a_b": 5}])["r"]

    assert [row[0] for row in rows] == ["2", "3", "4", "5"]


def test_a_third_column_of_one_name_makes_no_ragged_table():
    found = tables([{"a": {"b": 1}, "a_b": 2, "a_": {"b": 3}}])

    assert found == {"r": (["a_b", md5("a_b")], [["3", ""]])}


def test_an_item_with_a_key_called_like_the_link_loses_its_value_to_it():
    record = {"l": [{"JSON_parentId": "mine"}]}

    found = tables([record])["r_l"]

    assert found == (["JSON_parentId", md5("JSON_parentId")], [[row_id("r", record), ""]])


def test_members_that_the_struct_does_not_know_are_dropped():
    found = tables([{"o": {"y": 1}}, {"o": {"x": {}, "y": 2, "z": 3}}])

    assert found == {"r": (["o_y"], [["1"], ["2"]])}


def test_an_object_in_a_scalar_column_is_text_and_an_error_line():
    outcome = read([{"a": 1}, {"a": {}}, {"a": {"x": {}, "y": "/"}}])

    assert outcome.tables == {"r": (["a"], [["1"], ["{}"], ['{"x":{},"y":"\\/"}']])}
    message = "Data parse error in 'a' - unexpected 'object' where 'scalar' was expected!"
    assert outcome.lines.all[2:] == [
        ("ERROR", message, {"data": "{}", "row": '{"a":{}}'}),
        ("ERROR", message, {"data": '{"x":{},"y":"\\/"}', "row": '{"a":{"x":{},"y":"\\/"}}'}),
    ]


def test_an_object_in_a_column_of_nulls_is_the_text_of_the_whole_row_and_a_warning():
    outcome = read([{"a~": None, "b": 1}, {"a~": {}, "b": 2}])

    assert outcome.tables == {"r": (["a", "b"], [["", "1"], ['{"a~":{},"b":2}', "2"]])}
    message = "Encountered data where 'NULL' was expected from previous analysis"
    assert outcome.lines.all[2:] == [("WARNING", message, {"type": "r", "data": '{"a~":{},"b":2}'})]


@pytest.mark.parametrize("records", [[{}], [{}, {}], [None, None], [{"a": {}}]])
def test_records_of_which_nothing_is_known_make_no_file(records: list[Any]):
    assert tables(Batch(records, {"tag": 1})) == {}


@pytest.mark.parametrize("items", [[None], [None, None], [{}], [{"x": {}}]])
def test_lists_of_which_nothing_is_known_are_linked_but_have_no_table(items: list[Any]):
    record = {"l": items}

    assert tables([record, {}]) == {"r": (["l"], [[row_id("r", record)], [""]])}


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([5, [None]], ["5", ""]),
        ([[None, None], "x", None], ["", "", "x"]),
    ],
)
def test_single_values_beside_lists_of_nulls_have_a_table(values: list[Any], cells: list[str]):
    header, rows = tables([{"l": value} for value in values])["r_l"]

    assert header == ["data", "JSON_parentId"]
    assert [row[0] for row in rows] == cells


def test_a_single_value_beside_objects_that_a_null_follows_is_not_lost():
    header, rows = tables([{"l": [{"x": 1}, None]}, {"l": 7}])["r_l"]

    assert header == ["x", "data", "JSON_parentId"]
    assert [row[:2] for row in rows] == [["1", ""], ["", ""], ["", "7"]]


def test_what_an_object_that_counts_as_empty_holds_in_the_place_of_an_object_is_the_users_error():
    with pytest.raises(UserError) as caught:
        tables([{"o": {"k": 1, "p": {"q": 1}}}, {"o": {"k": {}, "p": 3}}])

    message = 'Error parsing response JSON: Unhandled type change from "object" to "scalar" in \'r.o.p\''
    assert str(caught.value).startswith(message)


def test_the_state_may_know_an_object_without_its_members():
    assert tables([{"o": {}, "a": 1}], struct={"r": {"o": "object", "a": "scalar"}}) == {"r": (["a"], [["1"]])}


@pytest.mark.parametrize(
    ("value", "kind", "header"),
    [(5, "arrayOfscalar", ["data", "JSON_parentId"]), ({"x": 5}, "arrayOfobject", ["x", "JSON_parentId"])],
)
def test_a_single_value_that_the_state_knows_as_a_list_is_learnt_while_writing(
    value: Any, kind: str, header: list[str]
):
    link = row_id("r", {"l": value})

    outcome = read([{"l": value}, {"l": value}], struct={"r": {"l": kind}})

    assert outcome.tables["r_l"] == (header, [["5", link], ["5", link]])
    assert outcome.lines.all[2:] == [
        (
            "DEBUG",
            "Trying to parse an unknown data type 'r.l'. Trying on-the-fly analysis",
            {"data": json_text([value]), "type": "r.l", "parentId": json_text({"JSON_parentId": link})},
        )
    ]


def test_an_empty_page_that_the_state_knows_is_learnt_while_writing():
    lines = read([], struct={"r": {"a": "scalar"}}).lines

    assert lines.of("DEBUG")[2:] == ["Trying to parse an unknown data type 'r'. Trying on-the-fly analysis"]


def test_every_table_is_in_document_order_and_emitted_once():
    records = [{"l": [{"x": 1, "m": [1, 2]}, {"x": 2}]}, {"l": [{"x": 3, "m": [3]}]}]
    legacy, emitted = Legacy(None, Lines()), list[str]()
    legacy.learn("r", records)
    legacy.write("r", records, {}, lambda layout, lines, _count: emitted.append(layout.name))
    found = tables(records)

    assert sorted(emitted) == ["r", "r_l", "r_l_m"]
    assert [row[0] for row in found["r_l"][1]] == ["1", "2", "3"]
    assert [row[0] for row in found["r_l_m"][1]] == ["1", "2", "3"]


keys = st.sampled_from(["id", "a", "b", "a.b", "a_b", "_a", "data", "né", "JSON_parentId"])
scalars = st.none() | st.booleans() | st.integers() | st.just(Float("1.50")) | st.sampled_from(["", 'q"', "a\nb"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)
pages = st.lists(st.lists(st.dictionaries(keys, values, max_size=4) | values, max_size=4), min_size=1, max_size=3)


@given(pages, st.dictionaries(keys, scalars, max_size=2))
@examples(100)
def test_any_records_become_tables_of_even_rows_or_are_the_users_error(pages: list[list[Any]], extra: dict[str, Any]):
    try:
        outcome = read(*(Batch(page, extra) for page in pages))
    except UserError:
        return
    for header, rows in outcome.tables.values():
        assert len(set(header)) == len(header)
        assert all(len(row) == len(header) for row in rows if header != [""])
    if "r" in outcome.tables:
        kept = sum(len(page) for page in pages)
        assert kept - len(pages) <= len(outcome.tables["r"][1]) <= kept


@given(pages)
@examples(60)
def test_a_second_run_on_the_same_records_learns_nothing_new(pages: list[list[Any]]):
    try:
        first = read(*pages)
        second = read(*pages, struct=first.struct)
    except UserError:
        return
    assert second.struct == first.struct
    assert {name: table[0] for name, table in first.tables.items()}.items() <= {
        name: table[0] for name, table in second.tables.items()
    }.items()


def test_records_of_many_levels_are_read():
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}

    assert tables([deep])["r"][1] == [["1"]]
