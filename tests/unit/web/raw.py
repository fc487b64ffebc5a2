"""Requests that no client library would send, byte for byte."""

from __future__ import annotations

import socket

from tests.support.http import Response
from tests.support.patience import PATIENCE


def ask(port: int, request: bytes) -> Response:
    """What comes back until the server closes; the request should say `Connection: close`."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        received = b""
        while part := connection.recv(65536):
            received += part
    return read_response(received)


def read_response(received: bytes) -> Response:
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Response(int(first.split()[1]), headers, body)


def get(port: int, host: bytes, path: bytes = b"/_svc/storage/v2/storage", headers: bytes = b"") -> Response:
    return ask(port, b"GET " + path + b" HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n" + headers + b"\r\n")
