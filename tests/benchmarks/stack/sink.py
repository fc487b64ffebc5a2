"""A server for the official client that stores nothing: it reads what is uploaded, and every job has ended at once.

python -m tests.benchmarks.stack.sink; prints its address. What the client alone takes is the time of a load here.
"""

from __future__ import annotations

import json
import socket
import threading
from io import BufferedReader

BUFFER = memoryview(bytearray(1 << 20))
"""Shared by all connections, since nobody reads it."""
JOB = {"id": 1, "status": "success", "results": {"id": "in.c-sink.table"}}


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    print(address, flush=True)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_serve, args=(connection, address), daemon=True).start()


def _serve(connection: socket.socket, address: str) -> None:
    with connection, connection.makefile("rb") as requests:
        while line := requests.readline():
            method, path, _ = line.decode("latin-1").split(" ", 2)
            _read_body(requests)
            connection.sendall(_answer(method, path, address))


def _read_body(requests: BufferedReader) -> None:
    left = 0
    while (header := requests.readline()) not in (b"\r\n", b""):
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            left = int(value)
    while left and (count := requests.readinto(BUFFER[: min(left, len(BUFFER))])):
        left -= count


def _answer(method: str, path: str, address: str) -> bytes:
    if method == "PUT":
        status, body = "201 Created", b""
    else:
        status, body = "200 OK", json.dumps(_prepare(address) if path.endswith("/prepare") else JOB).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _prepare(address: str) -> dict[str, object]:
    credentials = {"SASConnectionString": f"BlobEndpoint={address}/blob;SharedAccessSignature=sv=2019-12-12&sig=none"}
    place = {"container": "sink", "blobName": "rows", "absCredentials": credentials}
    return {"id": 1, "name": "rows.csv", "provider": "azure", "absUploadParams": place}


if __name__ == "__main__":
    main()
