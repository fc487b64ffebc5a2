"""The TLS port, with an application of the test: HTTP/2 beside HTTP/1.1, streams, WebSockets, and cut connections."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.client import connect

from tests.support.patience import PATIENCE
from tests.unit.server.tls_serving import TOGETHER, Serving

pytestmark = pytest.mark.fuzz

MEGABYTE = 1024 * 1024
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    each = Serving(tmp_path_factory.mktemp("tls"))
    yield each
    each.stop()


@pytest.fixture(scope="module")
def clients(serving: Serving) -> Generator[dict[str, httpx.Client]]:
    """Every way to ask the same."""
    clients = {
        "plain": httpx.Client(base_url=serving.plain_url, timeout=PATIENCE),
        "http/1.1": httpx.Client(base_url=serving.secure_url, verify=serving.context, timeout=PATIENCE),
        "h2": serving.only_http2(),
    }
    yield clients
    for each in clients.values():
        each.close()


PARTS = st.lists(st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=8), max_size=4)
QUERIES = st.dictionaries(st.text("abc[]", min_size=1, max_size=5), st.text(max_size=8), max_size=3)
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
HEADERS = st.dictionaries(st.text("abcdef", min_size=1, max_size=6).map(lambda name: f"x-{name}"), VALUES, max_size=4)
BODIES = st.one_of(st.binary(max_size=100), st.sampled_from([b"b" * 70_000, b"b" * 2 * MEGABYTE]))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(METHODS), PARTS, QUERIES, HEADERS, BODIES, st.booleans())
def test_all_protocols_show_an_application_the_same_request(
    clients: dict[str, httpx.Client],
    method: str,
    path: list[str],
    query: dict[str, str],
    headers: dict[str, str],
    body: bytes,
    has_length: bool,
) -> None:
    url = "/e/" + "/".join(quote(part, safe="") for part in path)

    def content() -> Any:
        return body if has_length else iter([body[:10], body[10:]])

    responses = [
        client.request(method, url, params=query, headers=headers, content=content()) for client in clients.values()
    ]

    assert [reply.http_version for reply in responses] == ["HTTP/1.1", "HTTP/1.1", "HTTP/2"]
    assert len({(a.status_code, a.text, a.headers["x-seen"], a.headers["content-type"]) for a in responses}) == 1
    assert responses[0].json()["size"] == len(body)


@pytest.mark.parametrize("name", ["plain", "http/1.1", "h2"])
def test_a_response_streams(serving: Serving, clients: dict[str, httpx.Client], name: str) -> None:
    """Each line is sent only when the client has the one before it."""
    serving.app.next_line.release()
    with clients[name].stream("GET", "/count") as response:
        for expected, line in zip("012", response.iter_lines(), strict=True):
            assert line == expected
            serving.app.next_line.release()
    serving.app.next_line.acquire()


@pytest.mark.parametrize("name", ["http/1.1", "h2"])
def test_a_large_body_arrives_whole(clients: dict[str, httpx.Client], name: str) -> None:
    pieces: Iterator[bytes] = (b"p" * MEGABYTE for _ in range(40))

    assert clients[name].put("/take", content=pieces).json() == 40 * MEGABYTE


@pytest.mark.parametrize("megabytes", [10, 70])
@pytest.mark.parametrize("name", ["plain", "http/1.1", "h2"])
def test_a_refusal_is_seen_by_a_client_that_still_sends(
    clients: dict[str, httpx.Client], name: str, megabytes: int
) -> None:
    body = b"b" * megabytes * MEGABYTE
    # In pieces over HTTP/2: of a whole body httpx copies the rest for every 16 kB that it sends.
    pieces = (body[start : start + MEGABYTE] for start in range(0, len(body), MEGABYTE))
    refused = clients[name].put(
        "/refuse", content=pieces if name == "h2" else body, headers={"Content-Length": str(len(body))}
    )

    assert (refused.status_code, refused.json()) == (403, "no")
    assert clients[name].get("/e/").status_code == 201


@pytest.mark.parametrize("name", ["http/1.1", "h2"])
def test_a_response_that_was_cut_never_looks_whole(clients: dict[str, httpx.Client], name: str) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        clients[name].get("/cut")


def test_requests_of_one_connection_run_side_by_side(serving: Serving) -> None:
    """None is answered before all of them have been asked."""
    with serving.only_http2() as client, ThreadPoolExecutor(TOGETHER) as pool:
        client.get("/e/first")
        responses = list(pool.map(lambda _: client.get("/meet").json(), range(TOGETHER)))

    assert responses == ["met"] * TOGETHER


def test_websockets_work_beside_http2(serving: Serving) -> None:
    with connect(f"wss://127.0.0.1:{serving.secure_port}/repeat", ssl=serving.context, open_timeout=PATIENCE) as secure:
        secure.send("abc")
        assert secure.recv(timeout=PATIENCE) == "cba"
    with connect(f"ws://127.0.0.1:{serving.plain_port}/repeat", open_timeout=PATIENCE) as plain:
        plain.send("abc")
        assert plain.recv(timeout=PATIENCE) == "cba"


@pytest.mark.parametrize("protocol", ["--http1.1", "--http2"])
def test_running_requests_are_completed_before_the_end(tmp_path: Path, protocol: str) -> None:
    """With curl: the HTTP/2 library of httpx fails when a server announces its shutdown."""
    serving = Serving(tmp_path)
    command = ["curl", "-sS", protocol, "--cacert", str(serving.authority), f"{serving.secure_url}/wait"]
    asked = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert serving.app.is_asked.wait(PATIENCE)

    serving.begin_to_stop()
    serving.app.may_answer.set()

    assert asked.communicate(timeout=PATIENCE)[0] == '"late"'
    serving.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(serving.secure_url, verify=serving.context)
