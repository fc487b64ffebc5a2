"""Requests a second on one core: the server on one, the client on another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from penstock.web.auth.storage_token import HEADER
from tests.benchmarks.lines import Line

if TYPE_CHECKING:
    from tests.benchmarks.stack.work import Office

CONNECTIONS, SECONDS = 8, 4.0
TARGET = 2000

CLIENT = """
import socket, sys, threading, time
host, port, path, header, token, connections, seconds = sys.argv[1:]
request = f"GET {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\n{header}: {token}\\r\\n\\r\\n".encode()
counts = []

def ask():
    connection = socket.create_connection((host, int(port)))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    count, until = 0, time.monotonic() + float(seconds)
    while time.monotonic() < until:
        connection.sendall(request)
        response = b""
        while b"\\r\\n\\r\\n" not in response:
            response += connection.recv(65536)
        head, _, body = response.partition(b"\\r\\n\\r\\n")
        assert b" 200 " in head.split(b"\\r\\n")[0], head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\\r\\n")[0])
        while len(body) < length:
            body += connection.recv(65536)
        count += 1
    counts.append(count)

threads = [threading.Thread(target=ask) for _ in range(int(connections))]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(sum(counts) / float(seconds))
"""


def measure_verify(office: Office) -> Iterator[Line]:
    """Shown as the time of one request, so that smaller is better as everywhere."""
    rate = measure_rate(office, "/v2/storage/tokens/verify", HEADER, office.stack.greeting["token"])
    yield Line(f"tokens/verify, {rate:.0f} a second", 1000 / rate, 1000 / TARGET, unit="ms")


def measure_rate(office: Office, path: str, header: str, token: str) -> float:
    """How many requests a second are answered."""
    cores = sorted(os.sched_getaffinity(0))
    pid = office.stack.process.pid
    os.sched_setaffinity(pid, {cores[0]})
    try:
        return max(_rate(office, cores[-1], path, header, token) for _ in range(office.bench.rounds))
    finally:
        os.sched_setaffinity(pid, set(cores))


def _rate(office: Office, core: int, path: str, header: str, token: str) -> float:
    address = urlsplit(office.stack.storage.base)
    arguments = [address.hostname or "", str(address.port), f"{address.path}{path}", header, token]
    program = [sys.executable, "-c", CLIENT, *arguments, str(CONNECTIONS), str(SECONDS)]
    done = subprocess.run(["taskset", "-c", str(core), *program], capture_output=True, text=True, check=True)
    return float(done.stdout)
