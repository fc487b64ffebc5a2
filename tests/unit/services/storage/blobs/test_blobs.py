"""The blob endpoint, as in its protocol: an uploaded blob can be read, whole or in part, with a valid signature."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.files import Container, prepare, to_write
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of, on_disk

TIME = re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")


def test_what_is_put_is_got(place: Container) -> None:
    put = place.put("data.csv", b"id,name\n1,Ada\n")
    got = place.get("data.csv")

    assert (put.status, put.body) == (201, b"")
    assert (got.status, got.body) == (200, b"id,name\n1,Ada\n")
    assert got.headers["etag"] == put.headers["etag"]
    assert got.headers["last-modified"] == put.headers["last-modified"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_responses_have_the_headers_that_clients_require(place: Container, method: str) -> None:
    place.put("b", b"12345", x_ms_blob_content_type="text/csv", x_ms_blob_content_disposition='attachment;filename="x"')
    response = place.send(method, "b", headers={"Accept-Encoding": "gzip"})

    assert re.fullmatch('"[0-9A-Za-z]+"', response.headers["etag"])
    for name in ("last-modified", "x-ms-creation-time", "date"):
        assert TIME.fullmatch(response.headers[name])
        assert parsedate_to_datetime(response.headers[name])
    assert response.headers["content-length"] == "5"
    assert response.headers["content-type"] == "text/csv"
    assert response.headers["content-disposition"] == 'attachment;filename="x"'
    assert response.headers["accept-ranges"] == "bytes"
    assert response.headers["x-ms-blob-type"] == "BlockBlob"
    assert response.headers["x-ms-request-id"]
    assert response.headers["x-ms-version"]
    assert "content-encoding" not in response.headers
    assert response.body == (b"12345" if method == "GET" else b"")


def test_large_blobs_are_never_compressed_on_the_way(place: Container) -> None:
    place.put("b", b"x" * 100_000)
    response = place.get("b", Accept_Encoding="gzip")

    assert response.body == b"x" * 100_000
    assert response.headers["content-length"] == "100000"


def test_a_type_that_is_not_given_is_octets_and_a_page_cannot_run(place: Container) -> None:
    place.put("plain", b"<script>")
    place.put("page", b"<script>", x_ms_blob_content_type="text/html")

    assert place.get("plain").headers["content-type"] == "application/octet-stream"
    assert "sandbox" in place.get("page").headers["content-security-policy"]


JAVASCRIPT_TYPES = (
    *("application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript"),
    *("text/ecmascript", "text/javascript", "text/jscript", "text/livescript", "text/x-ecmascript"),
    *("text/x-javascript", *(f"text/javascript1.{number}" for number in range(6))),
)
"""All that browsers run, by the standard of MIME sniffing."""


@pytest.mark.parametrize(
    "content_type",
    [
        *JAVASCRIPT_TYPES,
        "multipart/x-mixed-replace;boundary=x",
        "text/css",
        "Text/JavaScript; charset=utf-8",
        "text/csv, text/javascript",
        "text/java\tscript",
    ],
)
def test_a_blob_is_neither_a_script_nor_a_style_of_the_console(place: Container, content_type: str) -> None:
    """The policy of the console allows scripts of its own origin, where the blobs are too."""
    place.put("x.js", b"alert(1)", x_ms_blob_content_type=content_type)
    whole, part = place.get("x.js"), place.get("x.js", Range="bytes=0-3")

    assert (whole.status, part.status, whole.body) == (200, 206, b"alert(1)")
    for response in (whole, part, place.send("HEAD", "x.js")):
        assert response.headers["content-type"] == "text/plain"
        assert response.headers["x-content-type-options"] == "nosniff"


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
    response = place.send("GET", "b", headers={header: asked})

    assert (response.status, response.body, response.headers["content-range"]) == (206, expected, shown)
    assert response.headers["content-length"] == str(len(expected))


@pytest.mark.parametrize("asked", ["bytes=0-1,3-4", "bytes=5-2", "bytes=-", "bytes=a-b", "items=0-1", "0-1", "bytes"])
def test_an_invalid_range_gets_everything(place: Container, asked: str) -> None:
    place.put("b", b"0123456789")

    assert (place.get("b", Range=asked).status, place.get("b", Range=asked).body) == (200, b"0123456789")


@pytest.mark.parametrize(("content", "asked"), [(b"", "bytes=0-33554431"), (b"ab", "bytes=2-"), (b"ab", "bytes=-0")])
def test_a_range_behind_the_end_is_an_invalid_range(place: Container, content: bytes, asked: str) -> None:
    place.put("b", content)
    response = place.get("b", Range=asked)

    assert (response.status, code_of(response)) == (416, "InvalidRange")
    assert response.headers["content-range"] == f"bytes */{len(content)}"
    assert place.get("b").body == content


@given(content=st.binary(max_size=40), start=st.integers(0, 50), length=st.integers(1, 50))
@examples(40)
def test_any_part_is_that_part(storage: Http, content: bytes, start: int, length: int) -> None:
    place = to_write(prepare(storage))
    place.put("b", content)
    response = place.get("b", Range=f"bytes={start}-{start + length - 1}")

    assert response.status == (206 if start < len(content) else 416)
    assert response.status == 416 or response.body == content[start : start + length]


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
    response = place.get("nope")

    assert (response.status, code_of(response)) == (404, "BlobNotFound")
    assert "The specified blob does not exist." in response.text
    assert place.send("HEAD", "nope").status == 404


@pytest.mark.parametrize(
    "name", ["a/b/c", "..", "../../../etc/passwd", "a b", "č", "%2e%2e", "a" * 1024, "/", "x/", "."]
)
def test_a_name_is_only_a_name(place: Container, shared: ServicesOnly, name: str) -> None:
    escaped = quote(name, safe="")
    base = Http(place.endpoint)

    put = base.send("PUT", f"/{place.name}/{escaped}?{place.signature}", name.encode(), {"x-ms-blob-type": "BlockBlob"})
    assert put.status == 201
    assert base.get(f"/{place.name}/{escaped}?{place.signature}").body == name.encode()
    assert all(re.fullmatch("[0-9a-f]{32}", path.name) for path in on_disk(shared, "stored"))


def test_a_slash_may_be_escaped_or_not(place: Container) -> None:
    place.put("folder/name", b"1")
    response = Http(place.endpoint).get(f"/{place.name}/folder%2Fname?{place.signature}")

    assert response.body == b"1"


@pytest.mark.parametrize("name", ["", "a" * 1025])
def test_a_name_that_cannot_be_is_refused(place: Container, name: str) -> None:
    response = place.put(name, b"1")

    assert (response.status, code_of(response)) == (400, "InvalidResourceName")
