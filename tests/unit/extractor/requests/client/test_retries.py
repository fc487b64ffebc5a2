from __future__ import annotations

import asyncio
from asyncio import StreamWriter
from typing import Any
from urllib.parse import urlsplit

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.config.effective import Config
from penstock.extractor.requests.client import Client
from tests.support.api import Api, Response
from tests.support.refusing import refusing_port, refusing_url
from tests.unit.extractor.requests.client.calling import OK, Calling, failure
from tests.unit.foundation.outbound.servers import serving


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 420, 429])
def test_a_status_that_may_pass_is_tried_again(api: Api, calling: Calling, status: int):
    api.on("/users", [Response(status), Response(status), OK])
    caller = calling()

    assert caller.get("users").body == b"[1]"
    assert caller.waits == [1, 2]
    assert "Http request failed, retrying in 2.0 seconds [2x]." in caller.warnings[1]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("7.9", 7),
        ("-7", 0),
        ("soon", 1),
        ("Thu, 01 Jan 2026 00:00:20 GMT", 20),
        ("Wed, 01 Jan 2020 00:00:00 +0000", 0),
        ("1767225610", 10),
    ],
)
def test_the_api_may_say_how_long_to_wait(api: Api, calling: Calling, value: str, seconds: float):
    api.on("/users", [Response(429, headers={"retry-after": value}), OK])
    caller = calling()
    caller.get("users")

    assert caller.waits == [seconds]


def test_after_ten_retries_the_last_answer_counts(api: Api, calling: Calling):
    api.on("/users", Response(503, b"come back later"))
    caller = calling()

    assert failure(caller) == (
        f"The API request failed: [503] Server error: `GET {api.url}/users` resulted in a "
        "`503 Service Unavailable` response:\ncome back later\n"
    )
    assert len(api.seen) == 11
    assert caller.waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]


@pytest.mark.parametrize(("most", "attempts"), [(0, 1), ("0", 1), (2, 3), ("2", 3)])
def test_a_configuration_says_how_often(api: Api, calling: Calling, most: Any, attempts: int):
    api.on("/users", Response(500))
    failure(calling(retryConfig={"maxRetries": most}))

    assert len(api.seen) == attempts


def test_a_good_status_may_be_tried_again_and_is_taken_when_retries_run_out(api: Api, calling: Calling):
    api.on("/users", Response(202, b"[2]"))
    caller = calling(retryConfig={"maxRetries": 2, "httpCodes": [202], "headerName": "X-Wait"})

    assert caller.get("users").body == b"[2]"
    assert caller.waits == [1, 2]


def test_an_error_that_stays_fails_at_once(api: Api, calling: Calling):
    api.on("/users", Response(404, b"x" * 200))

    said = failure(calling())
    assert f"[404] Client error: `GET {api.url}/users` resulted in a `404 Not Found` response:\nxxx" in said
    assert said.endswith("x (truncated...)\n")
    assert len(api.seen) == 1


def test_a_retry_repeats_the_method_and_the_body(api: Api, calling: Calling):
    api.on("/users", [Response(500), OK])
    calling().call(Request("users", {"a": 1}, "POST"))

    assert [(seen.method, seen.body) for seen in api.seen] == [("POST", b'{"a":1}')] * 2


def test_an_answer_that_breaks_off_is_tried_again(api: Api, calling: Calling):
    api.on("/users", [Response(body=b'["a", "b"]', cut=4), OK])

    assert calling().get("users").body == b"[1]"


def test_which_failures_are_tried_again_can_be_said_by_the_numbers_of_curl(api: Api, calling: Calling):
    api.on("/users", [Response(body=b'["a", "b"]', cut=4), OK])

    said = failure(calling(retryConfig={"curl": {"codes": [6, 7]}}))
    assert said.startswith("CURL error 18: The response of 127.0.0.1 is cut short")


def test_a_server_that_hangs_up_is_tried_again_and_then_named(calling: Calling):
    async def hang_up(_request: Any, writer: StreamWriter) -> None:
        writer.close()

    with serving(lambda _request: hang_up) as server:
        caller = calling(baseUrl=server.url(), retryConfig={"maxRetries": 2})

        assert failure(caller).startswith("CURL error 52: Empty reply from server. 127.0.0.1 closed the connection")
    assert caller.waits == [1, 2]


def test_a_slow_answer_times_out(calling: Calling):
    async def sleep(_request: Any, _writer: StreamWriter) -> None:
        await asyncio.sleep(1)

    with serving(lambda _request: sleep) as server:
        caller = calling(baseUrl=server.url(), http={"requestTimeout": 0.05}, retryConfig={"maxRetries": 0})

        assert failure(caller).startswith("CURL error 28: Operation timed out. ")


def test_a_name_that_nobody_knows_is_told_as_such(calling: Calling):
    said = failure(calling(baseUrl="http://nowhere.invalid/", retryConfig={"maxRetries": 0}))

    assert said.startswith("CURL error 6: Could not resolve host: nowhere.invalid")


def test_a_host_that_has_never_answered_is_given_up_soon(calling: Calling):
    with refusing_url() as url:
        caller, patient = calling(baseUrl=url), calling(baseUrl=url, retryConfig={"maxRetries": 5})

        assert failure(caller).startswith("CURL error 7: Failed to connect to 127.0.0.1 port ")
        assert caller.waits == [1, 2, 4]
        failure(patient)
        assert len(patient.waits) == 5


def test_a_host_that_has_answered_before_is_tried_ten_times(calling: Calling):
    with Api() as api:
        api.on("/users", Response(headers={"Connection": "close"}))
        caller = calling(baseUrl=api.url)

        async def call(client: Client, _config: Config) -> None:
            await client.fetch(Request("users"))
            api.close()
            with refusing_port(urlsplit(api.url).port or 0):
                await client.fetch(Request("users"))

        with pytest.raises(UserError):
            caller.run(call)
    assert len(caller.waits) == 10


def test_a_wait_beyond_an_hour_ends_the_run_unless_it_is_capped(api: Api, calling: Calling):
    api.on(
        "/users", [Response(429, headers={"Retry-After": "7200"}), Response(429, headers={"Retry-After": "7200"}), OK]
    )

    assert "longer than an hour" in failure(calling())
    caller = calling(retryConfig={"maxWait": 30})
    caller.get("users")
    assert caller.waits == [30]


@pytest.mark.parametrize("status", [404, 410, 500])
def test_an_ignored_status_is_an_answer_after_its_retries(api: Api, calling: Calling, status: int):
    api.on("/users", Response(status, b'{"e":1}'))
    caller = calling(http={"ignoreErrors": [str(status)]}, retryConfig={"maxRetries": 1})

    assert caller.get("users").status == status
    assert len(caller.waits) == (1 if status == 500 else 0)


def test_what_came_of_an_ignored_answer_that_breaks_off_is_taken(api: Api, calling: Calling):
    api.on("/users", Response(404, b'{"error": "gone"}', cut=8))
    caller = calling(http={"ignoreErrors": [404]})

    response = caller.get("users")
    assert (response.status, response.body, caller.waits) == (404, b'{"error"', [])


def test_a_failure_on_the_way_is_never_ignored(api: Api, calling: Calling):
    api.on("/users", Response(200, b"[1, 2]", cut=2))
    said = failure(calling(http={"ignoreErrors": [0, 404]}, retryConfig={"maxRetries": 0}))

    assert said.startswith("CURL error 18: ")
    said = failure(
        calling(baseUrl="http://nowhere.invalid/", http={"ignoreErrors": [0]}, retryConfig={"maxRetries": 0})
    )
    assert said.startswith("CURL error 6: ")


def test_a_retry_says_what_was_sent_and_what_came_back(api: Api, calling: Calling):
    api.on("/users", [Response(503, b"down\nfor s3cret-key " + b"x" * 500), OK])
    caller = calling({"#key": "s3cret-key"})
    caller.get("users", id=7)

    shown = "down for [hidden] " + "x" * (200 - len("down for s3cret-key "))
    assert caller.warnings == [
        "Http request failed, retrying in 1.0 seconds [1x]. "
        f'{{"http_code":503,"body":"{shown}","method":"GET","url":"{api.url}/users?id=7"}} []'
    ]


def test_a_request_that_got_no_response_says_where_it_went(calling: Calling):
    caller = calling(retryConfig={"maxRetries": 1})
    with refusing_url() as url:
        address = f"{url}/users/7"
        failure(caller, Request(address))

    assert all(f'"method":"GET","url":"{address}"}} []' in warning for warning in caller.warnings[-2:])
