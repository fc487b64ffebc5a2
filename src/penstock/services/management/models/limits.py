"""Limits of a project as clients see them."""

from __future__ import annotations

import msgspec


class Limit(msgspec.Struct, frozen=True):
    """A limit, or what is measured of a project."""

    name: str
    value: float
