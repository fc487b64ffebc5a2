"""A service as others see it in an index: what it is called, and its specification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    is_listed: bool
    is_documented: bool
    specify: Callable[[str], dict[str, Any]]
    """Makes the OpenAPI document, with the server it is given."""
