"""Pages read straight into columns: the same tables as in the general way, or not read at all."""

from __future__ import annotations

import gc
import json
import weakref
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.decode import decode
from penstock.extractor.errors import UserError
from penstock.extractor.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.extras import Extras
from penstock.extractor.records.flatten import Flattener, Layout
from penstock.extractor.records.tree import Tree
from penstock.extractor.records.typed import MOST_FAILURES, Rows, Typed

texts = (st.text(max_size=3) | st.text('a"\\/é', max_size=3)).map(lambda text: json.dumps(text, ensure_ascii=False))
numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["-0", "-0.0", "1.50", "1e5", "0.00001", "100", "12345678901234567890123", "1.0"]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
rows = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c d", "é"]), scalars, max_size=4), min_size=1, max_size=4)


kinds = st.sampled_from([numbers, st.booleans(), texts])
"""What one column holds."""


@st.composite
def like_pages(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    """Pages whose columns have one type each, some of them nullable."""
    columns = {key: draw(kinds) for key in ("a", "b", "c d", "é")}
    nullable = draw(st.sets(st.sampled_from(list(columns))))
    fields = {key: st.none() | values if key in nullable else values for key, values in columns.items()}
    page = st.lists(st.fixed_dictionaries(fields), min_size=3, max_size=6)
    return draw(st.lists(page, min_size=2, max_size=4))


def json_of(value: Any, comma: str = ",", colon: str = ":") -> str:
    """Texts and odd numbers are JSON already."""
    if isinstance(value, dict):
        members = [
            f"{json.dumps(key, ensure_ascii=False)}{colon}{json_of(item, comma, colon)}" for key, item in value.items()
        ]
        return f"{{{comma.join(members)}}}"
    if isinstance(value, list):
        return f"[{comma.join([json_of(item, comma, colon) for item in value])}]"
    return value if isinstance(value, str) else json.dumps(value)


def cells_of(column: Column, keys: list[str]) -> dict[str, list[str]]:
    return {key: list(column.member(key).cells) for key in keys}


@given(st.lists(rows, min_size=2, max_size=4) | like_pages(), st.sampled_from(["", "items"]))
def test_cells_are_the_same_as_in_the_general_way(pages: list[list[dict[str, Any]]], key: str):
    typed = Typed(key)
    for page in pages:
        body = (json_of(page) if not key else json_of({"total": 1, "items": page})).encode()
        document = decode(body).document
        general = Column(document["items"] if key else document)
        read = read_page(typed, body, key)
        if read is None:
            typed.learn(document, general)
        else:
            keys = list(general.members)
            assert cells_of(read.column, keys) == cells_of(general, keys)
            assert [{k: v for k, v in row.items() if v is not None} for row in read] == [
                {k: v for k, v in row.items() if v is not None} for row in general.values
            ]


def read_page(typed: Typed, body: bytes, key: str = "items") -> Rows | None:
    def reread() -> list[Any]:
        document = decode(body).document
        return document[key] if isinstance(document, dict) else document

    return typed.read(body, reread)


def typed_after(*documents: Any, key: str = "items") -> Typed:
    typed = Typed(key)
    for document in documents:
        typed.learn(document, Column(document["items"] if isinstance(document, dict) else document))
    return typed


def test_a_page_like_those_before_is_read():
    typed = typed_after({"items": [{"id": 1, "name": "a", "price": Float("1.5")}], "total": 2})

    read = read_page(typed, b'{"items": [{"id": 2, "name": "b", "price": 2.50}], "total": 3}')

    assert read is not None
    assert list(read) == [{"id": 2, "name": "b", "price": "2.50"}]
    assert isinstance(read[0]["price"], Float)


@pytest.mark.parametrize(
    "body",
    [
        b'{"items": [{"id": 2, "new": 1}]}',
        b'{"items": [{"id": "2"}]}',
        b'{"items": [{"id": true}]}',
        b'{"items": [{"id": {}}]}',
        b'{"items": [{"id": -0}]}',
        b'{"items": [2]}',
        b'{"items": [null]}',
        b'{"items": []}',
        b'{"other": []}',
        b'{"items": [{"id": 2}], "news": 1}',
        b"[",
        b'{"items": [{"id": 2}]',
        b"[" * 100_000,
        b"",
    ],
)
def test_a_page_that_does_not_fit_is_left_to_the_general_way(body: bytes):
    assert read_page(typed_after({"items": [{"id": 1}]}), body) is None


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": 1, "b": "x"}, {"a": 2, "b": True}],
        [{"a": {}}],
        [{"a": [[1]]}],
        [{"a": [1, "x"]}],
        [{"a": [1]}, {"b": [1]}],
        [{"a": 1, "b": []}, {"b": [], "a": 1}],
    ],
)
def test_records_that_are_not_alike_are_given_up_at_the_first_page(rows: list[Any]):
    typed = typed_after({"items": rows})

    assert read_page(typed, json.dumps({"items": rows}).encode()) is None
    assert typed.is_given_up


def test_records_nested_very_deeply_are_left_to_the_general_way():
    record: dict[str, Any] = {"a": 1}
    for _ in range(400):
        record = {"a": record}
    typed = typed_after({"items": [record]})

    assert read_page(typed, b'{"items": []}') is None


def test_the_only_list_of_a_response_is_found_without_a_name_and_a_second_one_is_not_overlooked():
    typed = typed_after({"total": 1, "items": [{"id": 1}], "more": None}, key="")

    assert read_page(typed, b'{"total": 1, "items": [{"id": 2}], "more": {}}') is not None
    assert read_page(typed, b'{"total": 1, "items": [{"id": 2}], "more": []}') is None


def test_a_response_that_is_the_list_is_read():
    assert list(read_page(typed_after([{"id": 1}], key=""), b'[{"id": 2}, {"id": 3}]') or []) == [{"id": 2}, {"id": 3}]


def test_records_that_never_fit_are_given_up():
    typed = typed_after({"items": [{"id": 1}]})
    for _ in range(MOST_FAILURES):
        read_page(typed, b"no")

    assert read_page(typed, b'{"items": [{"id": 2}]}') is None


def test_a_page_that_fits_makes_up_for_one_that_did_not():
    typed = typed_after({"items": [{"id": 1}]})
    for _ in range(3 * MOST_FAILURES):
        read_page(typed, b"no")
        rows = read_page(typed, b'{"items": [{"id": 2}]}')
        assert rows is not None
        assert list(rows.column.member("id").cells) == ["2"]


def test_a_record_that_does_not_fit_among_others_that_do_sends_the_whole_page_the_general_way():
    typed = typed_after({"items": [{"id": 1}]})

    for _ in range(MOST_FAILURES):
        rows = read_page(typed, b'{"items": [{"id": 2}, {"id": "x"}]}')
        assert rows is not None
        assert list(rows.column.member("id").cells) == ["2", "x"]

    assert typed.is_given_up


NESTED = {"id": 1, "user": {"name": "a"}, "tags": ["x"]}


@pytest.mark.parametrize(
    "body",
    [
        b'[{"id":2,"user":{"name":"b"},"tags":["y","z"]}]',
        b'[{"id":2,"user":{"name":"b \\"c\\""},"tags":[]}]',
        b'[ {"id": 2, "user": {"name": "b"},\n "tags": ["y"]} ]\n',
    ],
)
def test_a_page_with_lists_is_read_if_its_keys_are_in_their_order(body: bytes):
    read = read_page(typed_after([NESTED], key=""), body)

    assert read is not None
    assert list(read) == json.loads(body)
    assert [list(row) for row in read] == [list(NESTED)]


@pytest.mark.parametrize(
    "body",
    [
        b'[{"user":{"name":"b"},"id":2,"tags":[]}]',
        b'[{"id":2,"tags":[]}]',
        b'[{"id":2,"user":null,"tags":[]}]',
        b'[{"id":2,"id":2,"user":{"name":"b"},"tags":[]}]',
        b'[{"id":2,"user":{"name":"b"},"tags":[1]}]',
        b'[{"id":"2","user":{"name":"b"},"tags":[]}]',
        b'[{"id":2,"user":{"name":"a\\/b"},"tags":[]}]',
    ],
)
def test_a_page_with_lists_and_anything_out_of_its_order_is_left_to_the_general_way(body: bytes):
    assert read_page(typed_after([NESTED], key=""), body) is None


ROW = b'{"id":2,"user":{"name":"b"},"tags":["y"]}'
ENVELOPE = {"total": 1, "items": [NESTED], "next": {"page": 2}}


@pytest.mark.parametrize(
    "body",
    [
        b'{"total":9,"items":[%b],"next":{"page":3}}',
        b'{"total":9,"items":[%b],"next":{"page":3}}\n',
        b'{"total":1.50,"items":[%b],"next":"http:\\/\\/a\\u00e9"}',
        b'{"items":[%b],"next":null}',
        b'{"items":[%b]}',
        b' { "total": 9, "items": [ %b ],\n"next": {"page": 3, "more": [ ]} }',
    ],
)
@pytest.mark.parametrize("key", ["items", ""])
def test_what_stands_around_records_with_lists_may_change(body: bytes, key: str):
    read = read_page(typed_after(ENVELOPE, key=key), body % ROW)

    assert read is not None
    assert list(read) == [json.loads(ROW)]


@pytest.mark.parametrize(
    "body",
    [
        b'{"total":9,"next":{"page":3},"items":[%b]}',
        b'{"total":9,"items":[],"items":[%b]}',
        b'{"total":9,"total":9,"items":[%b]}',
        b'{"total":9,"items":[%b],"next":[]}',
        b'{"total":9,"items":[%b],"next":"\xff"}',
        b'{"total":9,"items":[%b],"next":"\\ud800"}',
        b'{"total":9,"items":[%b],"new":1}',
    ],
)
def test_what_stands_around_records_with_lists_must_be_sound_and_in_its_order(body: bytes):
    assert read_page(typed_after(ENVELOPE, key=""), body % ROW) is None


def test_members_of_a_null_object_are_empty_although_they_never_were_null():
    inner = {"text": "x", "deep": {"flag": True}, "number": 1}
    typed = typed_after([{"id": 1, "user": None}], [{"id": 2, "user": inner}], key="")

    rows = read_page(
        typed, b'[{"id": 3, "user": null}, {"id": 4, "user": {"text": "y", "deep": {"flag": false}, "number": 2}}]'
    )

    assert rows is not None
    user = rows.column.member("user")
    assert [list(user.member(key).cells) for key in ("text", "number")] == [["", "y"], ["", "2"]]
    assert list(user.member("deep").member("flag").cells) == ["", ""]


def test_numbers_too_long_for_the_general_way_are_left_to_it():
    assert read_page(typed_after([{"id": 1}], key=""), b'[{"id":%b}]' % (b"1" * 4301)) is None


def test_numbers_are_values_for_whoever_asks():
    read = read_page(
        typed_after([{"a": 1, "b": Float("1.5")}, {"a": None, "b": None}], key=""),
        b'[{"a": 7, "b": 2.50}, {"a": null, "b": 3}, {}]',
    )

    assert read is not None
    assert read.column.members["a"].values == [7, None, None]
    assert read.column.members["b"].values == [Float("2.50"), 3, None]
    assert list(map(type, read.column.members["b"].values)) == [Float, int, type(None)]


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
    typed, general, read = Typed(), list[Column](), list[Rows | None]()
    for page in pages:
        sent = shuffled(data.draw, page) if is_shuffled else page
        body = json_of(sent, *separators).encode()
        document = decode(body).document
        general.append(Column(document))
        read.append(read_page(typed, body))
        if read[-1] is None:
            typed.learn(document, Column(document))
    # Taken apart after all were read: a page may wait while others are learnt from.
    fast = [other if rows is None else rows.column for rows, other in zip(read, general, strict=True)]
    others = [Column([{"id": [1], "a": [{"b": 1}]}])] if has_other_lists else []
    try:
        tree = learnt([*general, *others])
    except UserError:
        return
    assert tables_of(fast, tree, extra) == tables_of(general, tree, extra)
    assert tables_of(fast, learnt([*fast, *others]), extra) == tables_of(general, tree, extra)


def test_a_page_is_let_go_without_the_garbage_collector():
    row = {"id": 1, "text": "é", "none": None, "one": {"a": 1, "deep": {"b": "x"}}, "many": [{"c": [1, 2]}], "w": ["y"]}
    page = [row, {**row, "one": None, "none": "z"}, {**row, "many": []}]
    typed = typed_after(page, key="")
    read = read_page(typed, json.dumps(page, ensure_ascii=False).encode())
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
