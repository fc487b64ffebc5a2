"""Clients that open connections and send slowly, or open too many: others do not notice."""

from __future__ import annotations

import http.client
import json
import resource
import socket
import ssl
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from penstock.foundation.machine import is_this_machine
from tests.support.patience import PATIENCE
from tests.support.stacks import ONE_WORKER, RunningStack, wait_for

SLOW = 1000
REQUESTS = 200
LIMIT = 5
VERIFY = "/v2/storage/tokens/verify"


@pytest.fixture(scope="module", autouse=True)
def _files() -> None:
    """For the sockets of this side."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * SLOW:
        pytest.skip(f"the system allows {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@pytest.fixture(scope="module")
def secure_stack(tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    """On every address; with few connections for each that is not loopback."""
    stack = RunningStack(
        tmp_path_factory.mktemp("slow") / "data",
        *("--host", "0.0.0.0", "--https-port", "0", *ONE_WORKER),
        variables={"PENSTOCK_CONNECTIONS_PER_ADDRESS": str(LIMIT)},
    )
    yield stack
    stack.stop()


def port_of(stack: RunningStack, *, is_secure: bool) -> int:
    url = stack.greeting["httpsStorageUrl" if is_secure else "storageUrl"]
    return urlsplit(url).port or 443


def context_of(stack: RunningStack) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=stack.greeting["authorityFile"])


def measure(stack: RunningStack, *, is_secure: bool) -> tuple[float, float]:
    """The median and the 99th percentile of requests on a connection that was made just now."""
    port, times = port_of(stack, is_secure=is_secure), list[float]()
    made = (
        http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context_of(stack))
        if is_secure
        else http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    )
    with closing(made) as connection:
        for _ in range(REQUESTS):
            since = time.perf_counter()
            connection.request("GET", f"/_svc/storage{VERIFY}", headers={"X-StorageApi-Token": stack.greeting["token"]})
            response = connection.getresponse()
            assert "token" in json.loads(response.read())
            times.append(time.perf_counter() - since)
    times.sort()
    return times[REQUESTS // 2], times[REQUESTS * 99 // 100]


@pytest.mark.faults
@pytest.mark.parametrize("is_secure", [False, True])
def test_a_thousand_slow_connections_delay_nobody(secure_stack: RunningStack, is_secure: bool) -> None:
    usual = measure(secure_stack, is_secure=is_secure)
    with ExitStack() as slow:
        for number in range(SLOW):
            each = socket.create_connection(("127.0.0.1", port_of(secure_stack, is_secure=is_secure)), PATIENCE)
            slow.enter_context(each)
            each.sendall(b"\x16\x03\x01" if is_secure else b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: a")
            if not number % 100:
                secure_stack.storage.get(VERIFY)
        disturbed = measure(secure_stack, is_secure=is_secure)

    # Compared with the same requests just before, on a machine that others use too. Who waited for one of the slow
    # connections would wait for seconds.
    assert disturbed[0] < max(0.5, 10 * usual[0])
    assert disturbed[1] < max(2, 20 * usual[1])


@pytest.mark.faults
def test_slow_clients_are_cut_in_the_end(secure_stack: RunningStack) -> None:
    token = secure_stack.greeting["token"]
    lines = ["POST /_svc/storage/v2/storage/tokens HTTP/1.1", "Host: 127.0.0.1", f"X-StorageApi-Token: {token}"]
    head = "\r\n".join(lines).encode()
    body = head + b"\r\nContent-Length: 100\r\n\r\n{"
    with ExitStack() as opened:

        def begin(words: bytes, *, is_secure: bool, speaks_tls: bool = True) -> socket.socket:
            made = socket.create_connection(("127.0.0.1", port_of(secure_stack, is_secure=is_secure)), 90)
            if is_secure and speaks_tls:
                made = context_of(secure_stack).wrap_socket(made, server_hostname="127.0.0.1")
            made.sendall(words)
            return opened.enter_context(made)

        handshake = begin(b"\x16\x03\x01", is_secure=True, speaks_tls=False)
        heads = [begin(head, is_secure=is_secure) for is_secure in (False, True)]
        bodies = [begin(body, is_secure=is_secure) for is_secure in (False, True)]

        assert handshake.recv(100) == b""
        assert heads[0].recv(100).startswith(b"HTTP/1.1 408 ")
        assert heads[1].recv(100) == b""
        assert [each.recv(100)[:13] for each in bodies] == [b"HTTP/1.1 408 "] * 2


def find_address() -> str:
    """One of this machine that is not loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing
        address: str = probe.getsockname()[0]
        if is_this_machine(address) and not address.startswith("127."):
            return address
    pytest.skip("the machine has no address but loopback")


def is_open(connection: socket.socket) -> bool:
    """Whether the server has neither answered nor closed it."""
    connection.settimeout(0.05)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b"?"
    except TimeoutError:
        return True
    except OSError:
        return False


@pytest.mark.parametrize("is_secure", [False, True])
def test_an_address_has_so_many_connections_and_no_more(secure_stack: RunningStack, is_secure: bool) -> None:
    address, port = find_address(), port_of(secure_stack, is_secure=is_secure)
    with ExitStack() as opened:
        made = [opened.enter_context(socket.create_connection((address, port), PATIENCE)) for _ in range(3 * LIMIT)]
        wait_for(lambda: sum(map(is_open, made)) == LIMIT)
        assert secure_stack.storage.get(VERIFY).status == 200
        if not is_secure:
            refused = next(each for each in made if not is_open(each))
            assert refused.recv(65536).startswith(b"HTTP/1.1 429 ")
    wait_for(lambda: is_accepted(address, port))
    logged = (Path(secure_stack.folder) / "logs" / "stack.log").read_text()
    assert 1 <= logged.count("connections refused") <= 2


def is_accepted(address: str, port: int) -> bool:
    with socket.create_connection((address, port), PATIENCE) as connection:
        return is_open(connection)
