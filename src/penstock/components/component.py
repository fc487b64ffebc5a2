"""What a component is."""

from __future__ import annotations

import msgspec


class Component(msgspec.Struct, frozen=True, kw_only=True):
    """A program that a job runs in a data folder."""

    id: str
    name: str
    type: str
    description: str
    aliases: tuple[str, ...] = ()
    module: str
    """The Python module that is run, with these arguments."""
    arguments: tuple[str, ...] = ()
    timeout_seconds: int = 4 * 3600
