"""Every file and folder in `out/tables` is loaded into a table, whether the configuration mentions it or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from penstock.contracts.tables import LoadNotes, TableLoad
from penstock.runtime.output_mapping.deletions import read_deletions
from penstock.runtime.output_mapping.items import TableItem, TableModifications
from penstock.runtime.output_mapping.mappings import Mappings, find_lost, read_merged
from penstock.runtime.output_mapping.schemas import (
    TypeSupport,
    check_schema,
    read_column_metadata,
    read_columns,
    read_metadata,
)
from penstock.runtime.written import MANIFEST, BadOutput, check_entry, list_entries

Warn = Callable[[str], object]


_ENDINGS = (".gz", ".csv")


class TableRules(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for all tables of a run."""

    load_id: str
    default_bucket: str | None
    is_failed: bool
    omits_empty_tables: bool
    support: TypeSupport
    null_values: tuple[str, ...] | None
    """Of the configuration; None if each manifest says it."""
    modifications: TableModifications | None
    """Of the configuration, for all tables."""


def plan_tables(folder: Path, mappings: Mappings, rules: TableRules, warn: Warn, note: Warn) -> list[TableLoad]:
    """Plan the tables in order of name."""
    entries = list_entries(folder)
    if not rules.is_failed:
        _check_names({entry.name for entry in entries}, mappings, rules, note)
    loads: list[TableLoad] = []
    for entry in entries:
        if not entry.name.endswith(MANIFEST):
            loads += _plan_file(entry, mappings.get(entry.name) or [{}], rules, warn)
    return loads


def _check_names(names: set[str], mappings: Mappings, rules: TableRules, note: Warn) -> None:
    for name in sorted(names):
        if name.endswith(MANIFEST) and name.removesuffix(MANIFEST) not in names:
            raise BadOutput(f'Found orphaned table manifest: "{name}"')
    lost = find_lost(mappings, (name for name in names if not name.endswith(MANIFEST)))
    if lost and not rules.omits_empty_tables:
        raise BadOutput("Table sources not found: " + ", ".join(f'"{name}"' for name in lost))
    for name in lost:
        note(f'The output mapping of "{name}" had no effect: there were no rows for it, or the table has another name.')


def _plan_file(file: Path, mapped: list[dict[str, Any]], rules: TableRules, warn: Warn) -> Iterator[TableLoad]:
    """Yield one load for each item of the configuration."""
    for number, mapping in enumerate(mapped):
        item = read_merged(file, mapping, TableItem)
        if rules.is_failed and not item.write_always:
            continue
        check_entry(file, "table")
        check_schema(file, mapping)
        mapping_destination = str(mapping.get("destination") or "")
        manifest_destination = "" if mapping_destination else item.destination
        destination = find_destination(file.name, mapping_destination, manifest_destination, rules.default_bucket, warn)
        # The number too: a file may go into several tables.
        load_id = f"{rules.load_id}-{file.name}" + (f"-{number}" if number else "")
        table = _to_load(file, item, mapping, destination, load_id, rules)
        if not table.has_header or _has_columns(file):
            yield table
        else:
            warn(f"The records for table {destination} have no fields, so it was left out.")


def _to_load(
    file: Path, item: TableItem, mapping: dict[str, Any], destination: str, load_id: str, rules: TableRules
) -> TableLoad:
    """`item` is the manifest with `mapping` over it."""
    key = [] if mapping.get("primary_key") else [column.name for column in item.schema if column.primary_key]
    key = key or item.primary_key
    modifications = mapping.get("table_modifications") or rules.modifications or item.table_modifications
    columns = [column.name for column in item.schema] or item.columns
    is_named = bool(columns) or file.is_dir()
    return TableLoad(
        id=load_id,
        file=file,
        table_id=destination,
        incremental=item.incremental,
        primary_key=[name for name in key if name],
        columns=columns,
        # Slices never have one, and a file has one unless its columns are named elsewhere.
        has_header=not file.is_dir() and (item.has_header if item.has_header is not None else not is_named),
        delimiter=item.delimiter,
        enclosure=item.enclosure,
        schema=read_columns(item, rules.support),
        may_widen=modifications in ("non-destructive", "all"),
        null_values=_null_values(item, rules),
        deduplication=item.deduplication_strategy,
        deletions=read_deletions(item, file.name),
        notes=LoadNotes(metadata=read_metadata(item), columns=read_column_metadata(item, rules.support)),
    )


def _null_values(item: TableItem, rules: TableRules) -> tuple[str, ...]:
    if rules.null_values is not None:
        return rules.null_values
    return ("",) if item.treat_values_as_null is None else tuple(item.treat_values_as_null)


def _has_columns(file: Path) -> bool:
    """Records without a single field make a file of blank lines, which is no table."""
    with file.open("rb") as opened:
        return bool(opened.readline(2).strip())


def find_destination(
    file_name: str,
    mapping_destination: str,
    manifest_destination: str,
    default_bucket: str | None,
    warn: Callable[[str], object],
) -> str:
    """Return the first of: what the configuration says, what the manifest says, the file's own name, the default
    bucket."""
    if mapping_destination:
        return _checked(mapping_destination, file_name)
    if manifest_destination:
        return manifest_destination
    name = get_table_name(file_name)
    if name.count(".") == 2:
        warn(f'The name of the file "{file_name}" says which table it goes into; say it in its manifest instead.')
        return name
    if not default_bucket:
        raise unresolved(file_name)
    return f"{default_bucket}.{name}"


def get_table_name(file_name: str) -> str:
    for ending in _ENDINGS:
        file_name = file_name.removesuffix(ending)
    return file_name


def unresolved(file_name: str) -> BadOutput:
    return BadOutput(f'Failed to resolve destination for output table "{file_name}".')


def _checked(destination: str, file_name: str) -> str:
    if destination.count(".") != 2 or not all(destination.split(".")):
        raise unresolved(file_name)
    return destination
