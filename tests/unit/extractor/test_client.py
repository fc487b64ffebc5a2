from __future__ import annotations

import asyncio
import io

import pytest

from penstock.extractor.client import Client
from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.foundation.outbound import Gate, Policy
from penstock.foundation.redaction import Redactor
from tests.support.api import Answer, Api


@pytest.fixture
def api():
    with Api() as api:
        yield api


def get(url: str, waits: list[float] | None = None, log: io.StringIO | None = None) -> bytes:
    async def remember(seconds: float) -> None:
        if waits is not None:
            waits.append(seconds)

    async def send() -> bytes:
        async with Gate(Policy(is_open=True)) as gate:
            return await Client(gate, Log(log or io.StringIO(), Redactor(), is_debug=True), sleep=remember).get(url)

    return asyncio.run(send())


def test_the_body_of_an_answer_is_returned(api: Api):
    api.on("/users", Answer(body=b"[1]"))

    assert get(f"{api.url}/users?a=1") == b"[1]"
    assert api.seen[0].headers["user-agent"] == "penstock"


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408, 420, 429])
def test_what_may_pass_is_tried_again(api: Api, status: int):
    api.on("/users", [Answer(status), Answer(status), Answer(body=b"[1]")])
    waits: list[float] = []

    assert get(f"{api.url}/users", waits) == b"[1]"
    assert waits == [1, 2]


def test_the_api_may_say_how_long_to_wait(api: Api):
    api.on("/users", [Answer(429, headers={"Retry-After": "7"}), Answer(body=b"[1]")])
    waits: list[float] = []

    get(f"{api.url}/users", waits)

    assert waits == [7]


def test_after_ten_retries_the_last_answer_counts(api: Api):
    api.on("/users", Answer(503, b"come back later"))
    waits: list[float] = []

    with pytest.raises(UserError) as caught:
        get(f"{api.url}/users", waits)

    assert len(api.seen) == 11
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert str(caught.value) == (
        f"The API request failed: [503] Server error: `GET {api.url}/users` resulted in a "
        "`503 Service Unavailable` response: come back later"
    )


def test_an_error_that_stays_fails_at_once(api: Api):
    api.on("/users", Answer(404, b"x" * 200))

    with pytest.raises(UserError, match=r"\[404\] Client error: .* `404 Not Found` response: x{120} \(truncated...\)"):
        get(f"{api.url}/users")

    assert len(api.seen) == 1


def test_an_answer_that_breaks_off_is_tried_again(api: Api):
    api.on("/users", [Answer(body=b'["a", "b"]', cut=4), Answer(body=b"[1]")])

    assert get(f"{api.url}/users", []) == b"[1]"


def test_a_host_that_has_never_answered_is_given_up_soon():
    with Api() as gone:
        url = gone.url
    waits: list[float] = []

    with pytest.raises(UserError, match=r"The API request failed: GET http://127\.0\.0\.1:\d+/users: "):
        get(f"{url}/users", waits)

    assert waits == [1, 2, 4]


def test_a_host_that_has_answered_before_is_tried_ten_times():
    waits: list[float] = []

    async def remember(seconds: float) -> None:
        waits.append(seconds)

    async def send() -> None:
        async with Gate(Policy(is_open=True)) as gate:
            client = Client(gate, Log(io.StringIO(), Redactor()), sleep=remember)
            with Api() as api:
                api.on("/users", Answer(body=b"[1]", headers={"Connection": "close"}))
                await client.get(f"{api.url}/users")
            with pytest.raises(UserError):
                await client.get(f"{api.url}/users")

    asyncio.run(send())
    assert len(waits) == 10


def test_requests_are_logged_in_debug_mode(api: Api):
    api.on("/users", [Answer(500), Answer(body=b"[1]")])
    log = io.StringIO()

    get(f"{api.url}/users?a=1", [], log)

    assert log.getvalue().count(f"logger.DEBUG: GET {api.url}/users?a=1 User-Agent: penstock") == 2
    assert "Http request failed, retrying in 1.0 seconds [1x]." in log.getvalue()
