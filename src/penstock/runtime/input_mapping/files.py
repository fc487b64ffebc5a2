"""Files in: named by id, or chosen by their tags. A sliced file becomes a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.runtime.input_mapping.items import FILES_AT_ONCE, NAME_BYTES, FileItem
from penstock.runtime.input_mapping.manifests import describe_file, write_manifest
from penstock.runtime.port import FileFilter, Port, SourceFile

ADAPTIVE = "adaptive"
Tags = list[dict[str, str]]


class Processed(msgspec.Struct, frozen=True):
    file_id: int
    tags: list[str]


class FetchedFiles(msgspec.Struct, frozen=True):
    bytes: int
    state: list[dict[str, Any]]
    processed: list[Processed]


def fetch_files(
    port: Port, folder: Path, items: list[FileItem], remembered: dict[str, Any], tell: Callable[[str], object]
) -> FetchedFiles:
    """A file that several items choose comes in once."""
    sizes: dict[int, int] = {}
    state: list[dict[str, Any]] = []
    processed: list[Processed] = []
    for item in items:
        last = _find_last(remembered, _tags_of(item))
        files = _choose(port, item, last)
        for file in files:
            if file.id not in sizes:
                sizes[file.id] = _save(port, file, folder)
                tell(f"Fetched file {file.name} ({file.id}).")
        if item.processed_tags:
            processed += [Processed(file.id, item.processed_tags) for file in files]
        newest = max([*(file.id for file in files), *([last] if last is not None else [])], default=None)
        if _tags_of(item) and newest is not None:
            state.append({"tags": _tags_of(item), "lastImportId": str(newest)})
    return FetchedFiles(sum(sizes.values()), state, processed)


def _choose(port: Port, item: FileItem, last: int | None) -> list[SourceFile]:
    if item.file_ids:
        return [port.get_file(str(file_id)) for file_id in item.file_ids]
    since, is_adaptive = str(item.changed_since), item.changed_since == ADAPTIVE
    return port.list_files(
        FileFilter(
            any_tags=item.tags,
            all_tags=[name for name, match in item.source_tags if match == "include"],
            no_tags=[name for name, match in item.source_tags if match == "exclude"],
            query=item.query,
            # From the first one on: with more than the limit, the next run continues where this one ends.
            since_id=(last or 0) if is_adaptive else None,
            created_since="" if is_adaptive else since,
            limit=item.limit or FILES_AT_ONCE,
        )
    )


def _save(port: Port, file: SourceFile, folder: Path) -> int:
    """The end of a long name stays: it tells what is inside."""
    prefix = f"{file.id}_"
    target = folder / f"{prefix}{Path(file.name).name[-(NAME_BYTES - len(prefix)) :]}"
    size = port.save_file(file, target)
    write_manifest(target, describe_file(file))
    return size


def _tags_of(item: FileItem) -> Tags:
    """Return what the state calls the item by."""
    if item.source_tags:
        return [{"name": name, "match": match} for name, match in item.source_tags]
    return [{"name": name} for name in item.tags]


def _find_last(remembered: dict[str, Any], tags: Tags) -> int | None:
    """Return the newest file that the last run had. What does not look like one was not written by us, and says
    nothing."""
    states = remembered.get("files")
    for state in cast(list[Any], states) if isinstance(states, list) else []:
        if tags and isinstance(state, dict) and cast(dict[str, Any], state).get("tags") == tags:
            number = str(cast(dict[str, Any], state).get("lastImportId", ""))
            return int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else None
    return None
