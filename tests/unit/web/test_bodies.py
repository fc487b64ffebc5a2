"""Queries, forms and JSON into models: one thing, written in the many ways that clients write it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any, ClassVar
from urllib.parse import quote_plus

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.web.bodies import NESTING, PAIRS, BadRequest, parse_body, parse_query, to_model

JSON, FORM = "application/json", "application/x-www-form-urlencoded"

names = st.text(st.characters(exclude_characters="[]", exclude_categories=["Cs", "Nd"]), min_size=1, max_size=8)
values = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
trees = st.recursive(
    values,
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(names, inner, min_size=1, max_size=3),
    max_leaves=8,
)
documents = st.dictionaries(names, trees, max_size=4)


class Wish(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    name: str = "nobody"
    limit: Annotated[int, msgspec.Meta(ge=0, le=100)] = 10
    is_on: bool = False
    price: float = 0.0
    tags: list[str] = []
    options: dict[str, Any] = {}


def encode(document: dict[str, Any], *, numbered: bool) -> str:
    return "&".join(f"{quote_plus(key)}={quote_plus(value)}" for key, value in pairs("", document, numbered=numbered))


def pairs(key: str, node: Any, *, numbered: bool) -> Iterator[tuple[str, str]]:
    """As PHP's http_build_query writes it, with `a[0]`, or with `a[]` where a list holds plain values."""
    if isinstance(node, str):
        yield key, node
        return
    members = node.items() if isinstance(node, dict) else enumerate(node)
    plain = isinstance(node, list) and all(isinstance(value, str) for value in node)
    for name, value in members:
        segment = "" if plain and not numbered else str(name)
        yield from pairs(f"{key}[{segment}]" if key else str(name), value, numbered=numbered)


@settings(deadline=None)
@given(documents, st.booleans())
def test_what_php_writes_is_read_back(document: dict[str, Any], numbered: bool) -> None:
    assert parse_query(encode(document, numbered=numbered)) == document


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_query_is_read_or_refused_with_a_sentence(text: str) -> None:
    with suppress(BadRequest):
        assert isinstance(parse_query(text), dict)


@settings(deadline=None)
@given(st.binary(max_size=60), st.sampled_from([JSON, FORM, "", "text/plain", "application/json; charset=utf-8"]))
def test_any_body_is_read_or_refused_with_a_sentence(content: bytes, kind: str) -> None:
    with suppress(BadRequest):
        assert isinstance(parse_body(content, kind), dict)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a[]=1&a[]=2", {"a": ["1", "2"]}),
        ("a[0]=1&a[1]=2", {"a": ["1", "2"]}),
        ("a[1]=second&a[0]=first", {"a": ["first", "second"]}),
        ("a[1]=1&a[]=2", {"a": ["1", "2"]}),
        ("a=1&a=2&a=3", {"a": ["1", "2", "3"]}),
        ("a=1", {"a": "1"}),
        ("a", {"a": ""}),
        ("a=", {"a": ""}),
        ("a%5B%5D=1", {"a": ["1"]}),
        ("whereFilters[0][values][1]=y&whereFilters[0][values][0]=x", {"whereFilters": [{"values": ["x", "y"]}]}),
        ("bucketPermissions[in.c-a]=read", {"bucketPermissions": {"in.c-a": "read"}}),
        ("orderBy[0][column]=c&orderBy[0][order]=ASC", {"orderBy": [{"column": "c", "order": "ASC"}]}),
        ("a[b]=1&a[]=2", {"a": {"b": "1", "0": "2"}}),
        ("a=1&a[b]=2", {"a": {"b": "2"}}),
        ("a[b=1", {"a": "1"}),
        (f"a[{'9' * 5000}]=1", {"a": {"9" * 5000: "1"}}),
        ("=1", {"0": "1"}),
        ("a+b=c+d", {"a b": "c d"}),
        ("", {}),
        ("&&", {}),
    ],
)
def test_arrays_are_read_in_every_spelling(text: str, expected: dict[str, Any]) -> None:
    assert parse_query(text) == expected


@pytest.mark.parametrize("text", ["1", "true", "True", "TRUE"])
def test_true_is_read_in_every_spelling(text: str) -> None:
    assert to_model({"isOn": text}, Wish).is_on
    assert to_model({"isOn": True}, Wish).is_on
    assert to_model({"isOn": 1}, Wish).is_on


@pytest.mark.parametrize("text", ["0", "false", "False"])
def test_false_is_read_in_every_spelling(text: str) -> None:
    assert not to_model({"isOn": text}, Wish).is_on
    assert not to_model({"isOn": 0}, Wish).is_on


def test_numbers_are_read_from_text() -> None:
    assert to_model({"limit": "7", "price": "1.5"}, Wish) == Wish(limit=7, price=1.5)


@pytest.mark.parametrize("nothing", [None, []])
def test_null_and_the_empty_list_mean_not_given(nothing: object) -> None:
    fields: dict[str, Any] = dict.fromkeys(("name", "limit", "isOn", "price", "tags", "options"), nothing)

    assert to_model(fields, Wish) == Wish()


def test_unknown_fields_are_ignored() -> None:
    assert to_model({"branchId": 1, "rowsSortOrder": None, "isMasterToken": True}, Wish) == Wish()


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"limit": "many"}, "limit"),
        ({"limit": 101}, "limit"),
        ({"limit": -1}, "limit"),
        ({"limit": 1.5}, "limit"),
        ({"limit": {}}, "limit"),
        ({"name": 5}, "name"),
        ({"isOn": "maybe"}, "isOn"),
        ({"tags": "one"}, "tags"),
        ({"tags": ["one", 2]}, "tags[1]"),
        ({"options": 5}, "options"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(BadRequest) as caught:
        to_model(fields, Wish)

    assert caught.value.message.startswith(f"Invalid request:\n - {named}: ")


def test_a_missing_field_is_named() -> None:
    class Strict(msgspec.Struct):
        name: str

    with pytest.raises(BadRequest, match=r" - name: "):
        to_model({}, Strict)


@pytest.mark.parametrize("content", [b"", b"  \n", b"{}", b"[]", b"null"])
def test_an_empty_body_has_no_fields(content: bytes) -> None:
    assert parse_body(content, JSON) == {}


@pytest.mark.parametrize("content", [b"{", b"nonsense", b'{"a":1}x', b"\xff", b'{"a":"\\ud800"}', b"[" * 100_000])
def test_what_is_not_json_is_refused(content: bytes) -> None:
    with pytest.raises(BadRequest, match="This is not JSON"):
        parse_body(content, JSON)


@pytest.mark.parametrize("content", [b"1", b'"text"', b"[1]", b"true"])
def test_json_that_is_no_object_is_refused(content: bytes) -> None:
    with pytest.raises(BadRequest, match="must be a JSON object"):
        parse_body(content, JSON)


def test_a_form_and_json_say_the_same() -> None:
    form = parse_body(b"name=x&limit=5&tags[]=a&tags[]=b&isOn=1", f"{FORM}; charset=utf-8")
    document = parse_body(b'{"name":"x","limit":5,"tags":["a","b"],"isOn":true}', JSON)

    assert to_model(form, Wish) == to_model(document, Wish)


def test_a_form_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(BadRequest, match="not UTF-8"):
        parse_body(b"a=\xff", FORM)


@pytest.mark.parametrize("depth", [NESTING - 1, NESTING])
def test_a_query_may_be_nested(depth: int) -> None:
    node: Any = parse_query("a" + "[b]" * depth + "=1")["a"]
    for _ in range(depth):
        node = node["b"]

    assert node == "1"


def test_a_query_nested_too_deep_is_refused_by_name() -> None:
    with pytest.raises(BadRequest, match=r" - a: .*nested deeper"):
        parse_query("a" + "[b]" * (NESTING + 1) + "=1")


def test_as_many_fields_as_the_limit_are_read() -> None:
    assert len(parse_query("&".join(f"f{n}=1" for n in range(PAIRS)))) == PAIRS


def test_more_fields_than_the_limit_are_refused() -> None:
    with pytest.raises(BadRequest, match=f"more than {PAIRS} fields"):
        parse_query("&".join(f"f{n}=1" for n in range(PAIRS + 1)))


def test_ten_thousand_values_of_one_key_are_read_at_once() -> None:
    assert len(parse_query("&".join(["a[]=1"] * PAIRS))["a"]) == PAIRS
    assert len(parse_query("&".join(["a=1"] * PAIRS))["a"]) == PAIRS


class Aliased(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    aliases: ClassVar[dict[str, str]] = {"app_key": "appKey", "key": "appKey"}

    app_key: str | None = None


@pytest.mark.parametrize(
    ("sent", "found"),
    [({"app_key": "a"}, "a"), ({"key": "a"}, "a"), ({"appKey": "b", "app_key": "a"}, "b"), ({"app_key": None}, None)],
)
def test_a_field_may_have_other_names_and_its_own_wins(sent: dict[str, Any], found: str | None) -> None:
    assert to_model(sent, Aliased).app_key == found
