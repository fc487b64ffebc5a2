"""Metadata of all columns of a table, in one request."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.storage.errors.metadata import InvalidMetadata
from penstock.services.storage.models.metadata import (
    MetadataItem,
    read_columns_metadata,
)
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.metadata.objects import (
    FORM,
    OF_COLUMN,
    OF_TABLE,
    TABLE_ID,
    clear,
    put,
)


def post_columns(services: ServicesOnly, columns: Any) -> Response:
    return services.service("storage").post(OF_TABLE, {"provider": "user", "columnsMetadata": columns})


@pytest.mark.parametrize(
    "columns",
    [
        {"name": [{"key": "k", "value": "v"}]},
        {"name": [{"key": "k", "value": "v", "columnName": "name"}]},
        {"all": [{"columnName": "name", "key": "k", "value": "v"}]},
        [[{"columnName": "name", "key": "k", "value": "v"}]],
        [{"columnName": "name", "key": "k", "value": "v"}],
        {"columnName": "name", "key": "k", "value": "v"},
        {"name": {"0": {"key": "k", "value": "v"}, "columnName": None}, "id": []}
        | {"name": {"columnName": "name", "key": "k", "value": "v"}},
    ],
)
def test_columns_are_described_in_every_clients_shape(shared: ServicesOnly, columns: Any) -> None:
    clear(shared, OF_COLUMN)
    response = post_columns(shared, columns)

    assert response.status == 201, response.text
    assert set(response.json) == {"metadata", "columnsMetadata"}
    (item,) = response.json["columnsMetadata"]["name"]
    assert (item["key"], item["value"], item["provider"]) == ("k", "v", "user")
    assert shared.service("storage").get(OF_COLUMN).json == [item]


def test_the_answer_has_every_column_that_has_metadata(shared: ServicesOnly) -> None:
    clear(shared, OF_COLUMN)
    put(shared, f"/v2/storage/columns/{TABLE_ID}.id/metadata", ("earlier", "1"))
    response = post_columns(shared, {"name": [{"key": "k", "value": "v"}]}).json

    assert set(response["columnsMetadata"]) == {"id", "name"}


@pytest.mark.parametrize(
    "columns",
    [
        {"absent": [{"key": "k", "value": "v"}]},
        [{"key": "k", "value": "v"}],
        [{"columnName": 5, "key": "k", "value": "v"}],
        {"name": [{"key": "k"}]},
        {"name": [{"key": "k", "value": {}}]},
        {"name": "text"},
        "text",
        5,
    ],
)
def test_a_column_that_is_not_there_or_not_described_is_refused(shared: ServicesOnly, columns: Any) -> None:
    clear(shared, OF_TABLE)
    wish = {"provider": "user", "metadata": [{"key": "a", "value": "1"}], "columnsMetadata": columns}
    response = shared.service("storage").post(OF_TABLE, wish)

    assert (response.status, response.json["code"]) == (400, "storage.metadata.invalidStructure")
    assert shared.service("storage").get(OF_TABLE).json == []


def test_the_response_to_a_form_is_a_plain_list(shared: ServicesOnly) -> None:
    clear(shared, OF_TABLE)
    fields = {"provider": "user", "metadata[0][key]": "a", "metadata[0][value]": "1"}
    response = shared.service("storage").send("POST", OF_TABLE, urlencode(fields).encode(), FORM)

    assert response.status == 201
    assert [(item["key"], item["value"]) for item in response.json] == [("a", "1")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["key", "value", "columnName", "name", "0"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_nesting_is_read_or_refused(document: Any) -> None:
    try:
        found = read_columns_metadata(document)
    except InvalidMetadata:
        return
    assert all(column and items for column, items in found.items())


def test_the_deepest_nesting_is_read() -> None:
    document: Any = {"key": "k", "value": "v", "columnName": "c"}
    for _ in range(10_000):
        document = [document]

    assert read_columns_metadata(document) == {"c": [MetadataItem("k", "v")]}
