"""Converts files between the structs of the runtime and those of Storage."""

from __future__ import annotations

from datetime import UTC, datetime

from penstock.foundation import clock
from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.foundation.strtotime import strtotime
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.port import FileFilter, SourceFile
from penstock.services.storage import interface as storage

PAGE = 1000


def list_files(stack: Stack, caller: Caller, search: FileFilter) -> list[SourceFile]:
    """Page by page: no more are kept than are wanted."""
    since = _read_time(search.created_since)
    found: list[SourceFile] = []
    max_id: int | None = None
    while True:
        with stack.database.reading() as tx:
            page = storage.list_files(tx, caller, to_query(search, PAGE, max_id))
        found += [to_source(row) for row in page if since is None or row.created >= since]
        # After an id, the oldest ones first: the next run continues where this one ends.
        found = found[: search.limit] if search.since_id is None else found[-search.limit :]
        is_enough = search.since_id is None and len(found) >= search.limit
        if is_enough or len(page) < PAGE or (since and page[-1].created < since):
            return found
        max_id = page[-1].id


def to_source(row: storage.FileRow) -> SourceFile:
    return SourceFile(
        id=row.id,
        name=row.name,
        created=row.created.strftime("%Y-%m-%dT%H:%M:%S+0000"),
        is_public=row.is_public,
        is_encrypted=True,
        is_sliced=row.is_sliced,
        tags=row.tags,
        max_age_days=row.max_age_days,
        size_bytes=row.size_bytes,
    )


def to_query(search: FileFilter, limit: int, max_id: int | None) -> storage.FileQuery:
    options = [f"tags:{_quote(tag)}" for tag in search.all_tags]
    options += [f"NOT tags:{_quote(tag)}" for tag in search.no_tags]
    if search.query:
        options.append(f"({search.query})" if options else search.query)
    return storage.FileQuery(
        limit=limit, tags=search.any_tags, q=" AND ".join(options), since_id=search.since_id, max_id=max_id
    )


def _quote(tag: str) -> str:
    escaped = tag.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _read_time(text: str) -> datetime | None:
    if not text:
        return None
    seconds = strtotime(text, int(clock.now().timestamp()))
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise BadConfiguration(f'"{text[:200]}" is not a valid time: write it as `-2 days` or `2026-01-31`, or `adaptive`.')
