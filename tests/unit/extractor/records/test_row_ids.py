from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.row_ids import RowIds, row_id
from penstock.extractor.records.serialized import serialize


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "N;"),
        (True, "b:1;"),
        (False, "b:0;"),
        (123, "i:123;"),
        (2**63 - 1, "i:9223372036854775807;"),
        (2**63, "d:9.2233720368547758E+18;"),
        (Float("0.03"), "d:0.029999999999999999;"),
        (Float("1.0"), "d:1;"),
        (Float("1e25"), "d:1.0000000000000001E+25;"),
        (Float("-0.0"), "d:-0;"),
        (Float("1e400"), "d:INF;"),
        (0.5, "d:0.5;"),
        ("é", 's:2:"é";'),
        ([1, "a"], 'a:2:{i:0;i:1;i:1;s:1:"a";}'),
        ({"a": {}}, 'O:8:"stdClass":1:{s:1:"a";O:8:"stdClass":0:{}}'),
        ({"7": 1}, 'O:8:"stdClass":1:{s:1:"7";i:1;}'),
    ],
)
def test_values_are_serialized_as_php_does(value: Any, text: str):
    assert serialize(value) == text


def test_a_row_is_identified_by_its_path_and_content():
    row = {"id": 123, "name": "John Doe", "tags": ["active", "admin"]}

    assert row_id("users", row) == "users_3ca896f39b257a4f2d2f4784e7680c87"


def test_a_whole_number_and_a_decimal_are_different_rows():
    assert row_id("users", {"a": 1}) != row_id("users", {"a": Float("1.0")})
    assert row_id("users", {"a": Float("1.0")}) == row_id("users", {"a": Float("1.00")})


def test_an_extra_column_belongs_to_the_row_it_identifies():
    ids = RowIds("users.tags", Column([{"a": 1}])).with_extra({"JSON_parentId": ["users_1"]})

    assert ids.at([0])[0] == row_id("users.tags", {"a": 1, "JSON_parentId": "users_1"})


def test_an_extra_column_takes_the_place_of_a_key_of_its_name():
    ids = RowIds("users", Column([{"a": 1, "b": 2}])).with_extra({"a": ["x"]})

    assert ids.at([0])[0] == row_id("users", {"a": "x", "b": 2})


def test_an_object_in_a_row_is_identified_together_with_the_row():
    outer = RowIds("users", Column([{"box": {"a": 1}}]))

    assert RowIds("users.box", Column([{"a": 1}]), outer).at([0]) == [row_id("users.box", {"a": 1}, outer.at([0])[0])]


def test_a_null_among_the_rows_does_no_harm():
    ids = RowIds("users", Column([{"a": 1}, None])).with_extra({"x": [7, 8]})

    assert ids.at([0]) == [row_id("users", {"a": 1, "x": 7})]


@pytest.mark.parametrize("indexes", [[1], [0, 2], [2, 1, 0]])
def test_ids_are_the_same_for_few_rows_and_for_all(indexes: list[int]):
    rows = [{"a": 1, "é": "ž"}, {"a": 2, "é": None}, {"a": 3, "é": "x"}]
    ids = RowIds("users", Column(rows)).with_extra({"x": ["p", "q", "r"]})
    whole = [{**row, "x": extra} for row, extra in zip(rows, "pqr", strict=True)]

    assert ids.at(indexes) == [row_id("users", whole[index]) for index in indexes]
    assert ids.at([1]) == [row_id("users", whole[1])]
