"""Files of a project, through the client."""

from __future__ import annotations

import io
import os
from pathlib import Path

import msgspec
import pytest

from penstock.client import Client, NotAStack, NotThere, RequestRefused, StorageJob, blobs
from tests.support.api import Api
from tests.support.stacks import RunningStack


@pytest.mark.parametrize("size", [0, 1, 5, 6, 12, 13])
def test_bytes_come_back_whatever_their_number_of_blocks(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(blobs, "BLOCK_BYTES", 6)
    monkeypatch.setattr(blobs, "RANGE_BYTES", 5)
    content, counted = os.urandom(size), list[int]()
    (tmp_path / "some file.bin").write_bytes(content)

    file = client.files.upload(tmp_path / "some file.bin", tags=["of-a-test"], on_bytes=counted.append)
    received = io.BytesIO()
    client.files.download(file.id, received, on_bytes=counted.append)

    assert received.getvalue() == content
    assert sum(counted) == 2 * size
    assert (file.name, file.size_bytes, file.tags) == ("some_file.bin", size, ["of-a-test"])
    client.files.delete(file.id)


def test_files_are_found_by_any_of_their_tags_newest_first(client: Client) -> None:
    for number, tags in enumerate((["red"], ["blue"], ["red", "green"])):
        client.files.upload(io.BytesIO(b"x"), f"tagged-{number}.txt", tags=tags)

    assert [file.name for file in client.files.list(["red", "green"])] == ["tagged_2.txt", "tagged_0.txt"]
    assert [file.name for file in client.files.list(search="name:tagged", limit=1, offset=1)] == ["tagged_1.txt"]


def test_an_interrupted_upload_leaves_no_file(client: Client) -> None:
    class Interrupted(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.files.upload(Interrupted(), "never.bin", tags=["interrupted"])

    assert client.files.list(["interrupted"]) == []


def test_a_file_that_does_not_exist_is_an_error(client: Client) -> None:
    with pytest.raises(NotThere):
        client.files.download(999_999, io.BytesIO())
    with pytest.raises(RequestRefused):
        client.files.get("../tables")


def test_the_files_of_another_provider_are_refused_with_the_reason(pretender: Api, visitor: Client) -> None:
    pretender.on("/v2/storage/files/prepare", {"id": 1, "name": "a", "provider": "aws"})
    pretender.on("/v2/storage/files/2", {"id": 2, "name": "b", "provider": "gcp", "isSliced": True})

    with pytest.raises(blobs.WrongProvider, match="'aws'"):
        visitor.files.upload(io.BytesIO(b""), "a")
    with pytest.raises(blobs.WrongProvider, match="'gcp'"):
        visitor.files.download(2, io.BytesIO())


def test_the_slices_of_a_file_are_joined_in_the_order_of_the_manifest(client: Client, stack: RunningStack) -> None:
    client.tables.load("in.c-slices.rows", io.BytesIO(b"id\n1\n2\n"))
    started = stack.storage.post("/v2/storage/tables/in.c-slices.rows/export-async", {}).json
    job = client.storage_jobs.wait(msgspec.convert(started, StorageJob))
    received = io.BytesIO()

    client.files.download(job.results["file"]["id"], received)

    assert sorted(received.getvalue().split()) == [b'"1"', b'"2"']


def test_a_broken_manifest_is_named(pretender: Api, visitor: Client) -> None:
    credentials = {"SASConnectionString": f"BlobEndpoint={pretender.url};SharedAccessSignature=s=1"}
    file = {"id": 3, "name": "c", "isSliced": True, "url": f"{pretender.url}/manifest"}
    path = {"absPath": {"container": "x", "name": "c"}, "absCredentials": credentials}
    pretender.on("/v2/storage/files/3", {**file, **path})
    pretender.on("/manifest", {"slices": []})

    with pytest.raises(NotAStack, match="manifest of file 3"):
        visitor.files.download(3, io.BytesIO())
