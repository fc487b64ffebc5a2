"""Failing loads, and events of clients: nothing that users read contains a path of the machine."""

from __future__ import annotations

import gzip

import pytest

from tests.support.files import upload, upload_slices
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import fail, storage

BROKEN = {
    "gzip.csv.gz": b"no gzip",
    "cut.csv.gz": gzip.compress(b"id\n" + b"1\n" * 10_000)[:50],
    "ragged.csv": b"id,name\n1\n2,3,4,5\n",
    "bytes.csv": b"\xff\xfe\x00id\n\x00\xd8",
    "quotes.csv": b'id\n"1\n',
    "empty.csv": b"",
}


@pytest.mark.parametrize("name", BROKEN)
def test_no_error_of_a_load_holds_a_path(shared: ServicesOnly, name: str) -> None:
    http = storage(shared)
    http.post("/buckets", {"name": "main"})
    file = upload(shared.service("storage"), BROKEN[name], name)
    response = http.post("/buckets/in.c-main/tables-async", {"name": "t", "dataFileId": file["id"]})

    _code, message = fail(http, response)

    assert str(shared.stack.folder) not in message
    assert str(shared.stack.folder) not in http.get("/jobs").text


def test_no_error_of_a_sliced_file_holds_a_path(shared: ServicesOnly) -> None:
    http = storage(shared)
    http.post("/buckets", {"name": "main"})
    file = upload_slices(shared.service("storage"), {"1.gz": b"no gzip"})
    body = {"name": "t", "dataFileId": file["id"], "columns": ["id"]}

    _code, message = fail(http, http.post("/buckets/in.c-main/tables-async", body))

    assert str(shared.stack.folder) not in message


def test_an_event_that_a_program_sends_holds_no_path(shared: ServicesOnly) -> None:
    http, folder = storage(shared), shared.stack.folder
    assert http.post("/events", {"component": "own.says", "message": f"see {folder}/jobs/1/0/1/a"}).status == 201

    [event] = [each for each in http.get("/events").json if each["component"] == "own.says"]
    assert event["message"] == "see /data/a"
