"""The shape of what a stack and the client send each other."""

from __future__ import annotations

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """camelCase outside, snake_case here."""
