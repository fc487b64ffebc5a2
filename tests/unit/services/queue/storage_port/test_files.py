"""Files that go in and come out."""

from __future__ import annotations

import json
from typing import Any

from penstock.runtime import input_mapping
from penstock.runtime.data_folder import DataFolder
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.storage_port.ports import fetch, port_of, store
from tests.unit.services.storage.loading import upload


def test_files_come_in_by_their_tags(shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str) -> None:
    ids = [upload(http, f"content {n}", f"{n}.txt", tags=[bucket, *(["odd"] if n % 2 else [])]) for n in range(4)]
    source = {"tags": [{"name": bucket}, {"name": "odd", "match": "exclude"}]}
    fetched = fetch(port_of(shared), folder, files=[{"source": source, "processed_tags": ["done"]}])
    place = folder.path / "in" / "files"

    assert (place / f"{ids[0]}_0.txt").read_text() == "content 0"
    assert sorted(path.name for path in place.iterdir() if path.suffix == ".txt") == [
        f"{ids[0]}_0.txt",
        f"{ids[2]}_2.txt",
    ]
    manifest = json.loads((place / f"{ids[0]}_0.txt.manifest").read_text())
    assert (manifest["id"], manifest["name"], manifest["tags"], manifest["is_sliced"]) == (
        ids[0],
        "0.txt",
        [bucket],
        False,
    )
    input_mapping.mark_processed(port_of(shared), fetched)
    assert [file["id"] for file in http.get(f"/files?q=tags:{bucket}+AND+tags:done").json] == [ids[2], ids[0]]


def test_adaptive_files_come_oldest_first_and_none_is_missed(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    ids = [upload(http, "x", f"{n}.txt", tags=[bucket]) for n in range(3)]
    item = {"tags": [bucket], "changed_since": "adaptive", "limit": 2}
    state: dict[str, Any] = {}
    seen: list[str] = []
    for _ in range(3):
        state = fetch(port_of(shared), folder, state, files=[item]).state
        seen.append(state["files"][0]["lastImportId"])

    assert seen == [str(ids[1]), str(ids[2]), str(ids[2])]


def test_a_sliced_file_goes_out_and_comes_in_as_a_folder(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    port = port_of(shared)
    stored = store(port, folder, {"files/big": {"a": b"1\n", "b": b"2\n"}, "files/big.manifest": {"tags": [bucket]}})
    fetch(port, folder, files=[{"tags": [bucket]}])
    place = folder.path / "in" / "files" / f"{stored.file_ids[0]}_big"

    assert [path.read_text() for path in sorted(place.iterdir())] == ["1\n", "2\n"]
    assert http.get(f"/files/{stored.file_ids[0]}").json["isSliced"] is True


def test_files_get_tags_that_say_whose_they_are_and_are_stored_once(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    files = {"files/a.txt": "hello", "files/a.txt.manifest": {"tags": [bucket], "is_permanent": True}}
    first, again = store(port_of(shared), folder, files), store(port_of(shared), folder, files)
    [file] = http.get(f"/files?tags[]={bucket}").json

    assert first.file_ids == again.file_ids == [file["id"]]
    assert file["tags"] == [
        bucket,
        "componentId: my.component",
        "configurationId: c1",
        "configurationRowId: r1",
        "runId: 55",
    ]
    assert (file["sizeBytes"], file["maxAgeDays"]) == (5, None)


def test_a_file_of_a_component_is_named_like_an_upload(
    shared: ServicesOnly, http: Http, folder: DataFolder, bucket: str
) -> None:
    stored = store(
        port_of(shared),
        folder,
        {"files/my-report (1).csv": "x", "files/my-report (1).csv.manifest": {"tags": [bucket]}},
    )

    assert http.get(f"/files/{stored.file_ids[0]}").json["name"] == "my_report__1_.csv"
