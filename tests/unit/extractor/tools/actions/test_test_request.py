from __future__ import annotations

from collections.abc import Generator
from typing import Any

import msgspec
import pytest

from penstock.extractor.base.json_text import json_text
from penstock.extractor.requests.auth import Auth
from penstock.extractor.requests.client import Sending, with_short_waits
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.requests.sending.redirects import Trusted
from penstock.extractor.requests.sending.retry import Retry
from tests.support.api import Api, Response
from tests.unit.extractor.tools.actions.asking import ask, complaint, selected

LOOPBACK = {"host": "127.0.0.1"}


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/users", {"items": [{"id": 1}, {"id": 2}]})
        yield api


def shown(server: Api, *jobs: Any, job: str = "0", **settings: Any) -> dict[str, Any]:
    """The response to a test request of a job."""
    return ask("test_request", selected(f"{server.url}/", *jobs, job=job, **settings))


def records(server: Api, *jobs: Any, job: str = "0", **settings: Any) -> list[Any]:
    return shown(server, *jobs, job=job, **settings)["records"]


def test_everything_about_a_request_is_shown(api: Api):
    response = shown(api, {"endpoint": "users", "params": {"a": {"function": "concat", "args": ["x", "y"]}}})

    assert response["response"]["status_code"] == 200
    assert response["response"]["reason"] == "OK"
    assert response["response"]["data"] == {"items": [{"id": 1}, {"id": 2}]}
    assert response["response"]["headers"]["Content-Type"] == "application/json"
    assert response["request"] == {"url": f"{api.url}/users?a=xy", "method": "GET", "data": None, "headers": {}}
    assert response["records"] == [{"id": 1}, {"id": 2}]
    assert "GET /users?a=xy HTTP/1.1" in response["debug_log"]


@pytest.mark.parametrize(
    ("method", "body", "kind"),
    [("POST", '{"a":[1],"b":null}', "application/json"), ("FORM", "a%5B0%5D=1", "application/x-www-form-urlencoded")],
)
def test_a_body_is_shown_as_it_was_sent(api: Api, method: str, body: str, kind: str):
    request = shown(api, {"endpoint": "users", "method": method, "params": {"a": [1], "b": None}})["request"]

    assert (request["method"], request["data"], request["headers"]["Content-Type"]) == ("POST", body, kind)
    assert api.seen[-1].body.decode() == body


def test_decimals_keep_their_digits(api: Api):
    api.on("/numbers", Response(body=b'[{"x": 0.10000000000000000001}]'))

    assert '"records":[{"x":0.10000000000000000001}]' in json_text(shown(api, {"endpoint": "numbers"}))


@pytest.mark.parametrize(
    ("pagination", "query"),
    [
        ({"method": "offset", "limit": 2}, "a=1&limit=2&offset=0"),
        ({"method": "offset", "limit": 2, "firstPageParams": False}, "a=1"),
        ({"method": "pagenum"}, "a=1&page=1"),
        ({"method": "multiple", "scrollers": {"s": {"method": "pagenum", "firstPage": 0}}}, "a=1&page=0"),
    ],
)
def test_only_the_first_page_is_asked_for_as_a_run_would(api: Api, pagination: dict[str, Any], query: str):
    shown(api, {"endpoint": "users", "params": {"a": 1}, "scroller": "s"}, api={"pagination": pagination})

    assert api.asked("/users") == [query]


def test_an_unknown_scroller_is_named(api: Api):
    pagination = {"method": "multiple", "scrollers": {"s": {"method": "pagenum"}}}
    job = {"endpoint": "users", "scroller": "nope"}

    said = complaint("test_request", selected(f"{api.url}/", job, api={"pagination": pagination}))

    assert said.startswith("Paginator 'nope' not found in the configuration.")


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (None, "__SELECTED_JOB is missing!"),
        ("", "__SELECTED_JOB is missing!"),
        ("1", "__SELECTED_JOB is 1, but there is no such job"),
        ("0_0", "__SELECTED_JOB is 0_0, but there is no such job"),
        ("x", '__SELECTED_JOB is "x", which names no job.'),
        ("-1", '__SELECTED_JOB is "-1", which names no job.'),
        (True, "__SELECTED_JOB is true, which names no job."),
    ],
)
def test_a_selection_that_names_no_job_is_refused(selection: Any, message: str):
    assert complaint("test_request", selected("http://h/", {"endpoint": "x"}, job=selection)).startswith(message)


def test_jobs_and_mappings_that_were_not_selected_do_not_matter(api: Api):
    good = {"endpoint": "users", "children": [{"no": "endpoint"}]}

    assert records(api, {"no": "endpoint"}, good, good, job="2", mappings=5) == [{"id": 1}, {"id": 2}]
    assert len(records(api, good, job=0)) == 2  # pyright: ignore[reportArgumentType]


def test_a_child_is_asked_for_the_rows_of_its_parent(api: Api):
    api.on("/users/1/orders", {"orders": [{"no": 7}]})
    api.on("/users/2/orders", {"orders": [{"no": 8}, {"no": 9}]})
    api.on("/orders/7", {"lines": ["a"]})
    api.on("/orders/8", {"lines": ["b"]})
    api.on("/orders/9", {"lines": ["c"]})
    lines = {"endpoint": "orders/{no}", "placeholders": {"no": "no"}}
    orders = {"endpoint": "users/{id}/orders", "placeholders": {"id": "id"}, "children": [{}, lines]}
    job = {"endpoint": "users", "children": [{"endpoint": "nope"}, orders]}

    response = shown(api, job, job="0_1")
    assert response["records"] == [{"no": 7}, {"no": 8}, {"no": 9}]
    assert response["request"]["url"] == f"{api.url}/users/2/orders"
    assert records(api, job, job="0_1_1") == ["a", "b", "c"]


def test_no_more_than_twenty_rows_of_each_level(api: Api):
    api.on("/many", {"items": [{"id": number} for number in range(100)]})
    for number in range(100):
        api.on(f"/one/{number}", {"items": [number]})
    child = {"endpoint": "one/{id}", "placeholders": {"id": "id"}, "recursionFilter": "id>=10"}

    assert len(records(api, {"endpoint": "many"})) == 20
    assert records(api, {"endpoint": "many", "children": [child]}, job="0_0") == list(range(10, 30))
    assert len(api.seen) == 22


def test_a_child_without_parents_shows_the_parents_answer(api: Api):
    api.on("/users", {"items": []})
    child = {"endpoint": "x/{id}", "placeholders": {"id": "id"}}

    response = shown(api, {"endpoint": "users", "children": [child]}, job="0_0")

    assert (response["records"], response["response"]["data"]) == ([], {"items": []})
    assert "contains no data!" in response["debug_log"]


def test_an_error_of_the_api_is_an_answer_too(api: Api):
    child = {"endpoint": "x/{id}", "placeholders": {"id": "id"}}

    response = shown(api, {"endpoint": "nope", "children": [child]}, job="0_0")

    assert response["response"]["status_code"] == 404
    assert response["response"]["data"] == {"message": "Nothing at /nope"}
    assert response["records"] == []
    assert "The API request failed: [404]" in response["debug_log"]


def test_an_ignored_error_is_read_like_any_answer(api: Api):
    api.on("/gone", Response(410, b"gone"))

    settings = {"http": {"ignoreErrors": [410]}}
    assert records(api, {"endpoint": "gone", "dataField": "."}, api=settings) == [{"errorData": "gone"}]


def test_an_api_that_is_down_is_asked_three_times(api: Api):
    api.on("/down", Response(503, b"later", {"Retry-After": "3000"}))

    response = shown(api, {"endpoint": "down"}, api={"retryConfig": {"maxWait": 0}})

    assert (response["response"]["status_code"], response["response"]["data"]) == (503, "later")
    assert len(api.seen) == 3


def test_nobody_waits_longer_than_five_seconds_between_retries():
    usual = Sending(Builder("http://h/"), Auth(), Trusted.of([]))
    own = msgspec.structs.replace(usual, retry=Retry(most=1, longest_wait=2.0))

    assert (with_short_waits(usual).retry.most, with_short_waits(usual).retry.longest_wait) == (2, 5.0)
    assert (with_short_waits(own).retry.most, with_short_waits(own).retry.longest_wait) == (1, 2.0)


@pytest.mark.parametrize(
    ("body", "field", "found"),
    [
        (b'{"a": {"b": [1, 2]}}', "a.b", [1, 2]),
        (b'{"a": {"b": 5}}', {"path": "a/b", "delimiter": "/"}, [5]),
        (b'{"a": []}', "a", []),
        (b'{"a": 1}', ".", [{"a": 1}]),
        (b'{"a": 1}', "b", ["Path b not found in the response data"]),
        (b"", "", []),
    ],
)
def test_records_are_where_the_data_field_says(api: Api, body: bytes, field: Any, found: list[Any]):
    api.on("/x", Response(body=body))

    assert records(api, {"endpoint": "x", "dataField": field}) == found


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"a": {"b": [1]}}', "No data array found in response! (endpoint: x) Set the job's `dataField`"),
        (b'{"a": [1], "b": [2]}', "More than one array found in response! Use 'dataField' parameter"),
        (b"5", "Unknown response from API."),
        (b"<html>", "Invalid JSON response from API: JSON decode error: Syntax error, malformed JSON"),
    ],
)
def test_the_only_record_says_what_to_mend(api: Api, body: bytes, message: str):
    api.on("/x", Response(body=body))

    (only,) = records(api, {"endpoint": "x"})

    assert only.startswith(message)


def test_filters_and_formats_are_the_runs(api: Api):
    api.on("/csv", Response(body=b"id,name\n1,Ann\n"))
    api.on("/x", Response(body=b'[{"a": {"b": 1}}]'))

    assert records(api, {"endpoint": "csv", "responseFormat": "csv"}) == [{"id": "1", "name": "Ann"}]
    assert records(api, {"endpoint": "x", "responseFilter": "a"}) == [{"a": '{"b":1}'}]


def test_a_good_answer_whose_status_is_ignored_is_read_as_the_run_reads_it(api: Api):
    api.on("/csv", Response(body=b"id,name\n1,Ann\n"))
    settings = {"http": {"ignoreErrors": [200]}}

    assert records(api, {"endpoint": "csv", "responseFormat": "csv"}, api=settings) == [{"id": "1", "name": "Ann"}]


def test_secrets_are_hidden_everywhere(api: Api):
    secret, client = "s3cr3t/value +", "client-7"
    api.on("/login", {"token": "fresh-token"})
    api.on("/echo", Response.json([{"secret": secret, "number": 123456, client: "fresh-token"}], X_Token="fresh-token"))
    login = {
        "type": "login",
        "loginRequest": {"endpoint": "login", "params": {"key": {"attr": "#secret"}}},
        "apiRequest": {"headers": {"X-Token": "token"}, "query": {"t": {"response": "token"}}},
    }
    job = {"endpoint": "echo", "method": "POST", "params": {"s": {"attr": "#secret"}, "c": {"attr": "__CLIENT_ID"}}}
    config: dict[str, Any] = {"#secret": secret, "#number": 123456, "__CLIENT_ID": client, "__AUTH_METHOD": "login"}

    response = shown(api, job, api={"authentication": login}, **config)

    assert response["records"] == [{"secret": "--HIDDEN--", "number": "--HIDDEN--", "--HIDDEN--": "--HIDDEN--"}]
    assert response["request"]["url"] == f"{api.url}/echo?t=--HIDDEN--"
    assert response["request"]["data"] == '{"s":"--HIDDEN--","c":"--HIDDEN--"}'
    assert response["request"]["headers"]["X-Token"] == "--HIDDEN--"
    assert response["response"]["headers"]["X-Token"] == "--HIDDEN--"
    text = json_text(response)
    assert not any(word in text for word in ("s3cr3t", client, "fresh-token", "123456"))
    assert api.seen[-1].headers["x-token"] == "fresh-token"


@pytest.mark.parametrize(
    ("charset", "stated"),
    [("iso-8859-2", "; charset=iso-8859-2"), ("utf-16-le", "; charset=utf-16"), ("utf-16-le", "")],
)
def test_a_secret_in_a_text_of_another_charset_is_hidden(api: Api, charset: str, stated: str):
    secret = "žluťoučký-heslo-1234" if stated else "heslo-1234"
    body = f"The token {secret} has expired.".encode(charset)
    api.on("/echo", Response(401, body, {"Content-Type": f"text/plain{stated}"}))

    response = shown(api, {"endpoint": "echo"}, **{"#secret": secret})

    assert response["response"]["data"] == "The token --HIDDEN-- has expired."
    assert "heslo" not in json_text(response).replace("\\u0000", "")


def test_a_login_in_the_base_address_is_hidden(api: Api):
    parameters = selected(api.url.replace("http://", "http://user:pass-word@") + "/", {"endpoint": "users"})

    response = ask("test_request", parameters)

    assert api.seen[-1].headers["authorization"] == "Basic dXNlcjpwYXNzLXdvcmQ="
    assert response["request"]["headers"]["Authorization"] == "Basic --HIDDEN--"
    assert response["request"]["url"] == f"{api.url}/users"


def test_only_allowed_hosts_are_asked(api: Api):
    parameters = selected(f"{api.url}/", {"endpoint": "users"})

    said = complaint("test_request", parameters, image_parameters={"allowed_hosts": [{"host": "other.example"}]})

    assert said == f'URL "{api.url}/users" is not in the allowed hosts whitelist.'
    assert api.seen == []


def test_the_path_of_an_allowed_host_limits_actions(api: Api):
    parameters = selected(f"{api.url}/", {"endpoint": "users"})

    said = complaint("test_request", parameters, image_parameters={"allowed_hosts": [LOOPBACK | {"path": "/orders"}]})

    assert said == f'URL "{api.url}/users" is not in the allowed hosts whitelist.'
    ask("test_request", parameters, image_parameters={"allowed_hosts": [LOOPBACK | {"path": "/users"}]})
    assert len(api.seen) == 1


def test_the_first_iteration_is_the_one_that_is_tested(api: Api):
    job = {"endpoint": "users", "params": {"x": {"attr": "x"}}}
    parameters = {**selected(f"{api.url}/", job), "iterations": [{"x": 1, "jobs": []}, {"x": 2}]}

    ask("test_request", parameters)

    assert api.asked("/users") == ["x=1"]


def test_a_server_that_is_not_there_is_said():
    parameters = selected("http://127.0.0.1:1/", {"endpoint": "x"}, api={"retryConfig": {"maxRetries": 0}})

    assert complaint("test_request", parameters).startswith("CURL error 7: ")


def test_a_redirect_is_followed_and_the_last_request_shown(api: Api):
    api.on("/old", Response(302, headers={"Location": "/users"}))

    response = shown(api, {"endpoint": "old"})

    assert (response["request"]["url"], len(response["records"])) == (f"{api.url}/users", 2)
