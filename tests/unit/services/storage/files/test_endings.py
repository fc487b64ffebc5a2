"""Files that are deleted, expire, or can no longer be reached."""

from __future__ import annotations

from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.services.storage.operations.files import files as operations
from tests.support.files import to_read, to_write, upload, upload_slices
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.storage.files.asking import FILES, fetch, listed, on_disk


@pytest.mark.parametrize("query", ["", "?async=1", "?async=true"])
def test_a_deleted_file_is_gone_with_its_bytes(services: ServicesOnly, query: str) -> None:
    storage = services.service("storage")
    file = upload_slices(storage, {"1": b"a", "2": b"b"}, tags=["t"])
    to_write(file).put_block("x", "1", b"staged")
    url = storage.get(f"{FILES}/{file['id']}").json["url"]
    response = storage.delete(f"{FILES}/{file['id']}{query}")

    assert response.status == (202 if query else 204)
    if query:
        job = response.json
        assert (job["operationName"], job["operationParams"]["fileId"]) == ("fileDelete", file["id"])
        wait_for(lambda: storage.get(f"/v2/storage/jobs/{job['id']}").json["status"] == "success")
    assert storage.get(f"{FILES}/{file['id']}").status == 404
    assert fetch(url).status == to_write(file).put("x", b"1").status == 404
    assert listed(storage, **{"tags[]": "t"}) == []
    assert on_disk(services) == []


def test_a_job_that_deletes_twice_deletes_once(services: ServicesOnly) -> None:
    file = upload(services.service("storage"), b"1")
    for _ in range(2):
        operations.remove_file(services.stack, services.project.id, file["id"])

    assert on_disk(services) == []


def test_a_file_expires_and_then_its_bytes_go(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    storage = services.service("storage")
    kept, gone = upload(storage, b"kept", isPermanent=True), upload(storage, b"gone", tags=["t"])
    now = clock.now()

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=14, hours=23))
    operations.remove_expired(services.stack)
    assert listed(storage) == [gone["id"], kept["id"]]

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=15, seconds=1))
    assert storage.get(f"{FILES}/{gone['id']}").status == storage.delete(f"{FILES}/{gone['id']}").status == 404
    assert listed(storage) == [kept["id"]]
    assert listed(storage, showExpired=1) == [gone["id"], kept["id"]]
    assert len(on_disk(services)) == 2

    operations.remove_expired(services.stack)
    assert [path.read_bytes() for path in on_disk(services)] == [b"kept"]
    assert listed(storage, showExpired="true") == [gone["id"], kept["id"]]

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=46))
    operations.remove_expired(services.stack)
    assert listed(storage, showExpired="true") == [kept["id"]]
    assert to_read(storage, kept["id"]).get("data.csv").body == b"kept"


def test_unreachable_data_is_removed(services: ServicesOnly) -> None:
    storage, root = services.service("storage"), services.stack.files_folder
    kept = upload(storage, b"kept")
    to_write(kept).put_block("b", "1", b"being uploaded")
    for orphan in ("stored/999/x", "staged/998/y"):
        (root / orphan).parent.mkdir(parents=True)
        (root / orphan).write_bytes(b"orphan")
    before = on_disk(services)
    operations.remove_expired(services.stack)

    assert {path.name for path in before} - {path.name for path in on_disk(services)} == {"x", "y"}
    assert to_write(kept).put_list("b", ["1"]).status == 201
