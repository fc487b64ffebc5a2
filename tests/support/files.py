"""Files for tests: prepared, and filled through the blob endpoint as official clients do it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from tests.support.http import Http, Response

PREPARE = "/v2/storage/files/prepare"


@dataclass(frozen=True)
class Container:
    """The place of one file's blobs, with the signature that opens it."""

    endpoint: str
    name: str
    signature: str

    def send(
        self, method: str, blob: str, body: bytes | None = None, headers: dict[str, str] | None = None, **query: str
    ) -> Response:
        asked = f"{urlencode(query)}&{self.signature}" if query else self.signature
        return Http(self.endpoint).send(method, f"/{self.name}/{quote(blob)}?{asked}", body, headers)

    def put(self, blob: str, body: bytes, **headers: str) -> Response:
        return self.send("PUT", blob, body, {"x-ms-blob-type": "BlockBlob", **_names(headers)})

    def get(self, blob: str, **headers: str) -> Response:
        return self.send("GET", blob, headers=_names(headers))

    def put_block(self, blob: str, block_id: str, body: bytes, **headers: str) -> Response:
        return self.send("PUT", blob, body, _names(headers), comp="block", blockid=block_id)

    def put_list(self, blob: str, ids: list[str], place: str = "Latest", **headers: str) -> Response:
        lines = "".join(f"<{place}>{block_id}</{place}>" for block_id in ids)
        body = f'<?xml version="1.0" encoding="utf-8"?>\n<BlockList>{lines}</BlockList>'
        return self.send("PUT", blob, body.encode(), _names(headers), comp="blocklist")


def prepare(storage: Http, name: str = "data.csv", **fields: Any) -> dict[str, Any]:
    response = storage.post(PREPARE, {"name": name, "federationToken": True, **fields})
    assert response.status == 201, response.text
    return response.json


def to_write(file: dict[str, Any]) -> Container:
    """Where to upload a file that was just prepared."""
    upload = file["absUploadParams"]
    return _open(upload["absCredentials"], upload["container"])


def to_read(storage: Http, file_id: int) -> Container:
    file = storage.get(f"/v2/storage/files/{file_id}?federationToken=1").json
    return _open(file["absCredentials"], file["absPath"]["container"])


def upload(storage: Http, content: bytes, name: str = "data.csv", **fields: Any) -> dict[str, Any]:
    """A file with something in it."""
    file = prepare(storage, name, **fields)
    response = to_write(file).put(file["absUploadParams"]["blobName"], content)
    assert response.status == 201, response.text
    return file


def upload_slices(storage: Http, slices: dict[str, bytes], name: str = "data.csv", **fields: Any) -> dict[str, Any]:
    """A sliced file, in the order of official clients: the slices, then the manifest."""
    file = prepare(storage, name, isSliced=True, **fields)
    container, blob = to_write(file), file["absUploadParams"]["blobName"]
    for slice_name, content in slices.items():
        assert container.put(f"{blob}{slice_name}", content).status == 201
    place = f"azure://{file['absUploadParams']['accountName']}.blob.core.windows.net/{container.name}"
    entries = ",".join(f'{{"url":"{place}/{blob}{slice_name}"}}' for slice_name in slices)
    assert container.put(f"{blob}manifest", f'{{"entries":[{entries}]}}'.encode()).status == 201
    return file


def _open(credentials: dict[str, str], container: str) -> Container:
    endpoint, _, signature = credentials["SASConnectionString"].partition(";")
    return Container(
        endpoint.removeprefix("BlobEndpoint="), container, signature.removeprefix("SharedAccessSignature=")
    )


def _names(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
