"""Files that exports make."""

from __future__ import annotations

import pytest

from penstock.services.storage.operations.files import files as operations
from tests.support.files import to_read
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.storage.files.asking import FILES, contents, fetch, on_disk, read


def export(services: ServicesOnly, slices: dict[str, bytes], url: str, times: int = 1) -> int:
    """An export as a job makes it."""
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        row = operations.new_export(tx, caller, "in.c-main.users.csv", ["table-export"])
    folder = operations.export_folder(services.stack, row)
    written = [(name, folder / f"part{number}") for number, name in enumerate(slices)]
    for (_, path), content in zip(written, slices.values(), strict=True):
        path.write_bytes(content)
    for _ in range(times):
        operations.publish_export(services.stack, row, written, url)
    return row.id


@pytest.mark.parametrize("times", [1, 2])
def test_an_export_is_a_sliced_file_with_a_manifest(services: ServicesOnly, times: int) -> None:
    storage = services.service("storage")
    file_id = export(services, {"0.csv": b'"1"\n', "1.csv": b'"2"\n'}, storage.base, times)
    file = storage.get(f"{FILES}/{file_id}?federationToken=1").json
    place = to_read(storage, file_id)
    manifest = place.get(f"{file['absPath']['name']}manifest").json

    assert (file["isSliced"], file["maxAgeDays"], file["tags"], file["sizeBytes"]) == (True, 2, ["table-export"], 8)
    urls = [entry["url"] for entry in manifest["entries"]]
    assert urls == [f"{place.endpoint}/{place.name}/in.c-main.users.csv{name}" for name in ("0.csv", "1.csv")]
    blobs = [url.split(f"blob.core.windows.net/{place.name}/")[1] for url in urls]
    assert [place.get(blob).body for blob in blobs] == [b'"1"\n', b'"2"\n']
    assert fetch(file["url"]).json == manifest
    assert contents(read(services, file_id)) == [b'"1"\n', b'"2"\n']
    assert len(on_disk(services)) == 3


def test_over_https_slices_are_named_as_official_clients_expect(services: ServicesOnly) -> None:
    file_id = export(services, {"0": b"x"}, "https://connection.example.test")
    place = to_read(services.service("storage"), file_id)
    [entry] = place.get("in.c-main.users.csvmanifest").json["entries"]

    assert entry["url"].startswith(
        f"azure://connection.example.test/penstock.blob.core.windows.net/{place.name}/in.c-main.users.csv"
    )


def test_an_export_that_is_written_anew_replaces_the_first(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        row = operations.new_export(tx, caller, "x.csv", [], 1)
    for content in (b"first", b"second"):
        path = operations.export_folder(services.stack, row) / "part"
        path.write_bytes(content)
        operations.publish_export(services.stack, row, [("0", path)], "http://x")

    assert contents(read(services, row.id)) == [b"second"]
    assert len(on_disk(services)) == 2


def test_an_export_without_slices_is_an_empty_one(services: ServicesOnly) -> None:
    assert read(services, export(services, {}, "http://x")).paths == ()
