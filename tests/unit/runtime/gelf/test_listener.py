"""The port of a run: records come in by tcp, udp and http."""

from __future__ import annotations

import gzip
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

from penstock.runtime.gelf import Listener, Record
from penstock.runtime.gelf.messages import RECORD_BYTES
from tests.support.patience import PATIENCE


def message(text: str) -> bytes:
    return json.dumps({"host": "h", "level": 6, "timestamp": 1, "short_message": text}).encode()


def send_tcp(address: tuple[str, int], *contents: bytes) -> None:
    with socket.create_connection(address) as connection:
        for content in contents:
            connection.sendall(content + b"\0")


def send_udp(address: tuple[str, int], *contents: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for content in contents:
            sender.sendto(content, address)


def send_http(address: tuple[str, int], *contents: bytes) -> None:
    for content in contents:
        request = urllib.request.Request(f"http://{address[0]}:{address[1]}/gelf", data=content)
        with urllib.request.urlopen(request) as response:
            assert response.status == 202


Send = Callable[..., None]
EVERY = pytest.mark.parametrize(("kind", "send"), [("tcp", send_tcp), ("udp", send_udp), ("http", send_http)])


@EVERY
def test_everything_that_was_sent_is_heard_in_order_by_the_end(kind: str, send: Send) -> None:
    heard: list[Record] = []
    with Listener(kind, heard.append) as listener:
        send(listener.address, *(message(f"line {number}") for number in range(50)))

    assert [record.short_message for record in heard] == [f"line {number}" for number in range(50)]
    assert listener.address[0] == "127.0.0.1"


@EVERY
def test_rubbish_is_ignored_and_compressed_records_are_heard(kind: str, send: Send) -> None:
    heard: list[Record] = []
    with Listener(kind, heard.append) as listener:
        send(listener.address, b"rubbish", b"[]", b'{"level":1}', message("in between"))
        if kind != "tcp":  # a NUL ends a record there
            send(listener.address, gzip.compress(message("packed")))

    assert [record.short_message for record in heard] == ["in between", "packed"][: 1 if kind == "tcp" else 2]


def test_a_record_that_is_too_large_is_a_problem_told_once() -> None:
    problems: list[str] = []
    with Listener("tcp", print, problems.append) as listener:
        for _ in range(3):
            send_tcp(listener.address, b"x" * (RECORD_BYTES + 100_000))

    assert problems == [listener.problem] == ["The component sent a log record that is larger than 200,000 bytes."]


def test_a_record_that_is_too_large_is_a_problem_by_udp_and_http_too() -> None:
    with Listener("udp", print) as by_udp:
        send_udp(by_udp.address, gzip.compress(message("x" * RECORD_BYTES)))
    with Listener("http", print) as by_http, pytest.raises(urllib.error.HTTPError, match="413"):
        send_http(by_http.address, message("x" * RECORD_BYTES))

    assert by_udp.problem
    assert by_http.problem


def test_the_last_record_needs_no_end() -> None:
    heard: list[Record] = []
    with Listener("tcp", heard.append) as listener, socket.create_connection(listener.address) as connection:
        connection.sendall(message("last"))
        connection.shutdown(socket.SHUT_WR)

    assert [record.short_message for record in heard] == ["last"]


def test_a_connection_that_stays_open_does_not_hold_up_the_end() -> None:
    with Listener("tcp", print) as listener:
        idle = socket.create_connection(listener.address, timeout=PATIENCE)
    with idle:
        assert idle.recv(1) == b""
