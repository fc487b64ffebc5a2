"""Requests for files over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from penstock.services.storage.models.files import FileSource
from penstock.services.storage.operations.files import files as operations
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project

FILES = "/v2/storage/files"


def listed(storage: Http, **query: Any) -> list[int]:
    response = storage.get(f"{FILES}?{urlencode(query, doseq=True)}")
    assert response.status == 200, response.text
    return [file["id"] for file in response.json]


def on_disk(services: ServicesOnly) -> list[Path]:
    return [path for path in services.stack.files_folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def fetch(url: str) -> Response:
    base, _, query = url.partition("?")
    return Http(base).get(f"?{query}")


def read(services: ServicesOnly, file_id: int) -> FileSource:
    with services.stack.database.reading() as tx:
        row = operations.get_source(tx, services.stack, first_project(services).caller, file_id)
    return operations.open_source(services.stack, row)


def contents(source: FileSource) -> list[bytes]:
    return [path.read_bytes() for path in source.paths]


def manifest_of(*entries: str) -> bytes:
    return f'{{"entries":[{",".join(entries)}]}}'.encode()
