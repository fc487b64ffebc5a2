"""Noisy patterns, one at a time: what a hostile project, or somebody without a token, sends again and again.

Prints how often each thing was done, and how it was answered.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.soak.calls import Client
from tests.e2e.soak.hostile import ROOT, Attack, Hostile, carry_out
from tests.support.floods import Flood

DOCUMENT = "/_svc/portal/specs/storage.json"
STREAM_CONNECTIONS, HOLD_SECONDS = 5, 1.0
SECRETS, METADATA_ITEMS = 1_000, 10_000
SILENT_CONNECTIONS = 60
OPEN_BODIES, BODY_BYTES = 100, 9_990_000
MESSAGE_WORDS = 200_000
"""1 MB."""


def leave_streams_unread(hostile: Hostile) -> None:
    """A thousand requests over HTTP/2 whose responses have no window; then the clients leave."""
    _flood(hostile, resets=False)


def reset_streams(hostile: Hostile) -> None:
    """A thousand requests over HTTP/2 that are taken back at once."""
    _flood(hostile, resets=True)


def _flood(hostile: Hostile, *, resets: bool) -> None:
    port = urlsplit(hostile.wish["httpsUrl"]).port or 443
    flood = Flood(port, hostile.wish["authority"], "GET", DOCUMENT, resets=resets)
    while hostile.is_time():
        with ExitStack() as opened, suppress(OSError):
            for _ in range(STREAM_CONNECTIONS):
                opened.enter_context(closing(flood.begin()))
                hostile.note("connection", 0)
            time.sleep(HOLD_SECONDS)


def ask_public_rows(hostile: Hostile) -> None:
    """Every row that needs no token, without a pause."""
    client = Client(hostile.wish["bare"], "")
    while hostile.is_time():
        for method, path in hostile.wish["publicRows"]:
            if hostile.is_time():
                _send(hostile, client, "public row", method, path, None if method == "GET" else {})


def encrypt_much(hostile: Hostile) -> None:
    """As many secrets as a request may have, without a token."""
    client = Client(hostile.wish["encryption"], "")
    body = {"#secrets": ["s3cret"] * SECRETS}
    while hostile.is_time():
        _send(hostile, client, "encrypt", "POST", "/encrypt?componentId=ex-generic-v2", body)


def guess_passwords(hostile: Hostile) -> None:
    client = Client(hostile.wish["management"], "")
    for number in range(1_000_000):
        if not hostile.is_time():
            return
        body = {"email": f"somebody{number % 50}@example.com", "password": "a wrong password"}
        _send(hostile, client, "password", "POST", "/v1/auth/login", body)


def connect_to_sql_silently(hostile: Hostile) -> None:
    """More connections to the SQL port than may be without a login, which send nothing."""
    with ExitStack() as opened:
        while hostile.is_time():
            with suppress(OSError):
                opened.enter_context(socket.create_connection(("127.0.0.1", hostile.wish["sqlPort"]), 2))
                hostile.note("silent connection", 0)
            time.sleep(3 / SILENT_CONNECTIONS)


def send_metadata(hostile: Hostile) -> None:
    """More items than a request may have, which are refused; and as many as it may."""
    client = hostile.client()
    client.send("bucket", "POST", f"{ROOT}/buckets", {"name": "lists", "stage": "in"})
    items = [{"key": f"k{number}", "value": "v" * 20} for number in range(METADATA_ITEMS)]
    while hostile.is_time():
        for provider in ("me", ""):
            body = {"provider": provider, "metadata": items}
            _send(hostile, client, "metadata", "POST", f"{ROOT}/buckets/in.c-lists/metadata", body)


def leave_bodies_open(hostile: Hostile) -> None:
    """Bodies of almost 10 MB whose last byte does not come, without a token and with one."""
    address = urlsplit(hostile.wish["bare"])
    rows = (("management/v1/auth/login", ""), ("queue/jobs", f"X-StorageApi-Token: {hostile.wish['tokens'][0]}\r\n"))
    while hostile.is_time():
        with ExitStack() as opened:
            for row, token in rows * (OPEN_BODIES // 2):
                head = f"POST /_svc/{row} HTTP/1.1\r\nHost: {address.netloc}\r\n{token}"
                client = opened.enter_context(socket.create_connection((address.hostname or "", address.port or 80), 2))
                with suppress(OSError):  # it is refused, and the connection closed
                    client.sendall(f"{head}Content-Length: {BODY_BYTES + 1}\r\n\r\n".encode() + b"x" * BODY_BYTES)
                hostile.note("open body", 0)
            time.sleep(HOLD_SECONDS)


def send_large_messages(hostile: Hostile) -> None:
    """Calls of a tool with a megabyte in them, which the server parses in its event loop."""
    client = Client(f"{hostile.wish['bare']}/_svc/mcp", hostile.wish["tokens"][0])
    call = {"name": "search", "arguments": {"query": ["x"] * MESSAGE_WORDS}}
    headers = {"Accept": "application/json, text/event-stream"}
    while hostile.is_time():
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        hostile.note("message", client.send("message", "POST", "/mcp", body, headers=headers).status)
        client.calls.clear()


def _send(hostile: Hostile, client: Client, name: str, method: str, path: str, body: Any) -> None:
    hostile.note(name, client.send(name, method, path, body).status)
    client.calls.clear()


PATTERNS: Mapping[str, Sequence[Attack]] = {
    "unread HTTP/2 streams": [leave_streams_unread],
    "reset HTTP/2 streams": [reset_streams],
    "public rows": [ask_public_rows] * 4,
    "requests without a pause": [Hostile.flood] * 4,
    "1,000 secrets a request": [encrypt_much] * 4,
    "silent SQL connections": [connect_to_sql_silently],
    "10,000 metadata items": [send_metadata] * 8,
    "wrong passwords": [guess_passwords] * 8,
    "large listings": [Hostile.ask_for_much] * 4,
    "slow bodies": [Hostile.connect_slowly],
    "bodies that do not end": [leave_bodies_open] * 2,
    "large MCP messages": [send_large_messages] * 4,
    "long headers": [Hostile.send_long_headers] * 4,
    "loads and wide tables": [*[Hostile.wait] * 4, Hostile.define_tables, Hostile.start_jobs],
}
"""The clients of each, by what they do."""


def main() -> None:
    wish = json.loads(sys.argv[1])
    carry_out(Hostile(wish), PATTERNS[wish["pattern"]])


if __name__ == "__main__":
    main()
