"""Bodies of any size, clients that go away, writers at the same time, and a full disk."""

from __future__ import annotations

import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from penstock.services.storage.routes import blobs as routes
from tests.support.files import Container, prepare, to_write, upload
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.storage.blobs.responses import code_of, on_disk

MIB = 1 << 20


@pytest.mark.parametrize("extra", ["", "&comp=block&blockid=MQ=="])
def test_a_body_that_is_too_large_is_refused(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch, extra: str
) -> None:
    monkeypatch.setattr(routes, "PUT_BYTES", 3 * MIB)
    place = to_write(prepare(services.service("storage")))
    path = f"/{place.name}/b?{place.signature}{extra}"
    typed = {"x-ms-blob-type": "BlockBlob"}
    announced = Http(place.endpoint).send("PUT", path, b"x" * (3 * MIB + 1), typed)
    chunked = send_chunked(place, path, [b"x" * MIB] * 4)

    assert (announced.status, code_of(announced)) == (413, "RequestBodyTooLarge")
    # A block says how long it is, so that its place can be kept free.
    assert (b"400" if extra else b"413") in chunked.split(b"\r\n")[0]
    assert Http(place.endpoint).send("PUT", path, b"x" * 3 * MIB, typed).status == 201
    assert [path.stat().st_size for path in on_disk(services)] == [3 * MIB]


def test_a_body_without_a_length_is_taken(place: Container) -> None:
    path = f"/{place.name}/b?{place.signature}"

    assert b" 201 " in send_chunked(place, path, [b"one", b"two"]).split(b"\r\n")[0]
    assert place.get("b").body == b"onetwo"


def test_a_client_that_waits_to_be_asked_is_asked(place: Container) -> None:
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        connection.sendall(
            f"PUT {address.path}/{place.name}/b?{place.signature} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            "x-ms-blob-type: BlockBlob\r\nContent-Length: 3\r\n"
            "Expect: 100-continue\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert b" 201 " in read_all(connection)
    assert place.get("b").body == b"abc"


def test_a_client_that_goes_away_leaves_nothing(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    address = urlsplit(place.endpoint)
    for query, part in (("", "incoming"), ("&comp=block&blockid=MQ==", "staged")):
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
            head = f"PUT {address.path}/{place.name}/b?{place.signature}{query} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            connection.sendall(
                f"{head}x-ms-blob-type: BlockBlob\r\nContent-Length: {10 * MIB}\r\n\r\n".encode() + b"x" * 5 * MIB
            )
            wait_for(lambda part=part: on_disk(services, part))
        wait_for(lambda: not on_disk(services))
    assert place.get("b").status == 404


@pytest.mark.skipif(sys.platform != "linux", reason="open files are listed in /proc")
def test_a_client_that_stops_reading_holds_nothing_open(services: ServicesOnly) -> None:
    place = to_write(upload(services.service("storage"), b"x" * 20 * MIB))
    address = urlsplit(place.endpoint)
    before = open_files(services)
    for _ in range(3):
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
            path = f"{address.path}/{place.name}/data.csv?{place.signature}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")

    wait_for(lambda: open_files(services) == before)


def test_a_version_that_is_being_read_is_read_to_its_end(services: ServicesOnly) -> None:
    place = to_write(upload(services.service("storage"), b"1" * 20 * MIB))
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        path = f"{address.path}/{place.name}/data.csv?{place.signature}"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n".encode())
        first = connection.recv(10_000)
        place.put("data.csv", b"2")
        body = (first + read_all(connection)).partition(b"\r\n\r\n")[2]

    assert body == b"1" * 20 * MIB
    assert place.get("data.csv").body == b"2"
    assert [path.stat().st_size for path in on_disk(services)] == [1]


def test_many_writers_of_one_blob_leave_one_of_their_versions(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    contents = [bytes([65 + number]) * 100_000 for number in range(12)]
    with ThreadPoolExecutor(12) as pool:
        assert {response.status for response in pool.map(lambda content: place.put("b", content), contents)} == {201}

    assert place.get("b").body in contents
    assert len(on_disk(services, "stored")) == 1


def test_only_one_of_many_may_be_the_first(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(lambda number: place.put("b", b"%d" % number, If_None_Match="*").status, range(8)))

    assert sorted(statuses) == [201] + [409] * 7
    assert len(on_disk(services)) == 1


def test_a_full_disk_is_said_and_passes(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    place = to_write(upload(services.service("storage"), b"old"))
    is_full = threading.Event()
    really_sync = os.fsync

    def sync(handle: int) -> None:
        if is_full.is_set():
            raise OSError(28, "No space left on device")
        really_sync(handle)

    monkeypatch.setattr(os, "fsync", sync)
    is_full.set()
    response = place.put("data.csv", b"new")
    assert (response.status, code_of(response)) == (503, "ServerBusy")
    assert place.get("data.csv").body == b"old"
    is_full.clear()
    assert place.put("data.csv", b"new").status == 201
    assert [path.read_bytes() for path in on_disk(services)] == [b"new"]


def send_chunked(place: Container, path: str, chunks: list[bytes]) -> bytes:
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        head = f"PUT {address.path}{path} HTTP/1.1\r\nHost: {address.netloc}\r\nx-ms-blob-type: BlockBlob\r\n"
        try:
            connection.sendall(head.encode() + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
            for chunk in [*chunks, b""]:
                connection.sendall(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        except (BrokenPipeError, ConnectionResetError):
            pass
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    received = b""
    try:
        while part := connection.recv(1 << 16):
            received += part
    except ConnectionResetError:
        pass
    return received


def open_files(services: ServicesOnly) -> list[str]:
    """What this process, which is also the server, has open below the folder of files."""
    root = str(services.stack.files_folder)
    found: list[str] = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except FileNotFoundError:
            continue
    return sorted(path for path in found if path.startswith(root))
