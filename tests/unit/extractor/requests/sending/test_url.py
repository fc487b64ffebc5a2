from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.requests.sending.url import encode_params, get_host, page_url

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
SEGMENTS = st.text("abz019-_~", min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("base", "endpoint", "url"),
    [
        ("https://h/3.0/", "c", "https://h/3.0/c"),
        ("https://h/3.0", "c", "https://h/3.0/c"),
        ("https://h/api/v1", "c/d?x=1", "https://h/api/v1/c/d?x=1"),
        ("https://h/api/v1?key=1#top", "c", "https://h/api/v1/c"),
        ("https://h/a/b", "../x", "https://h/a/x"),
        ("https://h/3.0", "/1.0/c", "https://h/1.0/c"),
        ("https://h/3.0", "//other/x", "https://other/x"),
        ("https://h/3.0", "https://other/x", "https://other/x"),
        ("https://h/3.0", "users:list", "https://h/3.0/users:list"),
        ("https://h/a?x=1", "?y=2", "https://h/a?y=2"),
        ("https://h", "c", "https://h/c"),
        ("https://h", "", "https://h/"),
        ("https://h?x=1", "c", "https://h/c"),
        ("https://h/", "c/", "https://h/c/"),
        ("https://h/3.0/", "/1.0/c", "https://h/1.0/c"),
        ("https://h/3.0/", "https://other/x", "https://other/x"),
        ("https://h/3.0/", "HTTP://other", "http://other/"),
        ("https://h/3.0/", "//other/x", "https://other/x"),
        ("https://h/a/?x=1", "c", "https://h/a/c"),
        ("https://h/a/b/", "../x/./y", "https://h/a/x/y"),
        ("https://h/a/", "../../../x", "https://h/x"),
        ("https://h/a/", "https://h/api/../x/.", "https://h/x/"),
        ("https://h/a/", "//other/../..", "https://other/"),
        ("https://h/a/?x=1", "?y=2", "https://h/a/?y=2"),
        ("https://h/a//b/", "c//d/", "https://h/a//b/c//d/"),
        ("https://h/a/", "sites/https://x/", "https://h/a/sites/https://x/"),
        ("https://h/a/b/", "..//c", "https://h/a//c"),
        ("https://h/a/", "users:list", "https://h/a/users:list"),
        ("https://h/a/", "2020-01-01T00:00:00", "https://h/a/2020-01-01T00:00:00"),
        ("https://h:443/a/", "c", "https://h/a/c"),
        ("http://h:80", "c", "http://h/c"),
        ("http://h:443/", "c", "http://h:443/c"),
        ("https://h:80/", "c", "https://h:80/c"),
        ("http://[::1]:80/", "c", "http://[::1]/c"),
    ],
)
def test_an_endpoint_is_joined_to_the_base_address(base: str, endpoint: str, url: str):
    assert page_url(base, endpoint, {}) == url


@given(st.lists(SEGMENTS, max_size=3), st.booleans(), st.lists(SEGMENTS, min_size=1, max_size=3))
def test_a_path_is_asked_below_the_base_address_whether_that_ends_with_a_slash_or_not(
    base: list[str], has_slash: bool, endpoint: list[str]
):
    folder, path = "/".join(["https://h", *base]), "/".join(endpoint)

    assert page_url(f"{folder}/" if has_slash else folder, path, {}) == f"{folder}/{path}"


@pytest.mark.parametrize(
    ("endpoint", "sent"),
    [
        ("a b/é", "a%20b/%C3%A9"),
        ("u?q=a b&r=50%&s=%41#top", "u?q=a%20b&r=50%25&s=%41"),
        ("u?a[]=1&b={x}", "u?a%5B%5D=1&b=%7Bx%7D"),
        ("[x]/%zz/%e9", "%5Bx%5D/%25zz/%e9"),
        ("a;b=1,c@d!$&'()*+~", "a;b=1,c@d!$&'()*+~"),
        ('u?q="<>\\^`|', "u?q=%22%3C%3E%5C%5E%60%7C"),
        ("u?a=/?:@", "u?a=/?:@"),
        ("u?", "u"),
    ],
)
def test_what_an_address_cannot_hold_is_escaped_once_and_the_fragment_is_not_sent(endpoint: str, sent: str):
    assert page_url("https://h/", endpoint, {}) == f"https://h/{sent}"


@pytest.mark.parametrize(
    ("endpoint", "reason"),
    [
        *((endpoint, "it names no host") for endpoint in ("https://", "http:///x", "https://h:0/")),
        ("https://h:x/", "Port could not be cast to integer value as 'x'"),
        ("https://h:99999/", "Port out of range 0-65535"),
    ],
)
def test_an_endpoint_without_a_host_is_no_address(endpoint: str, reason: str):
    with pytest.raises(ValueError, match=reason):
        page_url("https://h/", endpoint, {})


def test_parameters_win_over_those_of_the_endpoint_which_keep_their_place():
    url = page_url("https://h", "users?page=1&account=123", {"limit": 5, "page": 2})

    assert url == "https://h/users?page=2&account=123&limit=5"


@pytest.mark.parametrize(
    ("endpoint", "params", "query"),
    [
        ("u?a%5B0%5D=1", {"b": 2}, "a%5B0%5D=1&b=2"),
        ("u?a[x]=1", {"a[x]": 2}, "a%5Bx%5D=2"),
        ("u?q=a+b%20c", {"b": 2}, "q=a+b+c&b=2"),
        ("u?flag", {"b": 2}, "flag=&b=2"),
        ("u?a=1&a=2", {"b": 3}, "a=2&b=3"),
        ("u?a=b=c", {"d": 1}, "a=b%3Dc&d=1"),
        ("u?a=%FF", {"d": 1}, "a=%FF&d=1"),
        ("u?a=1", {"a": None, "b": []}, ""),
        ("u?a=1", {"": 1, "0": 2}, "a=1"),
        ("u", {"": 1, "0": 2, "a": 3}, "a=3"),
        ("u?x#f", {"0": 2}, "x="),
        ("u?a=1", {}, "a=1"),
    ],
)
def test_the_query_of_an_endpoint_is_merged_with_the_parameters(endpoint: str, params: dict[str, Any], query: str):
    assert page_url("https://h", endpoint, params) == f"https://h/u{f'?{query}' if query else ''}"


@pytest.mark.parametrize(
    ("params", "query"),
    [
        ({"a": 1, "b": "x"}, "a=1&b=x"),
        ({"at": "2017-04-19 12:46:46"}, "at=2017-04-19+12%3A46%3A46"),
        ({"l": ["x", "y"], "m": {"k": 1}}, "l%5B0%5D=x&l%5B1%5D=y&m%5Bk%5D=1"),
        ({"d": {"a": [{"b": 1}]}}, "d%5Ba%5D%5B0%5D%5Bb%5D=1"),
        ({"t": True, "f": False, "n": None, "e": [], "o": {}, "s": ""}, "t=1&f=0&s="),
        ({"l": [None, "x", []]}, "l%5B1%5D=x"),
        ({"x": 1.5, "y": 2.0, "z": 1e20}, "x=1.5&y=2&z=1.0E%2B20"),
        ({"c": "~é/&=-_."}, "c=%7E%C3%A9%2F%26%3D-_."),
        ({"a b": "*"}, "a+b=%2A"),
        ({}, ""),
    ],
)
def test_parameters_are_encoded_like_a_form(params: dict[str, Any], query: str):
    assert encode_params(params) == query


@given(st.dictionaries(TEXTS.filter(bool), TEXTS, max_size=4))
def test_what_is_encoded_reads_back(params: dict[str, str]):
    assert dict(parse_qsl(encode_params(params), keep_blank_values=True)) == params


@given(st.text("ab/.?&=%#+[] é:", max_size=16))
def test_an_address_stays_as_it_is_when_it_is_joined_again(endpoint: str):
    try:
        url = page_url("https://h/v1/", endpoint, {})
    except ValueError:
        assert endpoint.startswith("//")  # only what names a host can name none
        return

    assert page_url("https://other/", url, {}) == url
    assert not {".", ".."} & set(urlsplit(url).path.split("/"))


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://API.example./x", "api.example:443"),
        ("http://h", "h:80"),
        ("https://h:80/", "h:80"),
        ("http://[::1]:8/", "::1:8"),
    ],
)
def test_a_server_is_a_host_and_a_port(url: str, host: str):
    assert get_host(url) == host
