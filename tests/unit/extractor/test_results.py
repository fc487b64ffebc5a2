"""Pages into tables: drafts must never show."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.extractor.records.find import DataField
from penstock.extractor.records.tree import Tree
from penstock.extractor.results import Results
from penstock.extractor.spool import Source
from penstock.extractor.tables import Tables
from penstock.foundation.redaction import Redactor

USERS = Source("users", "users", DataField("."))


def tables_of(*pages: list[Any], source: Source = USERS) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        results = Results(Path(folder), Tree(), Log(io.StringIO(), Redactor()))
        for page in pages:
            results.add(source, Page(page, json_text(page).encode()))
        tables = Tables(Path(folder) / "tables", "", is_incremental=False)
        results.write(tables)
        tables.close()
        return {path.name: path.read_text() for path in (Path(folder) / "tables").iterdir() if not path.suffix}


def test_pages_of_one_layout_are_written_in_order():
    assert tables_of([{"a": 1}], [{"a": 2}], [{"a": 3}]) == {"users": '"a"\n"1"\n"2"\n"3"\n'}


def test_pages_before_a_new_column_are_written_again():
    pages: list[list[Any]] = [[{"a": 1}], [{"a": 2, "b": 3}], [{"a": 4}]]

    assert tables_of(*pages) == {"users": '"a","b"\n"1",""\n"2","3"\n"4",""\n'}


def test_a_value_that_later_becomes_a_list_moves_to_its_own_table():
    tables = tables_of([{"a": 1}], [{"a": [2, 3]}])

    assert [line.split(",")[0] for line in tables["users_a"].splitlines()] == ['"data"', '"1"', '"2"', '"3"']


@pytest.mark.parametrize("page", [[], [None]])
def test_pages_without_records_leave_no_table(page: list[Any]):
    assert tables_of(page) == {}


def test_tables_that_would_share_a_name_are_the_users_error():
    with pytest.raises(UserError, match="would share the table 'users_a_b'"):
        tables_of([{"a": {"b": [1]}, "a_b": [{"x": 1}]}])


def test_a_table_without_a_name_is_the_users_error():
    with pytest.raises(UserError, match="Set the job's `dataType`"):
        tables_of([{"a": 1}], source=Source("é", "é", DataField(".")))


keys = st.sampled_from(["a", "b", "c"])
values = (
    st.none()
    | st.integers(0, 9)
    | st.dictionaries(keys, st.integers(0, 9), max_size=2)
    | st.lists(st.integers(0, 9), max_size=2)
)
pages = st.lists(st.lists(st.dictionaries(keys, values, max_size=3), min_size=1, max_size=3), min_size=1, max_size=4)


@given(pages)
@settings(max_examples=60, deadline=None)
def test_drafts_change_no_byte_of_the_tables(pages: list[list[Any]]):
    """Two rounds: in the second every layout is known from the start, so that all of it is drafted."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree()
        try:
            first = written(Path(folder) / "1", tree, pages)
        except UserError:
            return
        assert written(Path(folder) / "2", tree, pages) == first


def written(folder: Path, tree: Tree, pages: list[list[Any]]) -> dict[str, str]:
    folder.mkdir()
    results = Results(folder, tree, Log(io.StringIO(), Redactor()))
    for page in pages:
        results.add(USERS, Page(page, json_text(page).encode()))
    tables = Tables(folder / "tables", "", is_incremental=False)
    results.write(tables)
    tables.close()
    return {path.name: path.read_text() for path in (folder / "tables").iterdir()}
