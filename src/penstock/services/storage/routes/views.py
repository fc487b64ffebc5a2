"""Shared by the routes of buckets and tables: the viewer, and query parameters."""

from __future__ import annotations

import msgspec

from penstock.foundation.stacks import STORAGE
from penstock.foundation.structs import Wire
from penstock.services.storage.operations.tables.views import Viewer
from penstock.web.requests import Request


class IncludeQuery(Wire, frozen=True):
    """A comma-separated list; absent and empty differ."""

    include: str | None = None
    """Comma-separated parts to return as well: of buckets `metadata` and `linkedBuckets`, of tables `buckets`,
    `columns`, `columnMetadata`, `definition`, `metadata`, `sourceMetadata` and `sourceColumnMetadata`. Without it, a
    default set is returned; if it is empty, none of them."""

    def members(self, default: frozenset[str]) -> frozenset[str]:
        return default if self.include is None else frozenset(self.include.split(","))


class DeletionQuery(Wire, frozen=True):
    """`force` deletes the contents too; `async` returns a job."""

    force: bool = False
    """Whether it is deleted together with what it contains or what depends on it."""
    is_async: bool = msgspec.field(default=False, name="async")
    """Whether the response is 202 with a job. Otherwise the request waits for the end."""


def viewer_of(request: Request) -> Viewer:
    return Viewer(request.caller, request.addresses.url_of(STORAGE))
