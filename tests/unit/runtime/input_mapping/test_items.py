"""What a configuration may say about its input, and names that become names of files."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.errors import Invalid
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.input_mapping.items import read_items, reserve_path

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(["source", "tags", "columns", "where_values", "changed_since", "file_ids", "limit"])


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ({}, 'needs a "source"'),
        ({"source": "t", "days": 1, "changed_since": "-1 day"}, 'both parameters "days" and "changed_since"'),
        ({"source": "t", "where_column": "a"}, "or neither"),
        ({"source": "t", "where_values": ["a"]}, "or neither"),
        (
            {"source": "t", "where_column": "a", "where_values": [1], "where_operator": "gt"},
            "is not a valid value",
        ),
        ({"source": "t", "columns": ["a"], "column_types": [{"source": "b"}]}, "the same columns"),
        ({"source": "t", "column_types": [{"type": "x"}]}, 'needs a "source"'),
        ({"source": "t", "limit": -1}, "limit"),
        ({"source": "t", "foo": 1}, 'Unrecognized option "foo" under "container.storage.input.tables.0"'),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused(item: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadConfiguration) as raised:
        read_items({"tables": [item]})
    assert sentence in raised.value.message


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ({}, "needs one of"),
        ({"tags": ["a"], "source": {"tags": [{"name": "a"}]}}, 'Both "tags" and "source.tags"'),
        ({"query": "a", "changed_since": "adaptive"}, 'not supported together with "query"'),
        ({"file_ids": [1], "tags": ["a"]}, "nothing else may choose them"),
        ({"source": {"tags": [{"name": "a", "match": "perhaps"}]}}, "include or exclude"),
        ({"source": {"tags": [{"name": "a", "match": "exclude"}]}}, "at least one tag to include"),
        ({"source": {"foo": []}}, 'Unrecognized option "foo"'),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused(item: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadConfiguration) as raised:
        read_items({"files": [item]})
    assert sentence in raised.value.message


def test_numbers_as_text_and_nulls_are_taken() -> None:
    [item] = read_items({"tables": [{"source": "t", "limit": "5", "days": None, "columns": None}], "files": []}).tables

    assert (item.limit, item.days, item.columns) == (5, 0, [])


@given(st.text(max_size=300) | st.sampled_from(["..", ".", "../a", "a/b", "/etc/passwd", "a\\b", "a\0", "a.manifest"]))
def test_no_name_leads_out_of_its_folder(name: str) -> None:
    folder = Path("/data/in/tables")
    try:
        place = reserve_path(folder, name, set())
    except BadConfiguration:
        return
    assert place.parent == folder
    assert place.name == name
    assert name not in (".", "..")


def test_two_tables_do_not_go_into_one_file() -> None:
    names: set[str] = set()
    reserve_path(Path("/data"), "a.csv", names)

    with pytest.raises(BadConfiguration, match="twice"):
        reserve_path(Path("/data"), "a.csv", names)


@given(
    st.dictionaries(st.sampled_from(["tables", "files"]), st.lists(st.dictionaries(keys, json_values)) | json_values)
)
def test_whatever_is_said_is_read_or_refused_with_a_sentence(wanted: dict[str, Any]) -> None:
    with suppress(Invalid):
        read_items(wanted)
