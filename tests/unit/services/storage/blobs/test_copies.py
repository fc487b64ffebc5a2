"""Copies of blobs: the bytes of the source, or an error that changes nothing."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.support.files import Container, prepare, to_read, to_write, upload
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of, on_disk
from tests.unit.services.storage.blobs.test_headers import CONTENT, METADATA, sent, shown


def address(place: Container, blob: str) -> str:
    return f"{place.endpoint}/{place.name}/{quote(blob)}?{place.signature}"


def copy(place: Container, blob: str, source: str, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return place.send("PUT", blob, headers={"x-ms-copy-source": source, "Content-Length": "0", **named})


def test_a_copy_has_the_bytes_and_the_headers_of_its_source(place: Container) -> None:
    place.put("folder/a b", b"12345", **sent())
    place.put("copy", b"old")
    response = copy(place, "copy", address(place, "folder/a b"))
    got = place.get("copy")

    assert (response.status, response.headers["x-ms-copy-status"]) == (202, "success")
    assert response.headers["x-ms-copy-id"] == got.headers["x-ms-copy-id"]
    assert (got.body, got.headers["etag"]) == (b"12345", response.headers["etag"])
    assert shown(got) == {**CONTENT, **METADATA}
    assert "sig=" not in got.headers["x-ms-copy-source"]
    assert place.get("folder/a b").body == b"12345"


def test_a_copy_is_created_when_a_type_is_given(place: Container) -> None:
    place.put("a", b"12345", **sent())
    response = copy(place, "b", address(place, "a"), x_ms_blob_type="BlockBlob", x_ms_blob_content_type="text/plain")

    assert response.status == 201
    assert shown(place.get("b")) == {**CONTENT, **METADATA, "content-type": "text/plain"}


def test_a_copy_may_have_other_metadata_and_no_properties(place: Container) -> None:
    place.put("a", b"1", **sent())
    copy(place, "b", address(place, "a"), x_ms_meta_own="x", x_ms_copy_source_blob_properties="false")
    got = place.get("b")

    assert shown(got) == {"content-type": "application/octet-stream"}
    assert got.headers["x-ms-meta-own"] == "x"


def test_a_copy_stays_when_its_source_goes(services: ServicesOnly) -> None:
    storage = services.service("storage")
    source, target = upload(storage, b"first"), prepare(storage)
    place = to_write(target)
    assert copy(place, "data.csv", address(to_read(storage, source["id"]), "data.csv")).status == 202
    storage.delete(f"/v2/storage/files/{source['id']}")

    assert place.get("data.csv").body == b"first"
    assert storage.get(f"/v2/storage/files/{target['id']}").json["sizeBytes"] == 5
    assert [path.read_bytes() for path in on_disk(services)] == [b"first"]


def test_a_blob_may_be_copied_onto_itself(services: ServicesOnly) -> None:
    place = to_write(upload(services.service("storage"), b"same"))

    assert copy(place, "data.csv", address(place, "data.csv"), x_ms_meta_new="1").status == 202
    assert (place.get("data.csv").body, place.get("data.csv").headers["x-ms-meta-new"]) == (b"same", "1")
    assert [path.read_bytes() for path in on_disk(services)] == [b"same"]


def test_a_list_finds_the_blocks_of_a_copied_blob(place: Container) -> None:
    place.put_block("a", "1", b"one")
    place.put_block("a", "2", b"two")
    place.put_list("a", ["1", "2"])
    copy(place, "b", address(place, "a"))

    assert place.put_list("b", ["2"], "Committed").status == 201
    assert (place.get("b").body, place.get("a").body) == (b"two", b"onetwo")


@pytest.mark.parametrize(
    ("source", "status", "code"),
    [
        ("https://elsewhere.example/data.csv", 400, "InvalidHeaderValue"),
        ("http://169.254.169.254/latest/meta-data", 400, "InvalidHeaderValue"),
        ("file:///etc/passwd", 400, "InvalidHeaderValue"),
        ("http://[::1/x", 400, "InvalidHeaderValue"),
        ("", 400, "InvalidHeaderValue"),
        ("https://elsewhere.example/penstock.blob.core.windows.net/container/blob", 403, "CannotVerifyCopySource"),
        ("https://elsewhere.example/penstock.blob.core.windows.net/container", 400, "InvalidHeaderValue"),
    ],
)
def test_a_source_elsewhere_is_refused_and_changes_nothing(
    place: Container, source: str, status: int, code: str
) -> None:
    place.put("b", b"old")
    for response in (copy(place, "b", source), copy(place, "b", source, x_ms_blob_type="BlockBlob")):
        assert (response.status, code_of(response)) == (status, code)
    assert place.get("b").body == b"old"


def test_a_source_needs_a_signature_of_its_own(storage: Http, place: Container) -> None:
    place.put("b", b"old")
    other = to_write(upload(storage, b"theirs"))
    bare = address(other, "data.csv").partition("?")[0]
    crossed = Container(other.endpoint, other.name, place.signature)
    for source in (bare, address(crossed, "data.csv"), address(other, "data.csv").replace("sig=", "sig=x")):
        response = copy(place, "b", source)
        assert (response.status, code_of(response)) == (403, "CannotVerifyCopySource")
    assert place.get("b").body == b"old"


def test_a_missing_source_changes_nothing(place: Container) -> None:
    place.put("b", b"old")
    response = copy(place, "b", address(place, "absent"))

    assert (response.status, code_of(response)) == (404, "CannotVerifyCopySource")
    assert place.get("b").body == b"old"


def test_a_signature_for_reading_copies_nothing_here(storage: Http) -> None:
    place = to_read(storage, upload(storage, b"1")["id"])

    assert code_of(copy(place, "new", address(place, "data.csv"))) == "AuthorizationPermissionMismatch"


def test_conditions_of_both_ends_count(place: Container) -> None:
    etag, old = place.put("a", b"new").headers["etag"], place.put("b", b"old").headers["etag"]
    source = address(place, "a")

    assert code_of(copy(place, "b", source, x_ms_source_if_match='"0x1"')) == "SourceConditionNotMet"
    assert code_of(copy(place, "b", source, x_ms_source_if_none_match=etag)) == "SourceConditionNotMet"
    assert code_of(copy(place, "b", source, If_None_Match="*")) == "BlobAlreadyExists"
    assert code_of(copy(place, "b", source, If_Match=etag)) == "ConditionNotMet"
    unknown = copy(place, "b", source, x_ms_source_if_modified_since="Mon, 01 Jan 2024 00:00:00 GMT")
    assert (unknown.status, code_of(unknown)) == (400, "UnsupportedHeader")
    assert place.get("b").body == b"old"
    assert copy(place, "b", source, x_ms_source_if_match=etag, If_Match=old).status == 202
    assert place.get("b").body == b"new"


@pytest.mark.parametrize("comp", ["block", "blocklist"])
def test_a_block_is_not_copied_from_an_address(place: Container, comp: str) -> None:
    place.put("a", b"new")
    place.put("b", b"old")
    headers = {"x-ms-copy-source": address(place, "a"), "Content-Length": "0"}
    response = place.send("PUT", "b", headers=headers, comp=comp, blockid="MQ==")

    assert (response.status, code_of(response)) == (400, "UnsupportedHeader")
    assert code_of(place.put_list("b", ["MQ=="])) == "InvalidBlockList"
    assert place.get("b").body == b"old"
