"""What is to be done with everything that a component left, decided before anything is done.

Every file and folder in `out/files` becomes a file of the project; a folder becomes a sliced one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast, get_args

import msgspec

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import TableLoad
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration, check_keys, read_list
from penstock.runtime.output_mapping.items import FileItem, TableItem, TableModifications
from penstock.runtime.output_mapping.mappings import Mappings, find_lost, read_mappings, read_merged
from penstock.runtime.output_mapping.tables import TableRules, plan_tables
from penstock.runtime.written import MANIFEST, BadOutput, check_entry, list_entries

WHERE = "container.storage.output"
_KEYS = frozenset(
    (
        "tables",
        "files",
        "table_files",
        "default_bucket",
        "data_type_support",
        "table_modifications",
        "treat_values_as_null",
    )
)
_SUPPORT = ("authoritative", "hints", "none", "")


class Defaults(msgspec.Struct, frozen=True, kw_only=True):
    load_id: str
    """What the ids of all loads begin with: `job-<id>-<part>`."""
    default_bucket: str | None = None
    """The component's own, if it has one; the configuration's comes before it."""
    data_type_support: str = ""
    """The component's, if it says so; the configuration's comes before it."""
    omits_empty_tables: bool = False
    """Whether the component writes no file for a table without rows."""
    is_failed: bool = False
    """Then only tables with `write_always` go out, and no files."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    tables: list[TableLoad] = []
    files: list[OutputFile] = []
    warnings: list[str] = []
    notes: list[str] = []
    """What is worth a line of the log, but no warning."""


def plan(folder: DataFolder, section: dict[str, Any], defaults: Defaults) -> Plan:
    """`section` is `configuration["storage"]["output"]`. Raises what is wrong with it, or with what was written."""
    check_keys(section, _KEYS, WHERE)
    tables = read_mappings(read_list(section, "tables", WHERE), TableItem, f"{WHERE}.tables")
    files = read_mappings(read_list(section, "files", WHERE), FileItem, f"{WHERE}.files")
    warnings: list[str] = []
    notes: list[str] = []
    rules = _read_rules(section, defaults)
    return Plan(
        tables=plan_tables(folder.path / "out" / "tables", tables, rules, warnings.append, notes.append),
        files=[] if defaults.is_failed else plan_files(folder.path / "out" / "files", files),
        warnings=warnings,
        notes=notes,
    )


def check(section: dict[str, Any]) -> None:
    """Raise what is wrong with the configuration itself, before the component runs."""
    check_keys(section, _KEYS, WHERE)
    read_mappings(read_list(section, "tables", WHERE), TableItem, f"{WHERE}.tables")
    read_mappings(read_list(section, "files", WHERE), FileItem, f"{WHERE}.files")
    _read_rules(section, Defaults(load_id=""))


def _read_rules(section: dict[str, Any], defaults: Defaults) -> TableRules:
    bucket = section.get("default_bucket") or ""
    support = section.get("data_type_support") or defaults.data_type_support
    if not isinstance(bucket, str) or (bucket and bucket.count(".") != 1):
        raise BadConfiguration(f'"{WHERE}.default_bucket" is the id of a bucket, such as `in.c-main`.')
    if support not in _SUPPORT:
        value = msgspec.json.encode(support).decode()
        raise BadConfiguration(
            f'"{WHERE}.data_type_support": {value} is not a valid value. Use "authoritative", "hints" or "none".'
        )
    return TableRules(
        load_id=defaults.load_id,
        default_bucket=bucket or defaults.default_bucket,
        is_failed=defaults.is_failed,
        omits_empty_tables=defaults.omits_empty_tables,
        support=support,
        null_values=_read_nulls(section.get("treat_values_as_null")),
        modifications=_read_modifications(section.get("table_modifications")),
    )


def _read_modifications(value: Any) -> TableModifications | None:
    if value not in (None, *get_args(TableModifications)):
        rendered = msgspec.json.encode(value).decode()
        raise BadConfiguration(
            f'"{WHERE}.table_modifications": {rendered} is not a valid value. Use "none", "non-destructive" or "all".'
        )
    return value or None


def _read_nulls(values: Any) -> tuple[str, ...] | None:
    if values is None:
        return None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in cast(list[Any], values)):
        raise BadConfiguration(f'"{WHERE}.treat_values_as_null" is a list of texts.')
    return tuple(cast(list[str], values))


def plan_files(folder: Path, mappings: Mappings) -> list[OutputFile]:
    """Plan the files in order of name."""
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
    """Convert with the tags of all items of the configuration: it is stored once."""
    check_entry(file, "file")
    items = [read_merged(file, mapping, FileItem) for mapping in mapped]
    return OutputFile(
        name=file.name,
        path=file,
        tags=list(dict.fromkeys(tag for item in items for tag in item.tags)),
        is_public=items[0].is_public,
        is_permanent=items[0].is_permanent,
    )
