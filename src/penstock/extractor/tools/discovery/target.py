"""The request that discovery starts from, and what a description of the API says about it."""

from __future__ import annotations

import msgspec

from penstock.extractor.tools.curl.command import Command


class Target(msgspec.Struct, frozen=True):
    command: Command
    declared: tuple[str, ...] = ()
    """Names of query parameters that an OpenAPI document declares for this endpoint."""
    needs: tuple[str, ...] = ()
    """What an OpenAPI document says that requests must carry, and this one does not."""
