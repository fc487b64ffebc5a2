"""Images as stored, and what the registry reads of a manifest."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.services.developer.registry.errors import ManifestInvalid
from penstock.services.developer.registry.names import check_digest

MAX_MANIFEST_BYTES = 4 << 20
MAX_REFERENCES = 1_000
"""Blobs, or manifests, that one manifest names."""
IMAGES = (
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
INDEXES = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
)
_ELSEWHERE = ("nondistributable", ".foreign.")
"""In the types of layers that clients get from other places, and do not push."""


class BlobRow(msgspec.Struct, frozen=True, kw_only=True):
    app_id: str
    digest: str
    size_bytes: int
    content_id: int
    content: str
    """With `content_id`, where the bytes are. Rows of several apps may have the same."""
    created: datetime


class ManifestRow(msgspec.Struct, frozen=True, kw_only=True):
    app_id: str
    digest: str
    media_type: str
    content: bytes
    refers_to: list[str]
    created: datetime
    created_by: str


class UploadRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    app_id: str
    created: datetime


class Descriptor(msgspec.Struct, frozen=True, rename="camel"):
    digest: str
    media_type: str = ""

    @property
    def is_elsewhere(self) -> bool:
        return any(word in self.media_type for word in _ELSEWHERE)


class Manifest(msgspec.Struct, frozen=True, rename="camel"):
    """What an image or an index names. The rest is kept as it was sent."""

    schema_version: int
    media_type: str = ""
    config: Descriptor | None = None
    layers: list[Descriptor] = []
    manifests: list[Descriptor] = []


class Named(msgspec.Struct, frozen=True):
    """What must be in the repository before a manifest."""

    blobs: list[str]
    manifests: list[str]


def read_manifest(content: bytes, media_type: str) -> Named:
    """Raises ManifestInvalid for what is not an image or an index."""
    if media_type not in (*IMAGES, *INDEXES):
        raise ManifestInvalid(
            f'"{media_type[:150]}" is not a type of manifest that this registry stores. Use one of: '
            f"{', '.join((*IMAGES, *INDEXES))}"
        )
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ManifestInvalid(f"The manifest cannot be read: {error}") from error
    return _check(manifest, media_type)


def _check(manifest: Manifest, media_type: str) -> Named:
    if manifest.schema_version != 2:
        raise ManifestInvalid(f"`schemaVersion` must be 2, and is {manifest.schema_version}.")
    if manifest.media_type and manifest.media_type != media_type:
        raise ManifestInvalid(f'`mediaType` is "{manifest.media_type[:150]}", and the Content-Type "{media_type}".')
    if media_type in IMAGES and not manifest.config:
        raise ManifestInvalid("The manifest of an image needs `config`.")
    config = [manifest.config] if manifest.config else []
    blobs = [check_digest(each.digest) for each in (*config, *manifest.layers) if not each.is_elsewhere]
    manifests = [check_digest(each.digest) for each in manifest.manifests]
    if len(blobs) + len(manifests) > MAX_REFERENCES:
        raise ManifestInvalid(f"The manifest names more than {MAX_REFERENCES:,} blobs and manifests.")
    return Named(list(dict.fromkeys(blobs)), list(dict.fromkeys(manifests)))
