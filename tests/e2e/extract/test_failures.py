"""`penstock extract` against servers that are not there, hang up, refuse or take too long."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Finished, extract
from tests.support.extraction import parameters
from tests.support.patience import PATIENCE
from tests.support.refusing import refusing_url
from tests.unit.foundation.outbound.servers import Reply, Request, ok, serving, writing

USERS = b'{"items": [{"id": 1}]}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
Write = Callable[[asyncio.StreamWriter], Awaitable[None]]


async def hang_up(_: asyncio.StreamWriter) -> None:
    """Not a byte of a response."""


async def stop_in_the_head(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD[:20])
    await writer.drain()


async def stop_in_the_body(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD + USERS)
    await writer.drain()


async def dawdle(writer: asyncio.StreamWriter) -> None:
    await stop_in_the_body(writer)
    await asyncio.sleep(PATIENCE)


def fetch(url: str, folder: Path, retries: int = 1, **settings: Any) -> Finished:
    document = parameters(url, {"endpoint": "users?key=s3cret%20key", "dataField": "items", "dataType": "users"})
    document["api"] |= {"retryConfig": {"maxRetries": retries}, **settings}
    document["config"]["#key"] = "s3cret key"
    return extract(document, folder)


FAILURES = [
    pytest.param(hang_up, "CURL error 52: Empty reply from server. 127.0.0.1 closed the connection", id="hung up"),
    pytest.param(stop_in_the_head, "CURL error 56: 127.0.0.1 closed the connection in the middle", id="half a head"),
    pytest.param(stop_in_the_body, "CURL error 18: The response of 127.0.0.1 is cut short", id="half a body"),
    pytest.param(dawdle, "CURL error 28: Operation timed out. 127.0.0.1 did not finish its response", id="too slow"),
]


@pytest.mark.parametrize(("write", "sentence"), FAILURES)
def test_a_failure_that_stays_is_told_by_its_number(write: Write, sentence: str, tmp_path: Path):
    with serving(writing(write)) as server:
        seconds = 1.5 if write is dawdle else PATIENCE
        done = fetch(server.url(), tmp_path, retries=0, http={"requestTimeout": seconds})

    assert (done.code, len(server.requests)) == (1, 1)
    assert done.stderr.startswith(sentence)
    assert done.stderr.rstrip().endswith(f"(GET {server.url()}users?key=[hidden])")
    assert "s3cret" not in done.all_output
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


@pytest.mark.parametrize(("write", "_sentence"), FAILURES)
def test_a_failure_that_passes_is_forgotten(write: Write, _sentence: str, tmp_path: Path):
    def reply(request: Request) -> Reply:
        return ok(USERS) if len(server.requests) > 1 else writing(write)(request)

    with serving(reply) as server:
        done = fetch(server.url(), tmp_path, http={"requestTimeout": 3})

    assert (done.code, done.stderr, done.column("test.users", "id")) == (0, "", ["1"])
    assert [request.path for request in server.requests] == ["/users?key=s3cret%20key"] * 2
    assert done.log.count("Http request failed, retrying in 1.0 seconds [1x].") == 1


def test_numbers_that_the_configuration_leaves_out_are_not_tried_again(tmp_path: Path):
    with serving(writing(hang_up)) as server:
        retries = {"maxRetries": 3, "curl": {"codes": [7, 28]}}
        done = fetch(server.url(), tmp_path, retryConfig=retries)

    assert (done.code, len(server.requests)) == (1, 1)
    assert done.stderr.startswith("CURL error 52: ")


def test_a_server_that_is_not_there_is_tried_again(tmp_path: Path):
    with refusing_url() as url:
        done = fetch(url, tmp_path)

    assert done.code == 1
    assert done.stderr.startswith("CURL error 7: ")
    assert done.log.count("Http request failed, retrying in 1.0 seconds [1x].") == 1
    assert "s3cret" not in done.all_output


def test_a_name_that_nobody_knows_is_told(tmp_path: Path):
    done = fetch("http://api.invalid/", tmp_path, retries=0)

    assert (done.code, "retrying" in done.log) == (1, False)
    assert done.stderr.startswith("CURL error 6: Could not resolve host: api.invalid")


@pytest.mark.skipif(sys.platform != "linux", reason="Other systems refuse a connection when the queue is full.")
def test_a_connection_that_is_never_accepted_ends_in_time(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(3)]
        for each in waiting:  # they fill the queue, so the next one gets no response at all
            each.setblocking(False)
            each.connect_ex(address)
        done = fetch(f"http://127.0.0.1:{address[1]}", tmp_path, retries=0, http={"connectTimeout": 0.5})
        for each in waiting:
            each.close()

    assert done.code == 1
    assert done.stderr.startswith("CURL error 28: Operation timed out. Failed to connect to 127.0.0.1 port ")


AT_ONCE = {"Retry-After": "-1"}
ANSWERS = [
    pytest.param(ok(b"gone", "404 Not Found"), "[404] Client error", "404 Not Found", ":\ngone\n", id="a text"),
    pytest.param(ok(b"", "404 "), "[404] Client error", "404 ", "", id="nothing"),
    pytest.param(ok(b"\x00\x01", "500 Oh no", AT_ONCE), "[500] Server error", "500 Oh no", "", id="bytes"),
    pytest.param(
        *(ok(b"x" * 121, "503 Later", AT_ONCE), "[503] Server error", "503 Later", f":\n{'x' * 120} (truncated...)\n"),
        id="a long text",
    ),
]


@pytest.mark.parametrize(("response", "kind", "status", "said"), ANSWERS)
def test_a_status_that_stays_is_told_with_what_the_server_says(
    response: bytes, kind: str, status: str, said: str, tmp_path: Path
):
    with serving(response) as server:
        done = fetch(server.url(), tmp_path)

    request = f"`GET {server.url()}users?key=[hidden]`"
    message = f"The API request failed: {kind}: {request} resulted in a `{status}` response{said}"
    assert (done.code, done.stderr) == (1, f"{message}\n")
    assert done.lines("ERROR") == [message.replace("\n", " ")]


SECRET = 'tOk3n/with+"quotes"'
ECHOES = [
    pytest.param(r'{"error":"{\"token\":\"tOk3n\\\/with+\\\"quotes\\\"\"}"}', id="JSON in JSON"),
    pytest.param(r'{"error":"tOk3n/with\u002B\u0022quotes\u0022"}', id=".NET"),
    pytest.param("<p>tOk3n&#x2F;with&#43;&quot;quotes&#034;</p>", id="HTML"),
    pytest.param(r'{"url":"\/login?token=tOk3n%2Fwith%2B%22quotes%22\u0026x=1"}', id="an address in JSON"),
    pytest.param(
        json.dumps({"jwt": base64.b64encode(json.dumps({"t": SECRET}).encode()).decode()}), id="JSON in base64 in JSON"
    ),
]


@pytest.mark.parametrize("echo", ECHOES)
def test_a_secret_that_the_api_echoes_is_hidden_everywhere(echo: str, tmp_path: Path):
    with serving(ok(echo.encode(), "401 Unauthorized")) as server:
        document = parameters(server.url(), {"endpoint": "users"})
        document["config"]["#token"] = SECRET
        done = extract(document, tmp_path)

    told = done.all_output + (tmp_path / "out" / "report.json").read_text()
    assert done.code == 1
    assert told.count("[hidden]") >= 3
    assert not any(part in told for part in ("tOk3n", "with", "quotes", "dE9rM24vd2l0aC"))
