"""Tables, configurations, components and jobs by words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal

import msgspec

from penstock.client import Client
from penstock.mcp.paging import Limit, Next, Offset, shorten, take
from penstock.mcp.tool import Arguments, Output

JOBS = 500
"""The newest ones, among which is searched."""

Kind = Literal["tables", "configurations", "components", "jobs"]


class Search(Arguments, frozen=True):
    words: Annotated[
        str,
        msgspec.Meta(
            max_length=500, description="All have to occur; empty lists everything.", examples=["orders", "error shop"]
        ),
    ] = ""
    kinds: Annotated[list[Kind], msgspec.Meta(max_length=4, description="What is looked for; empty: everything.")] = []
    limit: Limit = 20
    offset: Offset = 0


class Hit(Output, frozen=True):
    kind: Kind
    id: str
    component_id: str = ""
    name: str = ""
    detail: str = ""


class Hits(Output, frozen=True):
    found: int
    hits: list[Hit]
    next: Next | None = None


def search(client: Client, arguments: Search) -> Hits:
    """Find tables, configurations, components and jobs whose ids, names, columns, descriptions or states have words.

    Without words it lists them. Jobs are searched among the newest 500. Example: {"words": "orders", "kinds":
    ["tables"]}"""
    words = arguments.words.lower().split()
    hits = [
        hit
        for kind in dict.fromkeys(arguments.kinds or _SOURCES)
        for hit, text in _SOURCES[kind](client)
        if _has(text, words)
    ]
    hits.sort(key=lambda hit: hit.id.lower() != arguments.words.lower().strip())
    page, following = take(hits, arguments.offset, arguments.limit)
    return Hits(found=len(hits), hits=page, next=following)


Found = Iterator[tuple[Hit, str]]
"""Each with the text that is searched."""


def _has(text: str, words: list[str]) -> bool:
    lower = text.lower()
    return all(word in lower for word in words)


def _tables(client: Client) -> Found:
    for table in client.list_tables():
        detail = f"{table.rows_count or 0} rows, {len(table.columns)} columns"
        yield Hit(kind="tables", id=table.id, name=table.name, detail=detail), f"{table.id} {' '.join(table.columns)}"


def _configurations(client: Client) -> Found:
    for each in client.configurations.list():
        hit = Hit(
            kind="configurations",
            id=each.id,
            component_id=each.component,
            name=shorten(each.name),
            detail=shorten(each.description),
        )
        yield hit, f"{each.component} {each.id} {each.name} {each.description}"


def _components(client: Client) -> Found:
    for each in client.components.list():
        hit = Hit(kind="components", id=each.id, name=each.name, detail=shorten(each.description))
        yield hit, f"{each.id} {each.name} {each.type} {each.description}"


def _jobs(client: Client) -> Found:
    for job in client.jobs.search({"limit": JOBS}):
        detail = f"{job.status}, created {job.created_time or ''}"
        hit = Hit(kind="jobs", id=job.id, component_id=job.component, name=job.config or "", detail=detail)
        yield hit, f"{job.id} {job.component} {job.config or ''} {job.status} {job.message}"


_SOURCES: dict[Kind, Callable[[Client], Found]] = {
    "tables": _tables,
    "configurations": _configurations,
    "components": _components,
    "jobs": _jobs,
}
