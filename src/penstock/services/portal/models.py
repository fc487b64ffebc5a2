"""Responses of Portal."""

from __future__ import annotations

import msgspec


class ApiEntry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    name: str
    api_url: str
    open_api_spec_url: str


class Apis(msgspec.Struct, frozen=True):
    stack: str
    services: list[ApiEntry]
