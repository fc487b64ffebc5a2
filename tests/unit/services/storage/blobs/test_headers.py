"""Headers that a client sets on a blob are returned with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.files import Container, prepare, to_write
from tests.support.http import Http, Response
from tests.unit.services.storage.blobs.responses import code_of

CONTENT = {
    "content-type": "text/csv",
    "content-disposition": 'attachment;filename="x.csv"',
    "content-encoding": "gzip",
    "content-language": "cs-CZ",
    "content-md5": "CY9rzUYh03PK3k6DJie09g==",
    "cache-control": "max-age=60",
}
METADATA = {"x-ms-meta-project": "orders", "x-ms-meta-maker": "Ada, Bob", "x-ms-meta-empty": ""}


def sent() -> dict[str, str]:
    return {**{f"x-ms-blob-{name}": value for name, value in CONTENT.items()}, **METADATA}


def shown(response: Response) -> dict[str, str]:
    return {name: response.headers[name] for name in (*CONTENT, *METADATA) if name in response.headers}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("is_in_blocks", [False, True])
def test_content_headers_and_metadata_come_back(place: Container, method: str, is_in_blocks: bool) -> None:
    if is_in_blocks:
        place.put_block("b", "1", b"12345")
        assert place.put_list("b", ["1"], **sent()).status == 201
    else:
        assert place.put("b", b"12345", **sent()).status == 201

    assert shown(place.send(method, "b")) == {**CONTENT, **METADATA}


def test_headers_that_describe_the_body_describe_the_blob(place: Container) -> None:
    plain = {name: value for name, value in CONTENT.items() if name != "content-disposition"}
    place.put("b", b"test", **plain)
    assert shown(place.get("b")) == plain

    place.put("b", b"test", **plain, x_ms_blob_content_encoding="br")
    assert place.get("b").headers["content-encoding"] == "br"

    place.put_block("c", "1", b"1")
    place.put_list("c", ["1"], content_type="application/xml")
    assert shown(place.get("c")) == {"content-type": "application/octet-stream"}


def test_a_new_version_has_only_what_it_was_sent_with(place: Container) -> None:
    place.put("b", b"1", **sent())
    place.put("b", b"2", x_ms_meta_other="x")
    response = place.get("b")

    assert shown(response) == {"content-type": "application/octet-stream"}
    assert response.headers["x-ms-meta-other"] == "x"


def test_a_part_does_not_have_the_hash_of_the_whole(place: Container) -> None:
    place.put("b", b"12345", **sent())
    response = place.get("b", Range="bytes=0-1")

    assert "content-md5" not in response.headers
    assert response.headers["x-ms-blob-content-md5"] == CONTENT["content-md5"]


def test_a_name_that_is_sent_twice_has_both_values(place: Container) -> None:
    assert place.put("b", b"1", **{"x-ms-meta-a": "1", "X-MS-Meta-A": "2"}).status == 201
    assert place.get("b").headers["x-ms-meta-a"] == "1,2"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"x-ms-meta-a-b": "1"}, "InvalidMetadata"),
        ({"x-ms-meta-1": "1"}, "InvalidMetadata"),
        ({"x-ms-meta-": "1"}, "InvalidMetadata"),
        ({"x-ms-meta-a": "x" * 8192}, "MetadataTooLarge"),
    ],
)
def test_metadata_that_cannot_be_kept_is_refused(place: Container, headers: dict[str, str], code: str) -> None:
    place.put("b", b"old")
    response = place.put("b", b"new", **headers)

    assert (response.status, code_of(response)) == (400, code)
    assert place.get("b").body == b"old"


@given(value=st.text(alphabet=st.characters(codec="latin-1", categories=("L", "N", "P", "S")), max_size=50))
@examples(30)
def test_any_value_comes_back(storage: Http, value: str) -> None:
    place = to_write(prepare(storage))
    place.put("b", b"1", x_ms_meta_value=value)

    assert place.get("b").headers["x-ms-meta-value"] == value


def test_a_blob_without_a_type_is_refused(place: Container) -> None:
    place.put("b", b"old")
    response = place.send("PUT", "b", b"new")

    assert (response.status, code_of(response)) == (400, "MissingRequiredHeader")
    assert "x-ms-blob-type" in response.text
    assert place.get("b").body == b"old"
