"""Every file and folder in `out/files` becomes a file of the project; a folder becomes a sliced one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.contracts.files import OutputFile
from penstock.runtime.output_mapping.items import FileItem
from penstock.runtime.output_mapping.mappings import Mappings, find_lost
from penstock.runtime.output_mapping.merging import read_merged
from penstock.runtime.written import MANIFEST, BadOutput, check_entry, list_entries


def plan_files(folder: Path, mappings: Mappings) -> list[OutputFile]:
    """In order of name."""
    entries = list_entries(folder)
    names = {entry.name for entry in entries}
    for name in sorted(names):
        if name.endswith(MANIFEST) and name.removesuffix(MANIFEST) not in names:
            raise BadOutput(f"Found orphaned file manifest: '{name}'")
    files = [entry for entry in entries if not entry.name.endswith(MANIFEST)]
    for name in find_lost(mappings, (file.name for file in files)):
        raise BadOutput(f"File '{name}' not found.")
    return [_to_output(file, mappings.get(file.name) or [{}]) for file in files]


def _to_output(file: Path, mapped: list[dict[str, Any]]) -> OutputFile:
    """With the tags of all items of the configuration: it is stored once."""
    check_entry(file, "file")
    items = [read_merged(file, mapping, FileItem) for mapping in mapped]
    return OutputFile(
        name=file.name,
        path=file,
        tags=list(dict.fromkeys(tag for item in items for tag in item.tags)),
        is_public=items[0].is_public,
        is_permanent=items[0].is_permanent,
    )
