"""The blob endpoint, as its protocol has it: what is put can be got, whole or in part, by whoever may."""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.services.storage.routes import blobs as routes
from tests.support.files import Container, prepare, to_read, to_write, upload
from tests.support.http import Answer, Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project

MIB = 1 << 20
TIME = re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")


@pytest.fixture(scope="module")
def storage(shared: ServicesOnly) -> Http:
    return shared.service("storage")


@pytest.fixture
def place(storage: Http) -> Container:
    """Somewhere to write to."""
    return to_write(prepare(storage))


def on_disk(services: ServicesOnly, part: str = "") -> list[Path]:
    return [path for path in (services.stack.files_folder / part).rglob("*") if path.is_file() and not path.suffix]


def code_of(answer: Answer) -> str:
    match = re.search("<Code>(.*)</Code><Message>.+</Message></Error>$", answer.text)
    assert match
    assert answer.headers["content-type"] == "application/xml"
    assert answer.headers["x-ms-error-code"] == match[1]
    return match[1]


def test_what_is_put_is_got(place: Container) -> None:
    put = place.put("data.csv", b"id,name\n1,Ada\n")
    got = place.get("data.csv")

    assert (put.status, put.body) == (201, b"")
    assert (got.status, got.body) == (200, b"id,name\n1,Ada\n")
    assert got.headers["etag"] == put.headers["etag"]
    assert got.headers["last-modified"] == put.headers["last-modified"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_answers_have_the_headers_that_clients_insist_on(place: Container, method: str) -> None:
    place.put("b", b"12345", x_ms_blob_content_type="text/csv", x_ms_blob_content_disposition='attachment;filename="x"')
    answer = place.send(method, "b", headers={"Accept-Encoding": "gzip"})

    assert re.fullmatch('"[0-9A-Za-z]+"', answer.headers["etag"])
    for name in ("last-modified", "x-ms-creation-time", "date"):
        assert TIME.fullmatch(answer.headers[name])
        assert parsedate_to_datetime(answer.headers[name])
    assert answer.headers["content-length"] == "5"
    assert answer.headers["content-type"] == "text/csv"
    assert answer.headers["content-disposition"] == 'attachment;filename="x"'
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["x-ms-blob-type"] == "BlockBlob"
    assert answer.headers["x-ms-request-id"]
    assert answer.headers["x-ms-version"]
    assert "content-encoding" not in answer.headers
    assert answer.body == (b"12345" if method == "GET" else b"")


def test_large_blobs_are_never_compressed_on_the_way(place: Container) -> None:
    place.put("b", b"x" * 100_000)
    answer = place.get("b", Accept_Encoding="gzip")

    assert answer.body == b"x" * 100_000
    assert answer.headers["content-length"] == "100000"


def test_a_type_that_is_not_given_is_octets_and_a_page_cannot_run(place: Container) -> None:
    place.send("PUT", "plain", b"<script>")
    place.put("page", b"<script>", x_ms_blob_content_type="text/html")

    assert place.get("plain").headers["content-type"] == "application/octet-stream"
    assert "sandbox" in place.get("page").headers["content-security-policy"]


@pytest.mark.parametrize("header", ["Range", "x-ms-range"])
@pytest.mark.parametrize(
    ("asked", "expected", "shown"),
    [
        ("bytes=0-3", b"0123", "bytes 0-3/10"),
        ("bytes=4-4", b"4", "bytes 4-4/10"),
        ("bytes=8-33554431", b"89", "bytes 8-9/10"),
        ("bytes=7-", b"789", "bytes 7-9/10"),
        ("bytes=-2", b"89", "bytes 8-9/10"),
        ("bytes=-99", b"0123456789", "bytes 0-9/10"),
    ],
)
def test_parts_can_be_got(place: Container, header: str, asked: str, expected: bytes, shown: str) -> None:
    place.put("b", b"0123456789")
    answer = place.send("GET", "b", headers={header: asked})

    assert (answer.status, answer.body, answer.headers["content-range"]) == (206, expected, shown)
    assert answer.headers["content-length"] == str(len(expected))


@pytest.mark.parametrize("asked", ["bytes=0-1,3-4", "bytes=5-2", "bytes=-", "bytes=a-b", "items=0-1", "0-1", "bytes"])
def test_what_is_no_range_gets_everything(place: Container, asked: str) -> None:
    place.put("b", b"0123456789")

    assert (place.get("b", Range=asked).status, place.get("b", Range=asked).body) == (200, b"0123456789")


@pytest.mark.parametrize(("content", "asked"), [(b"", "bytes=0-33554431"), (b"ab", "bytes=2-"), (b"ab", "bytes=-0")])
def test_a_range_behind_the_end_is_an_invalid_range(place: Container, content: bytes, asked: str) -> None:
    place.put("b", content)
    answer = place.get("b", Range=asked)

    assert (answer.status, code_of(answer)) == (416, "InvalidRange")
    assert answer.headers["content-range"] == f"bytes */{len(content)}"
    assert place.get("b").body == content


@given(content=st.binary(max_size=40), start=st.integers(0, 50), length=st.integers(1, 50))
@settings(max_examples=40)
def test_any_part_is_that_part(storage: Http, content: bytes, start: int, length: int) -> None:
    place = to_write(prepare(storage))
    place.put("b", content)
    answer = place.get("b", Range=f"bytes={start}-{start + length - 1}")

    assert answer.status == (206 if start < len(content) else 416)
    assert answer.status == 416 or answer.body == content[start : start + length]


def test_an_etag_stands_for_one_version(place: Container) -> None:
    first, second = (place.put("b", content).headers["etag"] for content in (b"1", b"2"))

    assert first != second
    assert place.get("b", If_Match=second).body == b"2"
    assert place.get("b", If_Match="*").body == b"2"
    assert code_of(place.get("b", If_Match=first)) == "ConditionNotMet"
    assert place.get("b", If_Match=first).status == 412
    assert place.get("b", If_None_Match=second).status == 304
    assert place.put("b", b"3", If_Match=first).status == 412
    assert place.put("b", b"3", If_Match=second).status == 201
    assert place.put("new", b"3", If_Match="*").status == 412


def test_a_blob_is_replaced_unless_the_client_minds(place: Container) -> None:
    assert place.put("b", b"1", If_None_Match="*").status == 201
    refused = place.put("b", b"2", If_None_Match="*")

    assert (refused.status, code_of(refused)) == (409, "BlobAlreadyExists")
    assert place.get("b").body == b"1"
    assert place.put("b", b"3").status == 201
    assert place.get("b").body == b"3"


def test_a_missing_blob_is_said_to_be_missing(place: Container) -> None:
    answer = place.get("nope")

    assert (answer.status, code_of(answer)) == (404, "BlobNotFound")
    assert "The specified blob does not exist." in answer.text
    assert place.send("HEAD", "nope").status == 404


@pytest.mark.parametrize(
    "name", ["a/b/c", "..", "../../../etc/passwd", "a b", "č", "%2e%2e", "a" * 1024, "/", "x/", "."]
)
def test_a_name_is_only_a_name(place: Container, shared: ServicesOnly, name: str) -> None:
    escaped = quote(name, safe="")
    base = Http(place.endpoint)

    assert base.send("PUT", f"/{place.name}/{escaped}?{place.signature}", name.encode()).status == 201
    assert base.get(f"/{place.name}/{escaped}?{place.signature}").body == name.encode()
    assert all(re.fullmatch("[0-9a-f]{32}", path.name) for path in on_disk(shared, "stored"))


def test_a_slash_may_be_escaped_or_not(place: Container) -> None:
    place.put("folder/name", b"1")
    answer = Http(place.endpoint).get(f"/{place.name}/folder%2Fname?{place.signature}")

    assert answer.body == b"1"


@pytest.mark.parametrize("name", ["", "a" * 1025])
def test_a_name_that_cannot_be_is_refused(place: Container, name: str) -> None:
    answer = place.put(name, b"1")

    assert (answer.status, code_of(answer)) == (400, "InvalidResourceName")


def test_blocks_are_joined_in_the_order_of_their_list(place: Container) -> None:
    parts = {f"block-{number:03}": os.urandom(1000 + number) for number in range(20)}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda item: place.put_block("b", *item), reversed(parts.items())))
    assert {answer.status for answer in answers} == {201}
    assert place.get("b").status == 404

    wanted = [*list(parts)[::-1], "block-003"]
    done = place.put_list("b", wanted, x_ms_blob_content_type="text/csv", x_ms_blob_content_disposition="inline")

    got = place.get("b")
    assert (done.status, got.headers["etag"]) == (201, done.headers["etag"])
    assert got.body == b"".join(parts[block] for block in wanted)
    assert (got.headers["content-type"], got.headers["content-disposition"]) == ("text/csv", "inline")


def test_a_list_that_is_sent_again_finds_its_blocks(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    place.put_block("b", "1", b"one")
    place.put_block("b", "2", b"two")
    place.put_list("b", ["1", "2"])

    assert on_disk(services, "staged") == []
    assert place.put_list("b", ["1", "2"]).status == 201
    assert place.get("b").body == b"onetwo"


def test_a_list_may_mix_blocks_that_a_blob_has_with_new_ones(place: Container) -> None:
    place.put_block("b", "1", b"one")
    place.put_block("b", "2", b"two")
    place.put_list("b", ["1", "2"])
    place.put_block("b", "3", b"three")
    place.put_block("b", "2", b"TWO")
    lines = b"<Committed>2</Committed> <Uncommitted>2</Uncommitted> <Latest>3</Latest> <Latest>1</Latest>"

    assert place.send("PUT", "b", b"<BlockList>%s</BlockList>" % lines, comp="blocklist").status == 201
    assert place.get("b").body == b"twoTWOthreeone"


def test_a_block_that_is_sent_again_replaces_the_first(place: Container) -> None:
    for content in (b"first", b"second"):
        place.put_block("b", "a+/=", content)
    place.put_list("b", ["a+/="])

    assert place.get("b").body == b"second"


@pytest.mark.parametrize("place_in_list", ["Latest", "Committed", "Uncommitted"])
def test_a_list_with_a_missing_block_changes_nothing(place: Container, place_in_list: str) -> None:
    place.put("b", b"old")
    place.put_block("other", "1", b"x")
    answer = place.put_list("b", ["1"], place_in_list)

    assert (answer.status, code_of(answer)) == (400, "InvalidBlockList")
    assert place.get("b").body == b"old"


def test_an_empty_list_makes_an_empty_blob(place: Container) -> None:
    for name, body in (("a", b"<BlockList></BlockList>"), ("b", b'<?xml version="1.0"?><BlockList />')):
        assert place.send("PUT", name, body, comp="blocklist").status == 201
        assert place.get(name).body == b""


@pytest.mark.parametrize(
    "body", [b"", b"<BlockList>", b"<Latest>1</Latest>", b"\xff\xfe", b"<BlockList><Latest>1</Committed></BlockList>"]
)
def test_what_is_no_list_is_refused(place: Container, body: bytes) -> None:
    answer = place.send("PUT", "b", body, comp="blocklist")

    assert (answer.status, code_of(answer)) == (400, "InvalidXmlDocument")


@pytest.mark.parametrize(
    "body", [b"%s", b"<BlockList>%s", b"<BlockList>%s</BlockList>x", b"<BlockList><Latest>1%s2</Latest></BlockList>"]
)
def test_a_list_of_a_megabyte_of_nothing_is_refused_at_once(place: Container, body: bytes) -> None:
    began = time.monotonic()
    answer = place.send("PUT", "b", body % (b" " * MIB), comp="blocklist")

    assert (answer.status, code_of(answer)) == (400, "InvalidXmlDocument")
    assert time.monotonic() - began < 1


def test_spaces_in_a_list_mean_nothing(place: Container) -> None:
    place.put_block("b", "1", b"one")
    body = b"%s<BlockList>%s<Latest>%s1%s</Latest>%s</BlockList>%s".replace(b"%s", b" " * (MIB // 6))

    assert place.send("PUT", "b", body, comp="blocklist").status == 201
    assert place.get("b").body == b"one"


@given(
    body=st.one_of(st.binary(max_size=60), st.text(alphabet="<>/BlockListaestUncomd1? \n", max_size=60).map(str.encode))
)
@settings(max_examples=40)
def test_no_list_is_too_strange(storage: Http, body: bytes) -> None:
    place = to_write(prepare(storage))

    assert place.send("PUT", "b", body, comp="blocklist").status in (201, 400)


def test_a_list_respects_the_condition_too(place: Container) -> None:
    place.put("b", b"old")
    place.put_block("b", "1", b"new")

    assert place.put_list("b", ["1"], If_None_Match="*").status == 409
    assert place.get("b").body == b"old"
    assert place.put_list("b", ["1"]).status == 201


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ({"comp": "metadata"}, {}),
        ({"comp": "appendblock"}, {}),
        ({"comp": "block"}, {}),
        ({"comp": "block", "blockid": "x" * 129}, {}),
        ({}, {"x-ms-blob-type": "PageBlob"}),
    ],
)
def test_what_is_not_spoken_here_is_refused(place: Container, query: dict[str, str], headers: dict[str, str]) -> None:
    answer = place.send("PUT", "b", b"1", headers, **query)

    assert answer.status == 400
    assert code_of(answer)


def altered(place: Container, **changes: str | None) -> Container:
    words = {**dict(parse_qsl(place.signature)), **changes}
    signature = urlencode({name: value for name, value in words.items() if value is not None})
    return Container(place.endpoint, place.name, signature)


@pytest.mark.parametrize(
    "changes",
    [
        {"sig": None},
        {"sig": ""},
        {"sig": "AAAA"},
        {"sig": "č"},
        {"se": "2999-01-01T00:00:00Z"},
        {"sp": "rwdl"},
        {"sp": None},
        {"se": None},
    ],
)
def test_a_signature_that_was_altered_opens_nothing(place: Container, changes: dict[str, str | None]) -> None:
    place.put("b", b"1")
    for answer in (altered(place, **changes).get("b"), altered(place, **changes).put("b", b"2")):
        assert (answer.status, code_of(answer)) == (403, "AuthenticationFailed")
    assert place.get("b").body == b"1"


def test_a_signature_is_compared_decoded(place: Container) -> None:
    place.put("b", b"1")

    assert ":" in place.signature
    assert altered(place).get("b").body == b"1"
    assert "%3A" in altered(place).signature


def test_a_signature_for_reading_writes_nothing(storage: Http) -> None:
    file = upload(storage, b"1")
    place = to_read(storage, file["id"])

    answers = [place.put("data.csv", b"2"), place.put_block("data.csv", "1", b"2"), place.put_list("data.csv", [])]
    assert {(answer.status, code_of(answer)) for answer in answers} == {(403, "AuthorizationPermissionMismatch")}
    assert altered(place, sp="rw").put("data.csv", b"2").status == 403
    assert place.get("data.csv").body == b"1"


def test_the_signature_of_one_file_opens_no_other(storage: Http, shared: ServicesOnly) -> None:
    mine = to_write(upload(storage, b"mine"))
    others = [to_write(prepare(storage)), to_write(prepare(shared.service("storage", add_project(shared).token)))]
    for other in others:
        crossed = Container(mine.endpoint, mine.name, other.signature)
        assert crossed.get("data.csv").status == crossed.put("data.csv", b"theirs").status == 403
    assert mine.get("data.csv").body == b"mine"


def test_another_stack_signs_differently(services: ServicesOnly, storage: Http, tmp_path: Path) -> None:
    (services.stack.folder / "key").rename(tmp_path / "key")
    stranger = ServicesOnly(tmp_path / "stranger")
    try:
        mine, theirs = (prepare(each.service("storage")) for each in (services, stranger))
        assert mine["absUploadParams"]["absCredentials"] != theirs["absUploadParams"]["absCredentials"]
        crossed = Container(to_write(mine).endpoint, to_write(mine).name, to_write(theirs).signature)
        assert crossed.get("data.csv").status == 403
    finally:
        stranger.close()


def test_a_signature_ends(storage: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    place = to_write(upload(storage, b"1"))
    later = clock.now() + timedelta(hours=24, seconds=1)
    assert place.get("data.csv").status == 200
    monkeypatch.setattr(clock, "source", lambda: later)

    answer = place.get("data.csv")
    assert (answer.status, code_of(answer)) == (403, "AuthenticationFailed")


@pytest.mark.parametrize("container", ["x", "exp-15-files-1-1-2026-01-01", "..", "permanent-files-9-9-2026-01-01"])
def test_a_container_that_is_not_there_is_nobodys(storage: Http, container: str) -> None:
    place = to_write(prepare(storage))

    assert Container(place.endpoint, container, place.signature).get("b").status == 403


@pytest.mark.parametrize("extra", ["", "&comp=block&blockid=MQ=="])
def test_a_body_that_is_too_large_is_refused(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch, extra: str
) -> None:
    monkeypatch.setattr(routes, "PUT_BYTES", 3 * MIB)
    place = to_write(prepare(services.service("storage")))
    path = f"/{place.name}/b?{place.signature}{extra}"
    announced = Http(place.endpoint).send("PUT", path, b"x" * (3 * MIB + 1))
    chunked = send_chunked(place, path, [b"x" * MIB] * 4)

    assert (announced.status, code_of(announced)) == (413, "RequestBodyTooLarge")
    assert b"413" in chunked.split(b"\r\n")[0]
    assert Http(place.endpoint).send("PUT", path, b"x" * 3 * MIB).status == 201
    assert [path.stat().st_size for path in on_disk(services)] == [3 * MIB]


def test_a_body_without_a_length_is_taken(place: Container) -> None:
    path = f"/{place.name}/b?{place.signature}"

    assert b" 201 " in send_chunked(place, path, [b"one", b"two"]).split(b"\r\n")[0]
    assert place.get("b").body == b"onetwo"


def test_a_client_that_waits_to_be_asked_is_asked(place: Container) -> None:
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(
            f"PUT {address.path}/{place.name}/b?{place.signature} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            "Content-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(b"abc")
        assert b" 201 " in read_all(connection)
    assert place.get("b").body == b"abc"


def test_a_client_that_goes_away_leaves_nothing(services: ServicesOnly) -> None:
    place = to_write(prepare(services.service("storage")))
    address = urlsplit(place.endpoint)
    for query in ("", "&comp=block&blockid=MQ=="):
        with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
            head = f"PUT {address.path}/{place.name}/b?{place.signature}{query} HTTP/1.1\r\nHost: {address.netloc}\r\n"
            connection.sendall(f"{head}Content-Length: {10 * MIB}\r\n\r\n".encode() + b"x" * 5 * MIB)
            wait_for(lambda: on_disk(services, "incoming"))
        wait_for(lambda: not on_disk(services))
    assert place.get("b").status == 404


@pytest.mark.skipif(sys.platform != "linux", reason="open files are listed in /proc")
def test_a_client_that_stops_reading_holds_nothing_open(services: ServicesOnly) -> None:
    place = to_write(upload(services.service("storage"), b"x" * 20 * MIB))
    address = urlsplit(place.endpoint)
    before = open_files(services)
    for _ in range(3):
        with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
            path = f"{address.path}/{place.name}/data.csv?{place.signature}"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")

    wait_for(lambda: open_files(services) == before)


def test_a_version_that_is_being_read_is_read_to_its_end(services: ServicesOnly) -> None:
    place = to_write(upload(services.service("storage"), b"1" * 20 * MIB))
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
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
        assert {answer.status for answer in pool.map(lambda content: place.put("b", content), contents)} == {201}

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
    answer = place.put("data.csv", b"new")
    assert (answer.status, code_of(answer)) == (503, "ServerBusy")
    assert place.get("data.csv").body == b"old"
    is_full.clear()
    assert place.put("data.csv", b"new").status == 201
    assert [path.read_bytes() for path in on_disk(services)] == [b"new"]


def send_chunked(place: Container, path: str, chunks: list[bytes]) -> bytes:
    address = urlsplit(place.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        head = f"PUT {address.path}{path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n"
        try:
            connection.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
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
