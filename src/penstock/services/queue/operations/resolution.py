"""What a job runs with, where several places may say it: the request, its configuration data, the stored configuration.

The first that says something wins, in this order. What only a configuration says is not ours to judge: it is passed
over if it cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import msgspec

from penstock.components.component import Component
from penstock.services.queue.errors import InvalidRequest, TwoKindsOfValues
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.operations.parsing import (
    read_backend,
    read_executor,
    read_name,
    read_parallelism,
    read_values,
)

T = TypeVar("T")


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    tag: str | None
    variable_values_id: str | None
    variable_values_data: dict[str, Any]
    parallelism: str | None
    backend: dict[str, str]
    executor: str | None


def resolve(component: Component, wanted: NewJob, documents: Sequence[dict[str, Any]]) -> Resolved:
    """`documents` are the configurations, the nearest first."""
    runtimes = [_section(document, "runtime") for document in documents]
    values = read_values(wanted.variable_values_data)
    values_id = read_name("variableValuesId", wanted.variable_values_id)
    if values and values_id:
        raise TwoKindsOfValues
    if not values and not values_id:
        values_id = _first(documents, "variables_values_id", read_name)
    return Resolved(
        tag=read_name("tag", wanted.tag) or _find_tag(runtimes) or component.tag or None,
        variable_values_id=values_id,
        variable_values_data={"values": values} if values else {},
        parallelism=read_parallelism("parallelism", wanted.parallelism)
        or _first(runtimes, "parallelism", read_parallelism),
        backend=_merge_backends(wanted, runtimes),
        executor=read_executor("executor", wanted.executor) or _first(runtimes, "executor", read_executor),
    )


def _find_tag(runtimes: Sequence[dict[str, Any]]) -> str | None:
    return _first(runtimes, "tag", read_name) or _first(runtimes, "image_tag", read_name)


def _merge_backends(wanted: NewJob, runtimes: Sequence[dict[str, Any]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for runtime in reversed(runtimes):
        merged |= _to_container(_lenient(read_backend, "backend", runtime.get("backend")) or {})
    return merged | _to_container(read_backend("backend", wanted.backend))


def _to_container(backend: dict[str, str]) -> dict[str, str]:
    """No component here has a warehouse of its own, so a size is that of what it runs in."""
    size = backend.get("containerType") or backend.get("type")
    return {name: value for name, value in (("containerType", size), ("context", backend.get("context"))) if value}


def _first(sections: Sequence[dict[str, Any]], name: str, read: Callable[[str, object], T | None]) -> T | None:
    found = (_lenient(read, name, section.get(name)) for section in sections)
    return next((value for value in found if value), None)


def _lenient(read: Callable[[str, object], T | None], name: str, given: object) -> T | None:
    try:
        return read(name, given) if not isinstance(given, bool) else None
    except InvalidRequest:
        return None


def _section(document: dict[str, Any], name: str) -> dict[str, Any]:
    section = document.get(name)
    return cast(dict[str, Any], section) if isinstance(section, dict) else {}
