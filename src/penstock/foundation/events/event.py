"""What an event and a reaction are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import msgspec

from penstock.foundation.database import Transaction


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that became true in a project. Its fields are stored as JSON, so later versions only add optional ones.

    `name` is `service.whatHappened`, and never changes.
    """

    name: ClassVar[str] = ""
    project_id: int


E = TypeVar("E", bound=Event)


class Reaction(msgspec.Struct, frozen=True):
    """What a service does when an event was published. `name` is stored with deliveries, and never changes."""

    event: type[Event]
    name: str
    react: Callable[[Transaction, Any], None]


def on(event: type[E], react: Callable[[Transaction, E], None], *, name: str) -> Reaction:
    """React to an event, in a transaction that writes.

    The function changes only the tables of its own service. What takes long becomes a job, which the function creates.
    """
    return Reaction(event, name, react)
