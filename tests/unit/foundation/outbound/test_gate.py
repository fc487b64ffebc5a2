from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from penstock.foundation.outbound import Gate, Policy, Refused, TooLarge, call
from tests.unit.foundation.outbound.servers import OPEN, STRICT, Request, Server, fetch, knowing, ok, redirect

Serve = Callable[..., Server]


def test_an_answer_holds_what_the_server_sent(serve: Serve):
    server = serve(ok(b'{"id": 1}', "201 Created", {"X-Total": "7", "Set-Cookie": "a=1\r\nSet-Cookie: b=2"}))

    response = fetch(server.url("/users?limit=1"), method="POST", body=b"{}", headers={"Content-Type": "x/y"})

    assert (response.status, response.reason, response.body) == (201, "Created", b'{"id": 1}')
    assert response.headers["x-total"] == response.headers["X-TOTAL"] == "7"
    assert response.headers.getall("set-cookie") == ["a=1", "b=2"]
    assert response.url == server.url("/users?limit=1")


def test_a_request_names_its_client_and_the_accepted_encodings(serve: Serve):
    server = serve(ok())

    fetch(server.url())

    assert server.requests[0].headers == {
        "host": f"127.0.0.1:{server.port}",
        "user-agent": "penstock",
        "accept": "*/*",
        "accept-encoding": "gzip, deflate",
    }


def test_the_callers_headers_and_body_are_sent_as_they_are(serve: Serve):
    server = serve(ok())

    fetch(server.url("/a%2fb?c=%7e"), method="PUT", body=b"\x00\xff", headers={"user-agent": "mine", "X-Key": "é"})

    sent = server.requests[0]
    assert (sent.method, sent.path, sent.body) == ("PUT", "/a%2fb?c=%7e", b"\x00\xff")
    assert sent.headers["user-agent"] == "mine"
    assert sent.headers["x-key"].encode("latin-1") == "é".encode()
    assert "content-type" not in sent.headers


def test_a_large_body_arrives_whole(serve: Serve):
    server = serve(ok())

    fetch(server.url(), method="POST", body=b"0123456789" * 300_000)

    assert server.requests[0].body == b"0123456789" * 300_000


def test_a_header_may_have_several_values(serve: Serve):
    server = serve(ok())

    fetch(server.url(), headers={"X-A": ["1", "2", "3"], "X-B": (), "x-c": "old", "X-C": ["new"]})

    lines = server.heads[0].decode().split("\r\n")
    assert [line for line in lines if line.lower().startswith("x-")] == ["X-A: 1", "X-A: 2", "X-A: 3", "X-C: new"]


@pytest.mark.parametrize("name", ["host", "HOST", "user-agent", "USER-AGENT", "accept-encoding", "Accept-Encoding"])
def test_a_given_header_replaces_the_default_however_it_is_spelled(name: str, serve: Serve):
    server = serve(ok())

    fetch(server.url(), headers={name: "mine.test"})

    lines = [line for line in server.heads[0].decode().split("\r\n") if line.lower().startswith(f"{name.lower()}:")]
    assert lines == [f"{name}: mine.test"]


@pytest.mark.parametrize("values", [["a", "b\r\nc"], ["\n"]])
def test_each_value_of_a_header_is_checked(values: list[str], serve: Serve):
    server = serve(ok())

    with pytest.raises(Refused, match="The header 'X'"):
        fetch(server.url(), headers={"X": values})
    assert server.connections == 0


def test_headers_that_frame_the_message_are_not_the_callers_to_set(serve: Serve):
    server = serve(ok())

    fetch(
        server.url(),
        method="POST",
        body=b"12345",
        headers={"Content-Length": "1", "transfer-encoding": "chunked", "Connection": "close", "Expect": "x"},
    )

    sent = server.requests[0]
    assert sent.body == b"12345"
    assert not {"transfer-encoding", "connection", "expect"} & sent.headers.keys()


@pytest.mark.parametrize(
    "headers", [{"X": "a\r\nY: b"}, {"X": "a\nb"}, {"X": "a\0"}, {"X\r\nY": "a"}, {"X:": "a"}, {"": "a"}]
)
def test_a_header_with_a_line_break_is_refused(headers: dict[str, str], serve: Serve):
    server = serve(ok())

    with pytest.raises(Refused, match="The header"):
        fetch(server.url(), headers=headers)
    assert server.connections == 0


def test_a_method_with_a_line_break_is_refused():
    with pytest.raises(Refused, match="single word"):
        fetch("http://127.0.0.1/", method="GET / HTTP/1.1\r\nX: y")


def test_connections_are_kept_and_cookies_are_not(serve: Serve):
    server = serve(ok(headers={"Set-Cookie": "session=1"}))

    async def send_thrice() -> None:
        async with Gate(OPEN) as gate:
            for _ in range(3):
                await gate.send("GET", server.url())

    call(send_thrice())

    assert len(server.requests) == 3
    assert server.connections == 1
    assert all("cookie" not in request.headers for request in server.requests)


def test_a_gate_is_closed_outside_its_block():
    gate = Gate(OPEN)

    with pytest.raises(RuntimeError, match="async with"):
        call(gate.send("GET", "http://127.0.0.1/"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "localhost", "api.localhost"])
def test_an_operators_own_command_line_may_reach_private_hosts(host: str, serve: Serve):
    server = serve(ok())

    assert fetch(server.url(host=host)).body == b"ok"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "api.penstock.localhost", "api.test"])
def test_a_job_may_not_reach_private_hosts(host: str, serve: Serve):
    server = serve(ok())

    with pytest.raises(Refused, match=f"--allow-host {host}") as caught:
        fetch(server.url(host=host), STRICT, knowing(api_test="127.0.0.1"))
    assert caught.value.kind == "refused"
    assert server.connections == 0


def test_a_refusal_names_the_problem_and_how_to_fix_it():
    with pytest.raises(Refused) as caught:
        fetch("http://127.0.0.1:1/?token=secret", STRICT)

    assert str(caught.value) == (
        "127.0.0.1 is a private address, which this stack does not let jobs reach. "
        "If that is intended, allow it: start the stack with --allow-host 127.0.0.1."
    )


@pytest.mark.parametrize("entry", ["API.test", "127.0.0.1", "127.0.0.0/8", "0.0.0.0/0"])
def test_a_private_host_may_be_allowed_by_name_address_or_network(entry: str, serve: Serve):
    server = serve(ok())

    assert fetch(server.url(host="api.test"), Policy(allow=(entry,)), knowing(api_test="127.0.0.1")).status == 200


@pytest.mark.parametrize("entry", ["other.test", "test", "10.0.0.0/8", "127.0.0.2", "::/0"])
def test_what_is_allowed_allows_nothing_else(entry: str, serve: Serve):
    server = serve(ok())

    with pytest.raises(Refused):
        fetch(server.url(host="api.test"), Policy(allow=(entry,)), knowing(api_test="127.0.0.1"))
    assert server.connections == 0


def test_one_private_address_among_public_ones_is_enough_to_refuse():
    lookup = knowing(api_test=["93.184.215.14", "2606:4700::1111", "10.0.0.1"])

    with pytest.raises(Refused, match=r"api\.test is at 10\.0\.0\.1"):
        fetch("http://api.test/", STRICT, lookup)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("authority", ["sample.penstock.localhost", "Sample.Penstock.localhost.:8300"])
def test_hosts_of_this_stack_are_reached_where_they_answer(authority: str, scheme: str, serve: Serve):
    server = serve(ok())
    policy = Policy(own_hosts={"sample.penstock.localhost": f"127.0.0.1:{server.port}"})
    url = f"{scheme}://{authority}/customers?limit=2"

    response = fetch(url, policy, knowing(), headers={"Host": "connection.penstock.localhost"})

    assert response.status == 200
    assert response.url == url.lower()
    assert server.requests[0].path == "/customers?limit=2"
    assert server.requests[0].headers["host"] == authority.lower().replace(".:", ":")


def test_other_hosts_at_the_stacks_own_address_stay_refused(serve: Serve):
    server = serve(ok())
    policy = Policy(own_hosts={"sample.penstock.localhost": f"127.0.0.1:{server.port}"})

    for host in ("127.0.0.1", "connection.penstock.localhost", "x.sample.penstock.localhost"):
        with pytest.raises(Refused):
            fetch(server.url(host=host), policy)
    assert server.connections == 0


def test_a_name_that_changes_its_address_never_leads_to_a_private_one(serve: Serve):
    """DNS rebinding: half of the responses are private, and each must be refused before anything connects."""
    server = serve(ok())
    allowed = Policy(allow=("127.0.0.9",))
    responses: list[list[str]] = [["127.0.0.9"], ["127.0.0.1"], ["127.0.0.9", "127.0.0.1"], ["::1", "127.0.0.9"]]
    asked = 0

    async def rebinding(host: str, port: int) -> Sequence[str]:
        nonlocal asked
        asked += 1
        return responses[asked % len(responses)]

    async def try_often() -> int:
        refused = 0
        for _ in range(1000):
            async with Gate(allowed, rebinding) as gate:
                try:
                    await gate.send("GET", server.url(host="api.test"))
                except Refused:
                    refused += 1
                except Exception as error:
                    assert "127.0.0.9" not in str(error) and "connection refused" in str(error)  # noqa: PT017, PT018
        return refused

    assert call(try_often()) == 750
    assert asked == 1000
    assert server.connections == 0


def test_a_name_is_looked_up_once_per_connection_and_the_connection_is_what_was_checked(serve: Serve):
    server = serve(ok())
    asked: list[str] = []

    async def lookup(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

    async def send_twice() -> None:
        async with Gate(Policy(allow=("127.0.0.1",)), lookup) as gate:
            for _ in range(2):
                assert (await gate.send("GET", server.url(host="api.test"))).status == 200

    call(send_twice())

    assert asked == ["api.test"]
    assert server.requests[0].headers["host"] == f"api.test:{server.port}"


def test_many_requests_run_side_by_side(serve: Serve):
    async def slowly(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(ok(request.path.encode()))

    server = serve(lambda _: slowly)

    async def send_all() -> list[bytes]:
        async with Gate(OPEN) as gate:
            responses = await asyncio.gather(*(gate.send("GET", server.url(f"/{n}")) for n in range(150)))
        return [response.body for response in responses]

    assert call(send_all()) == [f"/{n}".encode() for n in range(150)]


def test_a_head_request_has_no_body_to_measure(serve: Serve):
    server = serve(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\nContent-Encoding: gzip\r\n\r\n")

    assert fetch(server.url(), method="HEAD", max_bytes=10).body == b""


def test_a_redirect_to_a_private_host_is_refused(serve: Serve):
    inside = serve(ok(b"secret"))
    server = serve(redirect(inside.url("/latest/meta-data")))

    with pytest.raises(Refused, match=r"127\.0\.0\.1 is a private address"):
        fetch(server.url(host="api.test"), Policy(allow=("api.test",)), knowing(api_test="127.0.0.1"))
    assert inside.connections == 0


def test_the_limit_counts_to_the_byte(serve: Serve):
    server = serve(ok(b"12345"))

    assert fetch(server.url(), max_bytes=5).body == b"12345"
    with pytest.raises(TooLarge, match="limit of 4 bytes"):
        fetch(server.url(), max_bytes=4)
