"""Files as the source of an import: whole or sliced, and what is missing."""

from __future__ import annotations

import gzip

import pytest

from penstock.foundation.errors import AppError
from penstock.services.storage.operations.files import files as operations
from tests.support.files import prepare, to_write, upload, upload_slices
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.storage.files.asking import contents, read


def test_an_import_reads_a_file_or_its_slices_in_the_order_of_the_manifest(shared: ServicesOnly, storage: Http) -> None:
    plain = read(shared, upload(storage, b"plain")["id"])
    sliced = read(shared, upload_slices(storage, {"2": b"two", "1": b"one", "3.gz": gzip.compress(b"3")})["id"])

    assert (contents(plain), plain.is_sliced, plain.is_gzipped, plain.size_bytes) == ([b"plain"], False, (False,), 5)
    assert (contents(sliced)[:2], sliced.is_sliced) == ([b"two", b"one"], True)
    assert sliced.is_gzipped == (False, False, True)
    assert sliced.size_bytes == 6 + len(gzip.compress(b"3"))


def test_a_name_in_gz_is_compressed_and_speaks_for_slices_that_look_like_it(
    shared: ServicesOnly, storage: Http
) -> None:
    plain = upload(storage, b"", "data.csv.gz")
    sliced = upload_slices(storage, {"1": gzip.compress(b"1"), "2": b"2,3"}, "data.csv.gz")

    assert read(shared, plain["id"]).is_gzipped == (True,)
    assert read(shared, sliced["id"]).is_gzipped == (True, False)


@pytest.mark.parametrize("scheme", ["azure", "https", "http"])
def test_a_manifest_may_name_its_slices_in_many_ways(shared: ServicesOnly, storage: Http, scheme: str) -> None:
    file = prepare(storage, isSliced=True)
    place = to_write(file)
    place.put("data.csv/part 1", b"one")
    urls = [f"{scheme}://anything/{place.name}/data.csv/part%201", f"{scheme}://x/{place.name}/data.csv/part 1?sig=y"]
    entries = ", ".join(f'{{"url": "{url}", "mandatory": true}}' for url in urls)
    place.put("data.csvmanifest", f'{{"entries": [{entries}], "more": {{}}}}'.encode())

    assert contents(read(shared, file["id"])) == [b"one", b"one"]


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        (None, "storage.manifestFileMissing"),
        (b"", "storage.manifestFileInvalid"),
        (b"not json", "storage.manifestFileInvalid"),
        (b"\xff\xfe", "storage.manifestFileInvalid"),
        (b"[]", "storage.manifestFileInvalid"),
        (b'{"entries": [{}]}', "storage.manifestFileInvalid"),
        (b'{"entries": [{"url": "azure://elsewhere/other/data.csv1"}]}', "storage.manifestFileInvalid"),
        (b"[" * 100_000, "storage.manifestFileInvalid"),
        (b'{"entries": [{"url": "azure://x/CONTAINER/data.csv2"}]}', "storage.importFileMissing"),
    ],
)
def test_what_is_missing_is_said_when_the_file_is_used(
    shared: ServicesOnly, storage: Http, manifest: bytes | None, code: str
) -> None:
    file = prepare(storage, isSliced=True)
    place = to_write(file)
    place.put("data.csv1", b"1")
    if manifest is not None:
        place.put("data.csvmanifest", manifest.replace(b"CONTAINER", place.name.encode()))

    with pytest.raises(AppError) as caught:
        read(shared, file["id"])
    assert (caught.value.status, caught.value.code) == (400, code)
    assert str(file["id"]) in caught.value.message


def test_a_file_that_never_arrived_is_not_uploaded(shared: ServicesOnly, storage: Http) -> None:
    with pytest.raises(AppError, match="nothing was uploaded") as caught:
        read(shared, prepare(storage)["id"])

    assert caught.value.code == "storage.fileNotUploaded"


@pytest.mark.parametrize("file_id", [1, "1", "foo", ""])
def test_an_unknown_source_is_not_found_at_once(shared: ServicesOnly, file_id: str | int) -> None:
    with shared.stack.database.reading() as tx, pytest.raises(AppError, match="File not found"):
        operations.get_source(tx, shared.stack, first_project(shared).caller, file_id)
