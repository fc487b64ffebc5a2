"""The Mustache of configurations: values go in, and what comes out is still a configuration."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.queue.variables.errors import BrokenDocument
from penstock.services.queue.variables.mustache import fill_document
from penstock.services.queue.variables.text import MAX_BYTES

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
spiky = st.text(st.sampled_from('{}"\\&=#/!<> \n\té𝄞x'), max_size=12)
scalars = texts | spiky | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False)
documents = st.dictionaries(
    texts | spiky,
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)),
    max_size=4,
)


def rendered(template: str, **values: str) -> Any:
    filled = fill_document({"text": template}, values)
    assert filled.missing == []
    return filled.document["text"]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ x }}", "batman"),
        ("{{x}}", "batman"),
        ("a{{x}}b{{ x }}c", "abatmanbbatmanc"),
        ("{{{ x }}}", "batman"),
        ("{{{x}}}", "batman"),
        ("{{&x}}", "batman"),
        ("{{& x }}", "batman"),
        ("{{! a remark }}x", "x"),
        ("{{=<< >>=}}<< x >>{{ x }}", "batman{{ x }}"),
        ("{{=<< >>=}}<<{x}>><<& x>><<={{ }}=>>{{x}}", "batmanbatmanbatman"),
        ("{{= | | =}}|x|", "batman"),
        ("{{ dotted.name }}", "robin"),
        ("{{ ünï }}", "joker"),
        ("no tag", "no tag"),
        ("{{ nothing closes it", "{{ nothing closes it"),
        ("{ {x} } }}", "{ {x} } }}"),
    ],
)
def test_a_tag_becomes_its_value(template: str, expected: str) -> None:
    values = {"x": "batman", "dotted.name": "robin", "ünï": "joker"}

    assert rendered(template, **values) == expected


@given(texts | spiky)
def test_a_value_arrives_as_it_is_whatever_it_holds(value: str) -> None:
    template = {"a": "<{{ x }}>", "b": [{"c": "{{x}}"}], "{{ x }}": 1, "d": "{{ y }}"}
    filled = fill_document(template, {"x": value, "y": "y"})

    assert filled.document == {"a": f"<{value}>", "b": [{"c": value}], value: 1, "d": "y"} or value in template
    assert filled.used == {"x": value, "y": "y"}


@given(documents, st.dictionaries(texts, texts, max_size=3))
def test_any_document_is_rendered_or_refused_by_name(document: dict[str, Any], values: dict[str, str]) -> None:
    try:
        filled = fill_document(document, values)
    except BrokenDocument:
        return
    assert filled.used.items() <= values.items()
    assert not values.keys() & set(filled.missing)


@given(documents)
def test_a_document_without_placeholders_is_unchanged(document: dict[str, Any]) -> None:
    if "{{" in repr(document):
        return
    assert fill_document(document, {"x": "y"}).document is document


@given(texts.filter(lambda text: "{{" not in text), texts.filter(lambda text: "{{" not in text))
def test_what_surrounds_a_tag_stays(before: str, after: str) -> None:
    before = before.rstrip("{")
    assert rendered(f"{before}{{{{ x }}}}{after.lstrip('}')}", x="!") == f"{before}!{after.lstrip('}')}"


def test_names_without_a_value_are_collected_once_in_their_order() -> None:
    filled = fill_document({"a": "{{ b }}{{ a }}", "c": ["{{{ b }}}", "{{& c }}", "{{ known }}"]}, {"known": ""})

    assert filled.missing == ["b", "a", "c"]
    assert filled.used == {"known": ""}


def test_a_name_is_told_as_people_wrote_it() -> None:
    assert fill_document({"sql": '{{ env_var("X") }}'}, {}).missing == ['env_var("X")']


def test_a_number_stays_text() -> None:
    assert fill_document({"limit": "{{ n }}"}, {"n": "5"}).document == {"limit": "5"}


def test_delimiters_change_for_all_that_follows() -> None:
    document = {"first": "{{=<< >>=}}", "then": {"kept": "{{ jinja }}", "filled": ["<<x>>"]}}

    assert fill_document(document, {"x": "1"}).document == {
        "first": "",
        "then": {"kept": "{{ jinja }}", "filled": ["1"]},
    }


def test_a_raw_value_is_put_into_the_text_itself() -> None:
    assert fill_document({"a": "{{{ x }}}"}, {"x": r"one\ntwo"}).document == {"a": "one\ntwo"}
    assert fill_document({"a": "{{{ x }}}"}, {"x": '1", "b": "2'}).document == {"a": "1", "b": "2"}


@pytest.mark.parametrize("value", ['"', "\\", '"} trailing', "\n"])
def test_a_raw_value_that_breaks_the_document_is_refused(value: str) -> None:
    with pytest.raises(BrokenDocument, match="Variable replacement resulted in invalid configuration, error: "):
        fill_document({"a": "{{{ x }}}"}, {"x": value})


@pytest.mark.parametrize("tag", ["{{#x}}", "{{^x}}", "{{/x}}", "{{> x}}", "{{<x}}", "{{$x}}", "{{%x}}"])
def test_what_inserts_no_value_is_refused(tag: str) -> None:
    with pytest.raises(BrokenDocument, match="only values can be inserted"):
        fill_document({"a": tag}, {"x": "1"})


@pytest.mark.parametrize("tag", ["{{==}}", "{{= =}}", "{{=<<=}}", "{{=a b c=}}", "{{=<< >>}}", "{{=a= b=}}"])
def test_delimiters_that_are_none_are_refused(tag: str) -> None:
    with pytest.raises(BrokenDocument, match="should set two delimiters"):
        fill_document({"a": tag}, {})


def test_a_document_that_grows_without_end_is_refused() -> None:
    with pytest.raises(BrokenDocument, match="is longer than"):
        fill_document({"a": "{{ x }}" * 100}, {"x": "x" * (MAX_BYTES // 50)})


@pytest.mark.parametrize("piece", ["{{", "{{{", "{{{x}}", '\\{{"', "{{=", "}}", "{{ x"])
def test_hostile_texts_take_no_longer_than_they_are(piece: str) -> None:
    began = time.monotonic()
    with suppress(BrokenDocument):
        fill_document({"a": piece * 300_000}, {"x": "1"})

    # Looking through the rest at every piece would take minutes.
    assert time.monotonic() - began < 60
