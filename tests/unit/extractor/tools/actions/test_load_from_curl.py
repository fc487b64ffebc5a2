from __future__ import annotations

import shlex
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.tools.curl.job import build_job
from tests.unit.extractor.tools.actions.asking import ask, complaint

BASE = "https://api.example.com/v1/"


def test_a_job_is_made_of_a_command():
    command = """curl -v -L 'https://api.example.com/v1/users?limit=2&q=a%20b' \\
      -H 'Accept: application/json' \\
      --header "X-Api-Version: 3" --compressed"""

    assert ask("load_from_curl", {"api": {"baseUrl": BASE}, "config": {}, "__CURL_COMMAND": command}) == {
        "__NAME": "users",
        "endpoint": "users",
        "children": [],
        "method": "GET",
        "dataType": "users",
        "dataField": {"path": ".", "separator": "."},
        "params": {"limit": "2", "q": "a b"},
        "headers": {"Accept": "application/json", "X-Api-Version": "3"},
    }


@pytest.mark.parametrize(
    ("base_url", "url", "endpoint"),
    [
        ("https://h/v1/", "https://h/v1/users/7", "users/7"),
        ("https://h/v1", "https://h/v1/users", "users"),
        ("https://h/v1", "https://h/v1users", "/v1users"),
        ("https://h/v1", "https://h/v1", "/v1"),
        ("https://h/", "https://h/users", "users"),
        ("https://h", "https://h/users", "users"),
        ("https://h/v1/", "https://h/v1/", "/v1/"),
        ("https://h/v1/", "https://h/v2/users", "/v2/users"),
        ("https://h/v1/", "https://other/users", "https://other/users"),
        ("https://h/v1/", "https://h/v1/users/{id}/orders", "users/{id}/orders"),
        ("https://user:secret@h/v1/", "https://h/v1/users", "users"),
        ("", "https://h/users", "https://h/users"),
    ],
)
def test_the_endpoint_is_relative_where_that_leads_to_the_same_place(base_url: str, url: str, endpoint: str):
    parameters = {"api": {"baseUrl": base_url}, "config": {"x": 1}, "__CURL_COMMAND": f"curl '{url}'"}

    assert ask("load_from_curl", parameters)["endpoint"] == endpoint


@pytest.mark.parametrize(
    ("command", "method", "params"),
    [
        ("curl http://h/x", "GET", {}),
        ("curl -X GET http://h/x?a=", "GET", {"a": ""}),
        ("curl http://h/x?a=1&b=2", "GET", {"a": "1", "b": "2"}),
        ("curl --url http://h/x?id={id}", "GET", {"id": "{id}"}),
        ("curl -G http://h/x?a=1 -d b=2 --data-urlencode 'c=x & y'", "GET", {"a": "1", "b": "2", "c": "x & y"}),
        ("curl http://h/x -d a=1 -d 'b=x+y'", "FORM", {"a": "1", "b": "x y"}),
        ("curl -XPOST http://h/x --data-urlencode 'a=1 + 1'", "FORM", {"a": "1 + 1"}),
        ("curl http://h/x --data-raw '@a=1'", "FORM", {"@a": "1"}),
        ('curl http://h/x -d \'{"a": [1, {"b": null}]}\'', "POST", {"a": [1, {"b": None}]}),
        ("curl http://h/x -H 'content-type: application/json; charset=utf-8' -d '{}'", "POST", {}),
        ("curl http://h/x --json '{\"a\": 1}'", "POST", {"a": 1}),
        ("curl http://h/x -d '[1]'", "POST", [1]),
        ("curl -sSXPOST http://h/x", "POST", {}),
        ("curl -X POST http://h/x -H 'Content-Type: application/x-www-form-urlencoded'", "FORM", {}),
        (
            "curl http://h/x -H 'Content-Type: application/x-www-form-urlencoded' -d '{\"a\":1}'",
            "FORM",
            {'{"a":1}': ""},
        ),
    ],
)
def test_methods_and_parameters(command: str, method: str, params: Any):
    job = build_job(command)

    assert (job["method"], job["params"]) == (method, params)


def test_decimals_keep_their_digits():
    job = build_job("curl http://h/x -d '{\"a\": 0.10000000000000000001}'")

    assert job["params"] == {"a": Float("0.10000000000000000001")}


@pytest.mark.parametrize(
    ("options", "headers"),
    [
        ("-u user:pass", {"Authorization": "Basic dXNlcjpwYXNz"}),
        ("--user user", {"Authorization": "Basic dXNlcjo="}),
        ("-b 'a=1; b=2'", {"Cookie": "a=1; b=2"}),
        ("-A me -e http://from", {"User-Agent": "me", "Referer": "http://from"}),
        ("--oauth2-bearer abc", {"Authorization": "Bearer abc"}),
        ("-H 'X-Empty;' -H 'Accept:' -H 'a: b:c'", {"X-Empty": "", "a": "b:c"}),
        ("-H 'a: 1' -H 'A: 2'", {"A": "2"}),
        ("-H 'Host: h' -H 'Content-Length: 3' -H 'a: 1'", {"a": "1"}),
        ("-k -s --http2 --max-time 10 -o file --retry 3 --proxy http://p -w '%{http_code}'", {}),
    ],
)
def test_headers_and_options_that_stand_for_them(options: str, headers: dict[str, str]):
    assert build_job(f"curl {options} http://h/x")["headers"] == headers


def test_user_and_password_of_the_address_become_a_header():
    job = build_job("curl http://user:p%40ss@h/x")

    assert job["endpoint"] == "http://h/x"
    assert job["headers"] == {"Authorization": "Basic dXNlcjpwQHNz"}


@pytest.mark.parametrize("query", ["a=1&a=2", "0=x", "=x"])
def test_a_query_that_parameters_cannot_say_stays_in_the_endpoint(query: str):
    job = build_job(f"curl 'http://h/x?{query}'")

    assert (job["endpoint"], job["params"]) == (f"http://h/x?{query}", {})


def test_the_query_of_a_form_stays_in_the_endpoint():
    assert build_job("curl 'http://h/x?a=1' -d b=2")["endpoint"] == "http://h/x?a=1"


@pytest.mark.parametrize(
    ("url", "data_type"),
    [("http://h/a/users", "users"), ("http://h/users/", "users"), ("http://h", "h"), ("http://h/a%20b", "a b")],
)
def test_the_data_type_is_the_last_part_of_the_path(url: str, data_type: str):
    job = build_job(f"curl {url}")

    assert job["dataType"] == job["__NAME"] == data_type


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "Not a valid cURL command"),
        ("wget http://h", "Not a valid cURL command"),
        ("curl 'http://h", "Not a valid cURL command: a quote is not closed"),
        ("curl -X", "Not a valid cURL command: the option -X has no value"),
        ("curl", "No valid URL found in the cURL command"),
        ("curl -X GET example.com/users", "No valid URL found in the cURL command"),
        ("curl ftp://h/x", "No valid URL found in the cURL command"),
        ("curl http://[h/x", "No valid URL found in the cURL command"),
        ("curl http://h:99999/x", "No valid URL found in the cURL command"),
        ("curl http://h http://g", "The cURL command asks for several addresses"),
        ("curl -X PUT http://h -d a=1", "The cURL command sends PUT"),
        ("curl -I http://h", "The cURL command sends HEAD"),
        ("curl -F a=b http://h", "A job cannot do what the option --form asks for"),
        ("curl -T file http://h", "A job cannot do what the option --upload-file asks for"),
        ("curl http://h --next http://g", "A job cannot do what the option --next asks for"),
        ("curl http://h -d @file", "The option --data reads a file"),
        ("curl http://h --data-urlencode a@file", "The option --data-urlencode reads a file"),
        ("curl http://h -b cookies.txt", "The option --cookie reads a file"),
        ("curl http://h -H @file", "The option --header reads a file"),
        ("curl -X GET http://h -d a=1", "The cURL command sends data with GET"),
        ("curl 'http://h?a=1' -d '{}'", "The cURL command sends JSON to an address with a query"),
        ("curl http://h -H 'Content-Type: application/json' -d 5", "The cURL command sends JSON that is neither"),
        ("curl http://h -H 'Content-Type: application/json' -d '{a}'", "The cURL command sends JSON that is neither"),
        ("curl http://h -H 'Content-Type: text/xml' -d '<a/>'", "The cURL command sends text/xml"),
        ("curl http://h -d a=1 -d a=2", "The cURL command sends 'a' more than once"),
    ],
)
def test_what_no_job_can_be_like_is_refused(command: str, message: str):
    with pytest.raises(UserError) as refused:
        build_job(command)

    assert str(refused.value).startswith(message)


def test_without_a_command_there_is_nothing_to_load():
    assert complaint("load_from_curl", {}).startswith("Not a valid cURL command")


NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_\[\]-]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
SEGMENTS = st.lists(TEXTS.filter(lambda text: text not in ("", ".", "..")), min_size=1, max_size=3)
HEADER_NAMES = st.from_regex(r"X-[A-Za-z]{1,8}", fullmatch=True)
HEADER_VALUES = st.from_regex(r"[!-~]([ -~]{0,10}[!-~])?", fullmatch=True)


@given(SEGMENTS, st.dictionaries(NAMES, TEXTS, max_size=4), st.dictionaries(HEADER_NAMES, HEADER_VALUES, max_size=3))
def test_a_command_made_of_a_request_is_read_back(segments: list[str], params: dict[str, str], headers: dict[str, str]):
    headers = {name.lower(): value for name, value in headers.items()}
    url = BASE + "/".join(quote(segment, safe="") for segment in segments)
    words = ["curl", "-s", f"{url}?{urlencode(params)}" if params else url]
    command = shlex.join(words + [word for name, value in headers.items() for word in ("-H", f"{name}: {value}")])

    job = build_job(command, BASE)

    assert (job["method"], job["params"], job["headers"]) == ("GET", params, headers)
    sent = Builder(BASE).build(Request(job["endpoint"], {}, job["method"]))
    assert sent.url == Builder(BASE).build(Request(url)).url


@given(st.dictionaries(NAMES, TEXTS, min_size=1, max_size=4), st.booleans())
def test_a_form_is_read_back(params: dict[str, str], is_in_pieces: bool):
    pieces = [word for name, value in params.items() for word in ("--data-urlencode", f"{name}={value}")]
    command = shlex.join(["curl", f"{BASE}x", *(pieces if is_in_pieces else ["--data-raw", urlencode(params)])])

    job = build_job(command, BASE)

    assert (job["endpoint"], job["method"], job["params"]) == ("x", "FORM", params)
