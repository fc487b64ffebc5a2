"""Official programs and files: the Python client of the platform and the vendor's blob library, as they are on PyPI."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError, ResourceExistsError, ResourceNotFoundError
from azure.storage.blob import BlobBlock, BlobClient, ContainerClient, ContentSettings
from kbcstorage.files import Files

from tests.support.files import prepare, to_read, to_write, upload_slices
from tests.support.http import Http
from tests.support.stacks import RunningStack, wait_for

MIB = 1 << 20


@pytest.fixture
def files(stack: RunningStack) -> Any:
    return Files(stack.greeting["storageUrl"], stack.greeting["token"])


@pytest.fixture
def open_blob(stack: RunningStack) -> Callable[[], BlobClient]:
    """A blob of a file that was just prepared."""

    def make() -> BlobClient:
        params = prepare(stack.storage)["absUploadParams"]
        connection = params["absCredentials"]["SASConnectionString"]
        return BlobClient.from_connection_string(connection, params["container"], params["blobName"])

    return make


@pytest.mark.parametrize("size", [0, 1, 1000, 5 * MIB])
def test_the_blob_library_uploads_and_downloads(open_blob: Callable[[], BlobClient], size: int) -> None:
    content, blob = os.urandom(size), open_blob()
    blob.upload_blob(content, content_settings=ContentSettings(content_type="text/csv", content_disposition="inline"))

    assert blob.download_blob().readall() == content
    seen = blob.get_blob_properties()
    assert (seen.size, seen.content_settings.content_type) == (size, "text/csv")
    assert seen.content_settings.content_disposition == "inline"
    assert seen.creation_time
    assert seen.last_modified


def test_the_blob_library_uploads_in_blocks_side_by_side_and_downloads_in_ranges(
    open_blob: Callable[[], BlobClient],
) -> None:
    content, blob = os.urandom(70 * MIB), open_blob()
    blob.upload_blob(content, max_concurrency=4)

    assert blob.download_blob(max_concurrency=4).readall() == content
    assert blob.download_blob(offset=69 * MIB, length=2 * MIB).readall() == content[69 * MIB :]
    assert blob.download_blob(offset=5, length=7).readall() == content[5:12]


def test_the_blob_library_gets_back_what_it_said_about_a_blob(open_blob: Callable[[], BlobClient]) -> None:
    said = ContentSettings(content_type="text/csv", content_language="cs", cache_control="no-store")
    for content in (b"small", os.urandom(65 * MIB)):
        blob = open_blob()
        blob.upload_blob(content, content_settings=said, metadata={"project": "orders", "made_by": "Ada"})
        seen = blob.get_blob_properties()
        assert seen.metadata == {"project": "orders", "made_by": "Ada"}
        kept = seen.content_settings
        assert (kept.content_type, kept.content_language, kept.cache_control) == ("text/csv", "cs", "no-store")
        assert blob.download_blob().properties.metadata == seen.metadata


def test_the_blob_library_copies(open_blob: Callable[[], BlobClient]) -> None:
    source, target, created = open_blob(), open_blob(), open_blob()
    source.upload_blob(b"content", metadata={"a": "1"})
    target.upload_blob(b"old")
    started = target.start_copy_from_url(source.url)
    created.upload_blob_from_url(source.url)

    assert started["copy_status"] == "success"
    assert target.get_blob_properties().copy.status == "success"
    assert target.get_blob_properties().metadata == {"a": "1"}
    assert target.download_blob().readall() == created.download_blob().readall() == b"content"
    with pytest.raises(HttpResponseError, match="InvalidHeaderValue"):
        target.start_copy_from_url("https://elsewhere.example/blob")
    with pytest.raises(HttpResponseError, match="UnsupportedHeader"):
        target.stage_block_from_url("MQ==", source.url)
    assert target.download_blob().readall() == b"content"


def test_the_blob_library_lists_describes_and_deletes(open_blob: Callable[[], BlobClient]) -> None:
    blob = open_blob()
    blob.stage_block("1", b"12345")
    assert [block.id for block in blob.get_block_list("uncommitted")[1]] == ["1"]
    blob.commit_block_list([BlobBlock("1")])
    blob.set_blob_metadata({"a": "1"})
    blob.set_http_headers(ContentSettings(content_type="text/csv"))
    container = ContainerClient.from_container_url(blob.url.replace(f"/{blob.blob_name}?", "?"))

    assert container.exists()
    [seen] = container.list_blobs(include=["metadata"])
    assert (seen.name, seen.size, seen.metadata) == (blob.blob_name, 5, {"a": "1"})
    assert seen.content_settings.content_type == "text/csv"
    assert blob.download_blob().readall() == b"12345"
    with pytest.raises(HttpResponseError, match="InvalidQueryParameterValue"):
        blob.create_snapshot()
    blob.delete_blob()
    assert list(container.list_blobs()) == []


def test_the_blob_library_is_told_what_is_wrong(open_blob: Callable[[], BlobClient]) -> None:
    blob = open_blob()
    with pytest.raises(ResourceNotFoundError, match="The specified blob does not exist"):
        blob.download_blob()
    blob.upload_blob(b"1")
    with pytest.raises(ResourceExistsError):
        blob.upload_blob(b"2")
    blob.upload_blob(b"3", overwrite=True)
    assert blob.download_blob().readall() == b"3"
    stranger = BlobClient.from_blob_url(blob.url.replace("sig=", "sig=x"))
    with pytest.raises(HttpResponseError, match="AuthenticationFailed") as caught:
        stranger.download_blob()
    assert caught.value.status_code == 403


def test_a_file_is_uploaded_found_downloaded_and_deleted(files: Any, tmp_path: Path) -> None:
    (tmp_path / "my file.csv").write_bytes(b"foobar")
    file_id = files.upload_file(str(tmp_path / "my file.csv"), tags=["py-test", "file1"])
    other = files.upload_file(str(tmp_path / "my file.csv"), tags=["py-test", "file2"])

    detail = files.detail(file_id)
    assert (detail["id"], detail["sizeBytes"], detail["isEncrypted"]) == (file_id, 6, True)
    assert "credentials" not in detail
    assert [file["id"] for file in files.list(tags=["py-test"])] == [other, file_id]
    assert [file["id"] for file in files.list(q='tags:"py-test" AND tags:"file2"')] == [other]
    saved = files.download(file_id, str(tmp_path / "down"))
    assert Path(saved).read_bytes() == b"foobar"
    assert Path(saved).name == "my_file.csv"

    files.delete(file_id)
    with pytest.raises(Exception, match="404"):
        files.detail(file_id)
    files.delete(other)


def test_a_compressed_and_an_empty_file_come_back(files: Any, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a" * 1000)
    (tmp_path / "empty").touch()
    compressed = files.upload_file(str(tmp_path / "a.csv"), compress=True)
    empty = files.upload_file(str(tmp_path / "empty"))

    saved = files.download(compressed, str(tmp_path / "down"))
    assert saved.endswith("a.csv.gz")
    assert Path(saved).read_bytes() == (tmp_path / "a.csv.gz").read_bytes()
    assert Path(files.download(empty, str(tmp_path / "down"))).read_bytes() == b""


def test_a_sliced_file_is_put_together_by_the_client(
    files: Any, stack: RunningStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = upload_slices(stack.storage, {"_001.csv": b"1\n2\n", "_000.csv": b"3\n", "_002.csv": b""}, "sliced.csv")
    # The client writes slices into the current folder.
    monkeypatch.chdir(tmp_path)

    assert Path(files.download(file["id"], str(tmp_path / "down"))).read_bytes() == b"1\n2\n3\n"


def test_the_address_of_a_file_needs_nothing_else(files: Any, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"plain")
    base, _, query = files.detail(files.upload_file(str(tmp_path / "a")))["url"].partition("?")

    assert Http(base).get(f"?{query}").body == b"plain"


@pytest.mark.faults
def test_what_was_taken_is_there_after_a_kill(tmp_path: Path) -> None:
    taken: dict[int, bytes] = {}
    for wanted in range(8, 32, 8):
        stack = RunningStack(tmp_path / "data")
        clients = [threading.Thread(target=upload_until_it_ends, args=(stack.storage, taken)) for _ in range(4)]
        for client in clients:
            client.start()
        wait_for(lambda wanted=wanted: len(taken) >= wanted)
        stack.stop(signal.SIGKILL)
        for client in clients:
            client.join()

    stack = RunningStack(tmp_path / "data")
    try:
        for file_id, content in taken.items():
            assert to_read(stack.storage, file_id).get("data.csv").body == content
    finally:
        stack.stop()


def upload_until_it_ends(storage: Http, taken: dict[int, bytes]) -> None:
    """In turn as a whole and in blocks."""
    try:
        while True:
            file, content = prepare(storage), os.urandom(300_000)
            place, in_blocks = to_write(file), len(taken) % 2
            if in_blocks:
                place.put_block("data.csv", "1", content[:200_000])
                place.put_block("data.csv", "2", content[200_000:])
            done = place.put_list("data.csv", ["1", "2"]) if in_blocks else place.put("data.csv", content)
            assert done.status == 201
            taken[file["id"]] = content
    except (OSError, HTTPException):
        return
