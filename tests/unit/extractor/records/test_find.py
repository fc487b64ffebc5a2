from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.find import DataField, find_records

AUTO = DataField("")


@pytest.mark.parametrize(
    ("document", "path", "records"),
    [
        ({"a": {"b": [1, 2]}}, "a.b", [1, 2]),
        ({"a": [{"b": [1]}]}, "a.0.b", [1]),
        ([1, 2], ".", [1, 2]),
        ({"a": 1}, ".", [{"a": 1}]),
        ({"a": {}}, "a", [{}]),
        ({"a": "x"}, "a", ["x"]),
        ({"a": True}, "a", [True]),
    ],
)
def test_a_data_field_names_the_records(document: Any, path: str, records: list[Any]):
    found = find_records(document, DataField(path), "users")

    assert found.records == records
    assert found.warning is None


def test_a_data_field_may_have_another_delimiter():
    assert find_records({"a.b": {"c": [1]}}, DataField("a.b/c", "/"), "users").records == [1]


@pytest.mark.parametrize("value", [None, False, 0, "", "0", [], Float("0.0")])
def test_an_empty_value_holds_no_records_and_is_a_warning(value: Any):
    found = find_records({"a": value}, DataField("a"), "users")

    assert (found.records, found.warning) == ([], "dataField 'a' contains no data!")


def test_a_missing_value_is_a_warning_too():
    assert find_records({"b": [1]}, DataField("a.x"), "users").warning == "dataField 'a.x' contains no data!"


@pytest.mark.parametrize("field", [AUTO, DataField("0")])
def test_without_a_data_field_the_only_array_at_the_root_is_taken(field: DataField):
    assert find_records({"total": 2, "meta": {"x": [9]}, "users": [1, 2]}, field, "users").records == [1, 2]
    assert find_records([1, 2], field, "users").records == [1, 2]


def test_an_auto_detected_array_that_is_empty_is_a_warning():
    assert find_records({"users": []}, AUTO, "users").warning == "dataField 'users' contains no data!"


@pytest.mark.parametrize("field", [AUTO, DataField("0"), DataField("."), DataField("/", "/")])
def test_a_response_that_is_an_empty_array_is_a_warning_too(field: DataField):
    found = find_records([], field, "users")

    assert (found.records, found.warning) == ([], f"dataField '{field.delimiter}' contains no data!")


def test_no_array_at_the_root_is_a_warning():
    found = find_records({"meta": {"x": [9]}}, AUTO, "users")

    assert (found.records, found.warning) == ([], "No data array found in response! (endpoint: users)")


def test_several_arrays_are_the_users_error():
    with pytest.raises(UserError, match=r"More than one array .* \(endpoint: users, arrays in response root: a, b\)"):
        find_records({"a": [1], "b": []}, AUTO, "users")


@pytest.mark.parametrize("document", [None, 1, "text", True])
def test_a_response_that_is_neither_object_nor_array_is_the_users_error(document: Any):
    with pytest.raises(UserError, match="Unknown response from API"):
        find_records(document, AUTO, "users")


def test_a_data_field_that_leads_to_one_value_is_one_record():
    assert find_records({"a": {"b": 5}}, DataField("a.b"), "users").records == [5]
    assert find_records("text", DataField("."), "users").records == ["text"]


def test_records_may_be_anything():
    mixed = [{"a": 1}, None, 2, [3]]

    assert find_records({"users": mixed}, AUTO, "users").records == mixed
