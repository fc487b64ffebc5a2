"""What a job runs with and which kind of job it is, where several places may say it: the request, its configuration
data, the stored configuration.

The first that says something wins, in this order. What only a configuration says may be anything: it is ignored if it
cannot be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import msgspec

from penstock.components.component import Component, Runs
from penstock.services.queue.errors import InvalidRequest
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.parsing import read_backend, read_executor, read_name, read_parallelism
from penstock.services.queue.models.requests import JobRequest
from penstock.services.storage import interface as storage

T = TypeVar("T")

PHASE = "phaseId"


def resolve(component: Component, request: JobRequest, stored: storage.Configuration | None) -> JobRequest:
    """The request, with what its configurations say where it says nothing."""
    documents = _list_documents(request, stored)
    runtimes = [_section(document, "runtime") for document in documents]
    values_id = request.variable_values_id
    if not request.variable_values and not values_id:
        values_id = _first(documents, "variables_values_id", read_name)
    return msgspec.structs.replace(
        request,
        tag=request.tag or _find_tag(runtimes) or component.tag or None,
        variable_values_id=values_id,
        parallelism=request.parallelism or _first(runtimes, "parallelism", read_parallelism),
        backend=_merge_backends(request, runtimes),
        executor=request.executor or _first(runtimes, "executor", read_executor),
    )


def find_configured_tag(request: JobRequest, stored: storage.Configuration | None) -> str | None:
    """What the configurations of a job name, whatever its request names."""
    return _find_tag([_section(document, "runtime") for document in _list_documents(request, stored)])


def find_kind(component: Component, request: JobRequest, rows: Sequence[storage.Row]) -> Kind:
    """Whether the job runs a component, or is made of other jobs."""
    if component.runs is Runs.FLOW:
        return Kind.ORCHESTRATION
    if component.runs is Runs.ORCHESTRATION:
        return Kind.PHASE if (request.config_data or {}).get(PHASE) is not None else Kind.ORCHESTRATION
    is_parallel = request.parallelism not in (None, "0") and request.config_data is None
    return Kind.CONTAINER if is_parallel and len(choose_rows(rows, request)) > 1 else Kind.STANDARD


def choose_rows(rows: Sequence[storage.Row], request: JobRequest) -> list[storage.Row]:
    """Return the rows that are listed, even disabled; without a list, those that are enabled."""
    listed = set(request.config_row_ids)
    return [row for row in rows if (row.id in listed if listed else not row.is_disabled)]


def _list_documents(request: JobRequest, stored: storage.Configuration | None) -> list[dict[str, Any]]:
    return [document for document in (request.config_data, stored and stored.document) if document]


def _find_tag(runtimes: Sequence[dict[str, Any]]) -> str | None:
    return _first(runtimes, "tag", read_name) or _first(runtimes, "image_tag", read_name)


def _merge_backends(request: JobRequest, runtimes: Sequence[dict[str, Any]]) -> dict[str, str]:
    merged: dict[str, str] = {}
    for runtime in reversed(runtimes):
        merged |= _to_container(_lenient(read_backend, "backend", runtime.get("backend")) or {})
    return merged | _to_container(request.backend)


def _to_container(backend: dict[str, str]) -> dict[str, str]:
    """No component here has a warehouse of its own, so a size is that of what it runs in."""
    size = backend.get("containerType") or backend.get("type")
    return {name: value for name, value in (("containerType", size), ("context", backend.get("context"))) if value}


def _first(sections: Sequence[dict[str, Any]], name: str, read: Callable[[str, object], T | None]) -> T | None:
    found = (_lenient(read, name, section.get(name)) for section in sections)
    return next((value for value in found if value), None)


def _lenient(read: Callable[[str, object], T | None], name: str, value: object) -> T | None:
    try:
        return read(name, value) if not isinstance(value, bool) else None
    except InvalidRequest:
        return None


def _section(document: dict[str, Any], name: str) -> dict[str, Any]:
    section = document.get(name)
    return cast(dict[str, Any], section) if isinstance(section, dict) else {}
