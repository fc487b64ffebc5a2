"""Images to push, and a client that pushes them step by step."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from tests.support.http import Http, Response
from tests.unit.services.developer.portal import App

IMAGE = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
LAYER, CONFIG = b"a layer, which nobody unpacks here", b"{}"


def digest_of(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def basic(password: str, username: str = "penstock") -> dict[str, str]:
    return {"Authorization": f"Basic {base64.b64encode(f'{username}:{password}'.encode()).decode()}"}


def make_manifest(*layers: bytes, config: bytes = CONFIG, **more: Any) -> bytes:
    blobs = [{"mediaType": "application/octet-stream", "digest": digest_of(each), "size": len(each)} for each in layers]
    described = {"mediaType": "application/json", "digest": digest_of(config), "size": len(config)}
    return json.dumps({"schemaVersion": 2, "mediaType": IMAGE, "config": described, "layers": blobs, **more}).encode()


@dataclass(frozen=True)
class Registry:
    """The registry of a stack, as a client of one app sees it: at the root of the address of the stack."""

    http: Http
    name: str

    @property
    def path(self) -> str:
        return f"/v2/{self.name}"

    def upload(self, content: bytes) -> str:
        """In one request; returns the digest."""
        digest = digest_of(content)
        made = self.http.send("POST", f"{self.path}/blobs/uploads/?digest={digest}", content)
        assert made.status == 201, made.text
        return digest

    def begin(self) -> str:
        """The path of a new upload."""
        begun = self.http.send("POST", f"{self.path}/blobs/uploads/", b"")
        assert begun.status == 202, begun.text
        return begun.headers["location"]

    def append(self, location: str, content: bytes, start: int | None = None) -> Response:
        headers = {"Content-Type": "application/octet-stream"}
        if start is not None:
            headers["Content-Range"] = f"{start}-{start + len(content) - 1}"
        return self.http.send("PATCH", location, content, headers)

    def finish(self, location: str, digest: str, content: bytes = b"") -> Response:
        return self.http.send("PUT", f"{location}?digest={digest}", content)

    def put(self, reference: str, manifest: bytes, media_type: str = IMAGE) -> Response:
        return self.http.send("PUT", f"{self.path}/manifests/{reference}", manifest, {"Content-Type": media_type})

    def push(self, tag: str, layer: bytes = LAYER) -> str:
        """An image of one layer; returns its digest."""
        self.upload(layer)
        self.upload(CONFIG)
        made = self.put(tag, make_manifest(layer))
        assert made.status == 201, made.text
        return made.headers["docker-content-digest"]

    def get(self, what: str, **headers: str) -> Response:
        return self.http.send("GET", f"{self.path}/{what}", None, headers)


def open_registry(app: App, client: Http | None = None) -> Registry:
    """With credentials of the app, as an account of its vendor, or as somebody else."""
    found = (client or app.vendor.client).get(f"{app.path}/repository")
    assert found.status == 200, found.text
    credentials = found.json["credentials"]
    return Registry(
        Http(f"http://{found.json['registry']}", headers=basic(credentials["password"], credentials["username"])),
        found.json["repository"],
    )


def codes(response: Response) -> list[str]:
    return [each["code"] for each in response.json["errors"]]
