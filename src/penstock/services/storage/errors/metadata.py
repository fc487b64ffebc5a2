"""Errors of metadata."""

from __future__ import annotations

from penstock.foundation.errors import Forbidden, Invalid, NotFound


class MetadataNotFound(NotFound):
    code = "storage.metadata.notFound"

    def __init__(self, metadata_id: str, kind: str, object_id: str) -> None:
        super().__init__(f'Metadata "{metadata_id}" not found for {kind} "{object_id}".')


class InvalidProvider(Invalid):
    code = "storage.metadata.invalidProvider"


class ReservedProvider(Forbidden):
    code = "storage.metadata.invalidProvider"

    def __init__(self) -> None:
        super().__init__('The provider "storage" is reserved for Storage itself.')


class InvalidMetadataKey(Invalid):
    code = "storage.metadata.invalidKey"

    def __init__(self, key: str) -> None:
        super().__init__(
            f'"{key[:300]}" is not a valid metadata key: use at most 255 letters, digits, dots, dashes and underscores.'
        )


class InvalidMetadata(Invalid):
    code = "storage.metadata.invalidStructure"


class TooManyItems(Invalid):
    code = "storage.metadata.tooManyItems"

    def __init__(self, limit: int, whose: str = "A request, a manifest and an object each have") -> None:
        super().__init__(f"{whose} at most {limit:,} items of metadata. Send fewer, or remove existing ones.")
