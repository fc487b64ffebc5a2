"""Pages read straight into columns give the same tables as in the general way."""

from __future__ import annotations

import gc
import json
import weakref
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.decode import decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.records.columns import NONE, Column, Rows
from penstock.extractor.records.extras import Extras
from penstock.extractor.records.fast.reader import FastReader
from penstock.extractor.records.flatten import Flattener
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.tree import Tree
from tests.unit.extractor.records.fast.pages import json_of, kinds, like_pages, read_page, reader_after, rows


def cells_of(column: Column, keys: list[str]) -> dict[str, list[str]]:
    return {key: list(column.member(key).cells) for key in keys}


@given(st.lists(rows, min_size=2, max_size=4) | like_pages(), st.sampled_from(["", "items"]))
def test_cells_are_the_same_as_in_the_general_way(pages: list[list[dict[str, Any]]], key: str):
    reader = FastReader(key)
    for page in pages:
        body = (json_of(page) if not key else json_of({"total": 1, "items": page})).encode()
        document = decode(body).document
        general = Column(document["items"] if key else document)
        read = read_page(reader, body, key)
        if read is None:
            reader.learn(document, general)
        else:
            keys = list(general.members)
            assert cells_of(read.column, keys) == cells_of(general, keys)
            assert [{k: v for k, v in row.items() if v is not None} for row in read] == [
                {k: v for k, v in row.items() if v is not None} for row in general.values
            ]


schemas = st.recursive(
    kinds,
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(["a", "b", "é"]), inner, min_size=1, max_size=3).map(st.fixed_dictionaries),
        inner.map(lambda held: st.lists(held, max_size=3)),
        inner.map(lambda held: st.none() | held),
    ),
    max_leaves=6,
)
"""What one column of nested records holds."""


@st.composite
def nested_pages(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    fields = draw(st.dictionaries(st.sampled_from(["a", "b", "c d", "é", "id"]), schemas, min_size=1, max_size=4))
    page = st.lists(st.fixed_dictionaries(fields), min_size=1, max_size=5)
    return draw(st.lists(page, min_size=2, max_size=4))


def shuffled(draw: Any, value: Any) -> Any:
    """With keys in another order, or missing."""
    if isinstance(value, list):
        return [shuffled(draw, item) for item in value]
    if isinstance(value, dict):
        keys = draw(st.permutations(list(value)))
        return {key: shuffled(draw, value[key]) for key in keys[: draw(st.integers(len(keys) - 1, len(keys)))]}
    return value


def tables_of(pages: list[Column], known: Tree, extra: dict[str, Any]) -> dict[Layout, str]:
    tables: dict[Layout, str] = {}
    extras = Extras()
    extras.learn("rows", extra)

    def emit(layout: Layout, lines: bytes, _count: int) -> None:
        tables[layout] = tables.get(layout, "") + lines.decode()

    flattener = Flattener(known, extras, emit)
    for page in pages:
        flattener.write("rows", page, extra)
    return tables


def learnt(pages: list[Column]) -> Tree:
    tree = Tree()
    for page in pages:
        tree.learn("rows", page, lambda message, item: None)
    return tree


@given(
    nested_pages(),
    st.sampled_from([{}, {"user": 1}, {"a": "x"}]),
    st.sampled_from([(",", ":"), (", ", ": ")]),
    st.booleans(),
    st.booleans(),
    st.data(),
)
def test_tables_are_the_same_as_in_the_general_way(
    pages: list[list[dict[str, Any]]],
    extra: dict[str, Any],
    separators: tuple[str, str],
    is_shuffled: bool,
    has_other_lists: bool,
    data: st.DataObject,
):
    reader, general, read = FastReader(), list[Column](), list[Rows | None]()
    for page in pages:
        sent = shuffled(data.draw, page) if is_shuffled else page
        body = json_of(sent, *separators).encode()
        document = decode(body).document
        general.append(Column(document))
        read.append(read_page(reader, body))
        if read[-1] is None:
            reader.learn(document, Column(document))
    # Taken apart after all were read: a page may wait while others are learnt from.
    fast = [other if rows is None else rows.column for rows, other in zip(read, general, strict=True)]
    others = [Column([{"id": [1], "a": [{"b": 1}]}])] if has_other_lists else []
    try:
        tree = learnt([*general, *others])
    except UserError:
        return
    assert tables_of(fast, tree, extra) == tables_of(general, tree, extra)
    assert tables_of(fast, learnt([*fast, *others]), extra) == tables_of(general, tree, extra)


def assert_exact(column: Column) -> None:
    assert column.kinds.keys() <= {*map(type, column.values), NONE}
    for inner in (*column.members.values(), *([column.listed] if list in column.kinds else [])):
        assert_exact(inner)


@given(nested_pages())
def test_a_column_has_no_type_that_none_of_its_values_has(pages: list[list[dict[str, Any]]]):
    reader = FastReader()
    for page in pages:
        body = json_of(page).encode()
        read = read_page(reader, body)
        if read is None:
            reader.learn(decode(body).document, Column(decode(body).document))
        else:
            assert_exact(read.column)


def test_a_page_is_let_go_without_the_garbage_collector():
    row = {"id": 1, "text": "é", "none": None, "one": {"a": 1, "deep": {"b": "x"}}, "many": [{"c": [1, 2]}], "w": ["y"]}
    page = [row, {**row, "one": None, "none": "z"}, {**row, "many": []}]
    reader = reader_after(page, key="")
    read = read_page(reader, json.dumps(page, ensure_ascii=False).encode())
    assert read is not None
    tables_of([read.column], learnt([read.column]), {})
    columns = (
        weakref.ref(read.column),
        weakref.ref(read.column.members["one"]),
        weakref.ref(read.column.members["none"]),
    )

    gc.disable()
    try:
        del read
        assert [column() for column in columns] == [None, None, None]
    finally:
        gc.enable()
