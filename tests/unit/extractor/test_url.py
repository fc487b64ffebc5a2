from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.http import Request
from penstock.extractor.url import encode_params, page_url


@pytest.mark.parametrize(
    ("base", "endpoint", "url"),
    [
        ("https://h/3.0/", "c", "https://h/3.0/c"),
        ("https://h/3.0", "c", "https://h/3.0/c"),
        ("https://h", "c", "https://h/c"),
        ("https://h/", "c/", "https://h/c/"),
        ("https://h/3.0/", "/1.0/c", "https://h/1.0/c"),
        ("https://h/3.0/", "https://other/x", "https://other/x"),
        ("https://h/a/?x=1", "c", "https://h/a/c"),
        ("https://h/a/b/", "../x/./y", "https://h/a/x/y"),
        ("https://h/a/?x=1", "?y=2", "https://h/a/?y=2"),
        ("https://h/a", "users:list", "https://h/a/users:list"),
        ("https://h/a", "a b/é?q=a b&r=50%&s=%41#top", "https://h/a/a%20b/%C3%A9?q=a%20b&r=50%25&s=%41"),
    ],
)
def test_an_endpoint_is_joined_to_the_base_address(base: str, endpoint: str, url: str):
    assert page_url(base, Request(endpoint)) == url


def test_parameters_win_over_those_of_the_endpoint_which_keep_their_place():
    request = Request("users?page=1&account=123", {"limit": 5, "page": 2})

    assert page_url("https://h", request) == "https://h/users?page=2&account=123&limit=5"


def test_keys_of_the_endpoint_are_decoded_once():
    assert page_url("https://h", Request("u?a%5B0%5D=1", {"b": 2})) == "https://h/u?a%5B0%5D=1&b=2"


@pytest.mark.parametrize(
    ("params", "query"),
    [
        ({"a": 1, "b": "x"}, "a=1&b=x"),
        ({"at": "2017-04-19 12:46:46"}, "at=2017-04-19+12%3A46%3A46"),
        ({"l": ["x", "y"], "m": {"k": 1}}, "l%5B0%5D=x&l%5B1%5D=y&m%5Bk%5D=1"),
        ({"t": True, "f": False, "n": None, "e": [], "o": {}}, "t=1&f=0"),
        ({"x": 1.5, "y": 2.0, "z": 1e20}, "x=1.5&y=2&z=1.0E%2B20"),
        ({"c": "~é/&="}, "c=%7E%C3%A9%2F%26%3D"),
    ],
)
def test_parameters_are_encoded_like_a_form(params: dict[str, Any], query: str):
    assert encode_params(params) == query


def test_parameters_with_an_empty_key_are_left_out():
    assert page_url("https://h", Request("u", {"": 1, "0": 2, "a": 3})) == "https://h/u?a=3"
    assert page_url("https://h", Request("u?x", {"0": 2})) == "https://h/u?x"
