from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.query import build_query, get_query, parse_query, with_query

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("", {}),
        ("a=1&b=2", {"a": "1", "b": "2"}),
        ("a=1&b=2&a=3", {"a": ["1", "3"], "b": "2"}),
        ("a&b=", {"a": None, "b": ""}),
        ("a%5B0%5D=x+y&a[1]=%7E", {"a[0]": "x y", "a[1]": "~"}),
        ("a=b=c&=d", {"a": "b=c", "": "d"}),
        ("a=50%&b=%zz", {"a": "50%", "b": "%zz"}),
    ],
)
def test_a_query_is_read_flat(query: str, params: dict[str, Any]):
    assert parse_query(query) == params


@pytest.mark.parametrize(
    ("query", "rebuilt"),
    [
        ("a=x+y", "a=x%20y"),
        ("a=%7e", "a=~"),
        ("a[0]=1", "a%5B0%5D=1"),
        ("flag&a=1", "flag&a=1"),
        ("a=1&a=2&a", "a=1&a=2&a"),
        ("a=%FF%fe", "a=%FF%FE"),
        ("a=1&&b=2", "a=1&&b=2"),
        ("time=12:46", "time=12%3A46"),
    ],
)
def test_a_query_is_rebuilt_as_rfc_3986_says(query: str, rebuilt: str):
    assert build_query(parse_query(query)) == rebuilt


def test_values_of_a_configuration_are_sent_as_text():
    params = {
        "int": 5,
        "yes": True,
        "no": False,
        "bare": None,
        "many": ["a", 1],
        "none": [],
        "map": {},
        "list": {"0": "x"},
    }

    assert build_query(params) == "int=5&yes=1&no=&bare&many=a&many=1&list=x"


def test_an_object_is_refused_by_its_name():
    with pytest.raises(UserError, match='invalid type "object" in query at path: filter'):
        build_query({"filter": {"a": 1}})


@given(st.dictionaries(TEXTS.filter(bool), TEXTS | st.none() | st.lists(TEXTS | st.none(), min_size=2, max_size=3)))
def test_what_is_built_is_read_back(params: dict[str, Any]):
    assert parse_query(build_query(params)) == params


@given(st.text("a=&+%5B~[]é ", max_size=12))
def test_rebuilding_twice_changes_nothing(query: str):
    once = build_query(parse_query(query))

    assert build_query(parse_query(once)) == once


@pytest.mark.parametrize(
    ("url", "query", "replaced"),
    [
        ("https://h/a", "", "https://h/a?x=1"),
        ("https://h/a?b=1?", "b=1?", "https://h/a?x=1"),
        ("https://h/a?b#c?d", "b", "https://h/a?x=1"),
    ],
)
def test_the_query_of_an_address_is_found_and_replaced(url: str, query: str, replaced: str):
    assert get_query(url) == query
    assert with_query(url, "x=1") == replaced
    assert with_query(url, "") == "https://h/a"
