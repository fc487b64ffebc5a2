"""Blobs are deleted, described anew and asked for their blocks, as the vendor's library does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError, ResourceModifiedError, ResourceNotFoundError
from azure.storage.blob import BlobBlock, BlobClient, ContentSettings

from tests.support.files import Container, to_read, to_write, upload
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.blobs.responses import code_of, on_disk

FILES = "/v2/storage/files"


def open_blob(place: Container, name: str = "b") -> Any:
    url = f"{place.endpoint}/{place.name}/{quote(name)}?{place.signature}"
    return BlobClient.from_blob_url(url, retry_total=0)


def test_a_deleted_blob_is_gone_with_its_bytes(services_on_each: ServicesOnly) -> None:
    storage = services_on_each.service("storage")
    file = upload(storage, b"12345")
    place = to_write(file)
    place.put("other", b"1")
    place.put_block("data.csv", "MQ==", b"1")
    assert len(on_disk(services_on_each, "stored")) == 2

    open_blob(place, "data.csv").delete_blob(delete_snapshots="include")
    assert place.get("data.csv").status == 404
    assert place.get("other").body == b"1"
    assert len(on_disk(services_on_each, "stored")) == 1
    assert on_disk(services_on_each, "staged") == []
    assert storage.get(f"{FILES}/{file['id']}").json["sizeBytes"] is None
    with pytest.raises(ResourceNotFoundError):
        open_blob(place, "data.csv").delete_blob()
    place.put("data.csv", b"again")
    assert storage.get(f"{FILES}/{file['id']}").json["sizeBytes"] == 5


def test_metadata_is_replaced_and_the_bytes_stay(place: Container) -> None:
    place.put("b", b"12345", x_ms_meta_a="1", x_ms_blob_content_type="text/csv", x_ms_blob_cache_control="no-store")
    blob = open_blob(place)
    before = blob.get_blob_properties()
    blob.set_blob_metadata({"b": "2", "c": ""})
    after = blob.get_blob_properties()

    assert after.metadata == {"b": "2", "c": ""}
    assert after.etag != before.etag
    assert (after.creation_time, after.size) == (before.creation_time, 5)
    assert (after.content_settings.content_type, after.content_settings.cache_control) == ("text/csv", "no-store")
    assert blob.download_blob().readall() == b"12345"
    for method in ("GET", "HEAD"):
        response = place.send(method, "b", comp="metadata")
        assert (response.status, response.body, response.headers["x-ms-meta-b"]) == (200, b"", "2")


def test_content_headers_are_replaced_and_the_metadata_stays(place: Container) -> None:
    place.put("b", b"12345", x_ms_meta_a="1", x_ms_blob_content_type="text/csv", x_ms_blob_cache_control="no-store")
    blob = open_blob(place)
    blob.set_http_headers(ContentSettings(content_language="cs", content_disposition="inline"))
    seen = blob.get_blob_properties()

    kept = seen.content_settings
    assert (kept.content_language, kept.content_disposition, kept.cache_control) == ("cs", "inline", None)
    assert kept.content_type == "application/octet-stream"
    assert seen.metadata == {"a": "1"}
    assert blob.download_blob().readall() == b"12345"


def test_blocks_are_listed_before_and_after_their_list(place: Container) -> None:
    blob = open_blob(place)
    blob.stage_block("1", b"12345")
    blob.stage_block("2", b"1")
    committed, waiting = blob.get_block_list("all")
    assert (committed, [(block.id, block.size) for block in waiting]) == ([], [("1", 5), ("2", 1)])

    blob.commit_block_list([BlobBlock("2"), BlobBlock("1")])
    blob.stage_block("3", b"<&>")
    committed, waiting = blob.get_block_list("all")
    assert [(block.id, block.size) for block in committed] == [("2", 1), ("1", 5)]
    assert [(block.id, block.size) for block in waiting] == [("3", 3)]
    assert [block.id for block in blob.get_block_list("committed")[0]] == ["2", "1"]
    assert code_of(place.send("GET", "b", comp="blocklist", blocklisttype="magic")) == "InvalidQueryParameterValue"
    with pytest.raises(ResourceNotFoundError):
        open_blob(place, "none").get_block_list()


CHANGES: list[Callable[..., Any]] = [
    lambda blob, **condition: blob.delete_blob(**condition),
    lambda blob, **condition: blob.set_blob_metadata({"a": "2"}, **condition),
    lambda blob, **condition: blob.set_http_headers(ContentSettings(content_type="text/plain"), **condition),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_blob_that_changed_is_not_changed_again(place: Container, change: Callable[..., Any]) -> None:
    place.put("b", b"1", x_ms_meta_a="1")
    blob = open_blob(place)
    old = blob.get_blob_properties().etag
    place.put("b", b"2", x_ms_meta_a="1")

    with pytest.raises(ResourceModifiedError):
        change(blob, etag=old, match_condition=MatchConditions.IfNotModified)
    assert (place.get("b").body, place.get("b").headers["x-ms-meta-a"]) == (b"2", "1")


@pytest.mark.parametrize("change", CHANGES)
def test_a_condition_that_is_not_known_is_refused(place: Container, change: Callable[..., Any]) -> None:
    place.put("b", b"1")

    with pytest.raises(HttpResponseError, match="UnsupportedHeader"):
        change(open_blob(place), lease="6ba7b810-9dad-11d1-80b4-00c04fd430c8")
    assert place.get("b").body == b"1"


def test_a_signature_for_reading_changes_nothing_and_one_of_another_file_neither(storage: Http) -> None:
    file, other = upload(storage, b"1"), to_write(upload(storage, b"2"))
    mine = to_write(file)
    crossed = Container(mine.endpoint, mine.name, other.signature)
    reading = to_read(storage, file["id"])
    for place, code in ((reading, "AuthorizationPermissionMismatch"), (crossed, "AuthenticationFailed")):
        responses = [place.send("PUT", "data.csv", comp=comp) for comp in ("metadata", "properties")]
        for response in (place.send("DELETE", "data.csv"), *responses):
            assert (response.status, code_of(response)) == (403, code)
    assert mine.get("data.csv").body == b"1"


def test_older_versions_are_not_confused_with_the_blob(place: Container) -> None:
    place.put("b", b"1")
    for method in ("GET", "DELETE"):
        asked = place.send(method, "b", snapshot="2026-01-01"), place.send(method, "b", versionid="2026-01-01")
        assert [code_of(response) for response in asked] == ["InvalidQueryParameterValue"] * 2
    assert code_of(place.send("DELETE", "b", headers={"x-ms-delete-snapshots": "only"})) == "InvalidHeaderValue"
    assert place.get("b").body == b"1"


@pytest.mark.parametrize(
    "refused",
    [
        lambda blob: blob.create_snapshot(),
        lambda blob: blob.acquire_lease(),
        lambda blob: blob.set_blob_tags({"a": "1"}),
        lambda blob: blob.get_blob_tags(),
        lambda blob: blob.set_standard_blob_tier("Cool"),
        lambda blob: blob.undelete_blob(),
        lambda blob: blob.create_append_blob(),
        lambda blob: blob.create_page_blob(512),
    ],
)
def test_the_rest_of_the_protocol_is_refused(place: Container, refused: Callable[[Any], Any]) -> None:
    place.put("b", b"1")
    with pytest.raises(HttpResponseError) as caught:
        refused(open_blob(place))

    error: Any = caught.value
    assert (error.status_code, error.error_code in ("InvalidQueryParameterValue", "InvalidHeaderValue")) == (400, True)
    assert place.get("b").body == b"1"
