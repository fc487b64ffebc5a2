"""The registry over HTTP. OCI Distribution specifies the protocol, so the rows are not in the OpenAPI document."""

from __future__ import annotations

from penstock.services.developer.registry.routes import blobs, manifests, uploads
from penstock.web.routing import Route


def routes() -> list[Route]:
    # Uploads first: `uploads` would be a digest.
    return [*uploads.routes(), *blobs.routes(), *manifests.routes()]
