"""What a component is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


def _nowhere(_configuration: dict[str, Any]) -> str:
    return ""


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
    hosts_of: Callable[[dict[str, Any]], str] = _nowhere
    """The hosts that a configuration's secrets are meant for: with others in it, they do not open."""
    timeout_seconds: int = 4 * 3600
    work: str = ""
    """The folder inside the data folder from which an interrupted run goes on, if it can; while the component runs, it
    holds a lock on the folder around it."""
