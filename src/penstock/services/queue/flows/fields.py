"""Documents made regular before they are read: ids are texts, and what is null or `[]` was not given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.foundation.limits import PHASES, TASKS
from penstock.services.queue.flows.errors import WrongFlow

T = TypeVar("T")

IDS = ("id", "phase", "goto")
LISTS_OF_IDS = ("dependsOn",)


def list_items(document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """A list of objects; one that is missing is wrong."""
    found = document.get(name)
    if not isinstance(found, list):
        raise WrongFlow(name, "There must be a list here.")
    items = cast(list[Any], found)
    most = TASKS if name == "tasks" else PHASES
    if len(items) > most:
        raise WrongFlow(name, f"There are {len(items):,} items here, and a flow has at most {most:,}.")
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise WrongFlow(f"{name}[{number}]", "There must be an object here.")
    return items


def read_struct(raw: dict[str, Any], kind: type[T], place: str) -> T:
    try:
        # strict=False: configurations in the wild write numbers and booleans as texts.
        return msgspec.convert(regular(raw), kind, strict=False)
    except msgspec.ValidationError as error:
        raise WrongFlow(place, explain_error(error)) from error
    except RecursionError as error:
        raise WrongFlow(place, "It is nested too deep.") from error


def regular(raw: dict[str, Any]) -> dict[str, Any]:
    return {name: _to_value(name, value) for name, value in raw.items() if value not in (None, [])}


def check_unique(ids: Iterable[str], name: str) -> None:
    seen: set[str] = set()
    for number, one in enumerate(ids):
        if one in seen:
            raise WrongFlow(f"{name}[{number}].id", f'The id "{one}" is used twice.')
        seen.add(one)


def _to_value(name: str, value: Any) -> Any:
    if name in IDS:
        return to_id(value)
    if name in LISTS_OF_IDS and isinstance(value, list):
        return [to_id(one) for one in cast(list[Any], value)]
    return value


def to_id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
