from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.config.effective import Config
from penstock.extractor.records.page import Page
from penstock.extractor.requests.client import Client
from penstock.extractor.requests.journal import Journal
from penstock.extractor.responses.pages import JobRun, Reader, Responses
from penstock.foundation import clock
from tests.support.api import Api, Response
from tests.unit.extractor.requests.client.calling import START, Caller


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.setattr(clock, "source", lambda: START)
    with Api() as api:
        yield api


def caller_of(api: Api, job: dict[str, Any] | None = None, *, ignored: list[Any] | None = None) -> Caller:
    """A caller whose only job is this one; retries are switched off."""
    settings = {"http": {"ignoreErrors": ignored or []}, "retryConfig": {"maxRetries": 0}}
    return Caller({"baseUrl": api.url, **settings}, {"jobs": [{"endpoint": "users", **(job or {})}]})


def read(caller: Caller) -> Page:
    async def fetch(client: Client, config: Config) -> Page:
        with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder))) as journal:
            responses = Responses(client, journal, config.sending.ignored, caller.log)
            reader = Reader(responses, config.jobs[0], JobRun("0", START.timestamp()))
            return reader.read(await reader.ask(0, Request("users")))

    return caller.run(fetch)


def page(api: Api, response: Response, job: dict[str, Any] | None = None, **settings: Any) -> Page:
    api.on("/users", response)
    return read(caller_of(api, job, **settings))


def failure(api: Api, response: Response, job: dict[str, Any] | None = None, **settings: Any) -> str:
    with pytest.raises(UserError) as caught:
        page(api, response, job, **settings)
    return str(caught.value)


def test_a_page_is_its_records_and_what_they_were_read_from(api: Api):
    response = Response(body=b'{"data": [{"id": 1}], "next": 2}', headers={"X-Total": "9"})

    got = page(api, response)
    assert (got.records, got.body) == ([{"id": 1}], response.body)
    assert got.document == {"data": [{"id": 1}], "next": 2}
    assert (got.headers["x-total"], got.asked, got.received) == ("9", START.timestamp(), START.timestamp())


def test_the_job_says_where_records_are_and_which_values_stay_unflattened(api: Api):
    job = {"dataField": "a.b", "responseFilter": "tags"}

    assert page(api, Response(body=b'{"a":{"b":{"tags":[1, 2]}}}'), job).records == [{"tags": "[1,2]"}]


@pytest.mark.parametrize("body", [b"", b" \n"])
def test_an_empty_response_holds_no_records_and_is_a_warning(api: Api, body: bytes):
    api.on("/users", Response(200, body))
    caller = caller_of(api, {"dataField": "items"})

    assert read(caller).records == []
    (warning,) = caller.warnings
    assert f"The response body of page 1 of 'users' is empty (GET {api.url}/users, status 200)" in warning


def test_a_response_that_says_that_it_has_no_content_is_not_worth_a_warning(api: Api):
    api.on("/users", Response(204))
    caller = caller_of(api, {"dataField": "items"})

    assert (read(caller).records, caller.warnings) == ([], [])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{'a': 1}", "Syntax error, malformed JSON"),
        (b"[1,]", "Syntax error, malformed JSON"),
        (b" \xef\xbb\xbf[]", "Syntax error, malformed JSON"),
        (b"oops", "Syntax error, malformed JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "Maximum stack depth exceeded"),
        (b'{"\\u0000a": 1}', "Unknown error"),
    ],
)
def test_what_is_not_json_is_the_users_error(api: Api, body: bytes, reason: str):
    said = failure(api, Response(body=body))

    assert said.startswith(f"Invalid JSON response from API: JSON decode error: {reason}")
    assert "of page 1 of 'users'" in said


def test_a_web_page_is_recognised(api: Api):
    said = failure(api, Response(body=b"\n<html>\n<b>Sign in</b>"))

    assert "It is a web page" in said
    assert said.endswith("The response starts with: <html> <b>Sign in</b>")


@pytest.mark.parametrize("body", [b"null", b"5", b'"x"', b"true"])
def test_a_single_value_is_no_answer_that_holds_records(api: Api, body: bytes):
    assert failure(api, Response(body=body)).startswith("Unknown response from API.")
    assert page(api, Response(body=b"5"), {"dataField": "."}).records == [5]


def test_several_arrays_are_the_users_error(api: Api):
    assert failure(api, Response(body=b'{"a":[],"b":[]}')).endswith("(endpoint: users, arrays in response root: a, b)")


def test_what_was_left_out_is_told(api: Api):
    api.on("/users", Response(body=b'["a\xffb\\ud800"]'))
    caller = caller_of(api)

    assert read(caller).records == ["ab"]
    assert "Left out 2 bytes or escapes that are not Unicode text, on page 1 of 'users'." in caller.warnings[0]


@pytest.mark.parametrize(
    ("body", "document"),
    [
        (b'{"error": {"code": 5}}', {"error": {"code": 5}}),
        (b"<html>", {"errorData": "<html>"}),
        (b"", {"errorData": ""}),
        (b"a\xffb", {"errorData": "ab"}),
        (b'["x"]', ["x"]),
        (b'"x"', "x"),
        (b"5", 5),
        (b"null", None),
    ],
)
@pytest.mark.parametrize("status", [404, 200])
def test_the_body_of_an_ignored_status_is_used_whatever_it_is(api: Api, body: bytes, document: Any, status: int):
    got = page(api, Response(status, body), {"dataField": "."}, ignored=[status])

    assert got.document == document
    assert got.records == ([] if document is None else document if isinstance(document, list) else [document])


def test_an_ignored_status_is_told(api: Api):
    api.on("/users", Response(404, b"gone"))
    caller = caller_of(api, ignored=["404"])

    assert read(caller).records == []
    assert [warning.split(" ")[:4] for warning in caller.warnings[:2]] == [
        ["Failed", "to", "get", "response"],
        ["Failed", "to", "parse", "response"],
    ]
    assert "No data array found in response! (endpoint: users)" in caller.warnings[2]


def test_an_ignored_status_of_success_is_no_failure(api: Api):
    api.on("/users", Response(200, b'[{"id": 1}]'))
    caller = caller_of(api, ignored=[200])

    assert read(caller).records == [{"id": 1}]
    assert caller.warnings == []


def test_null_of_an_ignored_status_is_as_null_of_any_other(api: Api):
    assert failure(api, Response(404, b"null"), ignored=[404]).startswith("Unknown response from API.")


def test_a_status_that_is_not_listed_fails(api: Api):
    assert failure(api, Response(404, b"{}"), ignored=[0, 405]).startswith("The API request failed: [404] Client error")


def test_zero_stands_for_a_body_that_is_not_json(api: Api):
    job = {"dataField": "."}

    assert page(api, Response(body=b"oops"), job, ignored=[0]).records == [{"errorData": "oops"}]
    assert page(api, Response(body=b""), job, ignored=["0"]).records == [{"errorData": ""}]
    assert page(api, Response(body=b'{"a":1}'), job, ignored=[0]).records == [{"a": 1}]


def test_the_rest_of_an_ignored_answer_that_broke_off_is_no_json(api: Api):
    got = page(api, Response(404, b'{"error": "gone"}', cut=8), {"dataField": "."}, ignored=[404])

    assert got.records == [{"errorData": '{"error"'}]


def test_records_may_come_as_csv_or_lines_of_json(api: Api):
    assert page(api, Response(body=b"id\n1\n"), {"responseFormat": "csv"}).records == [{"id": "1"}]
    assert page(api, Response(body=b'{"id":1}\n{"id":2}'), {"responseFormat": "ndjson"}).records == [
        {"id": 1},
        {"id": 2},
    ]


def test_a_body_that_is_not_in_its_format_may_be_ignored(api: Api):
    job = {"responseFormat": "csv"}

    assert page(api, Response(body=b"id\n1\n"), job, ignored=[0]).records == [{"id": "1"}]
    assert page(api, Response(body=b"a,b\n1\n"), {**job, "dataField": "."}, ignored=[0]).records == [
        {"errorData": "a,b\n1\n"}
    ]


def test_what_is_read_again_from_the_text_of_a_page_is_the_same(api: Api):
    for response, ignored in [(Response(404, b"gone \xff"), [404]), (Response(body=b'{"a":[1.10]}'), [])]:
        got = page(api, response, {"dataField": "."}, ignored=ignored)
        again = page(api, Response(body=got.body), {"dataField": "."})

        assert again.document == got.document
