"""Files and tables created over HTTP, as clients do."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from penstock.foundation.stack import Stack
from penstock.services.storage.worker import Worker
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import Project


@contextmanager
def working(stack: Stack) -> Generator[None]:
    """With a worker, for a stack whose own was stopped."""
    worker = Worker(stack, "w")
    thread = threading.Thread(target=worker.run)
    thread.start()
    try:
        yield
    finally:
        worker.stop()
        thread.join()


def storage(services: ServicesOnly, project: Project | None = None) -> Http:
    http = services.service("storage", project.token if project else None)
    return Http(f"{http.base}/v2/storage", http.token)


def upload(http: Http, content: bytes | str, name: str = "data.csv", **fields: Any) -> int:
    """A file of one blob."""
    prepared = http.post("/files/prepare", {"name": name, "federationToken": True, **fields}).json
    put_blob(prepared, prepared["absUploadParams"]["blobName"], content)
    return prepared["id"]


def put_blob(prepared: dict[str, Any], name: str, content: bytes | str) -> None:
    params = prepared["absUploadParams"]
    parts = dict(part.split("=", 1) for part in params["absCredentials"]["SASConnectionString"].split(";"))
    address = urlsplit(parts["BlobEndpoint"])
    path = f"{address.path}/{params['container']}/{name}?{parts['SharedAccessSignature']}"
    body = content.encode() if isinstance(content, str) else content
    response = Http(f"{address.scheme}://{address.netloc}").send("PUT", path, body, {"x-ms-blob-type": "BlockBlob"})
    assert response.status == 201, response.text


def run(http: Http, response: Response) -> dict[str, Any]:
    """The job that a response names, when it has ended."""
    assert response.status == 202, response.text
    path = f"/jobs/{response.json['id']}"
    return wait_for(lambda: (job := http.get(path).json)["status"] in ("success", "error") and job)


def succeed(http: Http, response: Response) -> Any:
    job = run(http, response)
    assert job["status"] == "success", job
    return job["results"]


def fail(http: Http, response: Response) -> tuple[str, str]:
    """Code and message of a job that went wrong."""
    job = run(http, response)
    assert job["status"] == "error", job
    return job["error"]["code"], job["error"]["message"]


def make_table(http: Http, content: bytes | str, name: str = "users", bucket: str = "main", **fields: Any) -> Any:
    http.post("/buckets", {"name": bucket})
    body = {"name": name, "dataFileId": upload(http, content), **fields}
    return succeed(http, http.post(f"/buckets/in.c-{bucket}/tables-async", body))


def load(http: Http, table_id: str, content: bytes | str, name: str = "data.csv", **fields: Any) -> Response:
    body = {"dataFileId": upload(http, content, name), **fields}
    return http.post(f"/tables/{table_id}/import-async", body)


def rows(http: Http, table_id: str, query: str = "") -> list[list[str]]:
    """Sorted: a table has no order."""
    text = http.get(f"/tables/{table_id}/data-preview?limit=1000{query}").text
    return sorted(list(csv.reader(io.StringIO(text, newline="")))[1:])
