"""What is to be done with everything that a component left, decided before anything is done."""

from __future__ import annotations

from typing import Any, cast, get_args

import msgspec

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import TableLoad
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration, check_keys, read_list
from penstock.runtime.output_mapping.files import plan_files
from penstock.runtime.output_mapping.items import FileItem, TableItem, TableModifications
from penstock.runtime.output_mapping.mappings import read_mappings
from penstock.runtime.output_mapping.tables import TableRules, plan_tables

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


def plan(folder: DataFolder, wanted: dict[str, Any], defaults: Defaults) -> Plan:
    """`wanted` is `configuration["storage"]["output"]`. Raises what is wrong with it, or with what was written."""
    check_keys(wanted, _KEYS, WHERE)
    tables = read_mappings(read_list(wanted, "tables", WHERE), TableItem, f"{WHERE}.tables")
    files = read_mappings(read_list(wanted, "files", WHERE), FileItem, f"{WHERE}.files")
    warnings: list[str] = []
    notes: list[str] = []
    rules = _read_rules(wanted, defaults)
    return Plan(
        tables=plan_tables(folder.path / "out" / "tables", tables, rules, warnings.append, notes.append),
        files=[] if defaults.is_failed else plan_files(folder.path / "out" / "files", files),
        warnings=warnings,
        notes=notes,
    )


def check(wanted: dict[str, Any]) -> None:
    """Raise what is wrong with the configuration itself, before the component runs."""
    check_keys(wanted, _KEYS, WHERE)
    read_mappings(read_list(wanted, "tables", WHERE), TableItem, f"{WHERE}.tables")
    read_mappings(read_list(wanted, "files", WHERE), FileItem, f"{WHERE}.files")
    _read_rules(wanted, Defaults(load_id=""))


def _read_rules(wanted: dict[str, Any], defaults: Defaults) -> TableRules:
    bucket = wanted.get("default_bucket") or ""
    support = wanted.get("data_type_support") or defaults.data_type_support
    if not isinstance(bucket, str) or (bucket and bucket.count(".") != 1):
        raise BadConfiguration(f'"{WHERE}.default_bucket" is the id of a bucket, such as `in.c-main`.')
    if support not in _SUPPORT:
        given = msgspec.json.encode(support).decode()
        raise BadConfiguration(
            f'"{WHERE}.data_type_support": {given} is not a valid value. Use "authoritative", "hints" or "none".'
        )
    return TableRules(
        load_id=defaults.load_id,
        default_bucket=bucket or defaults.default_bucket,
        is_failed=defaults.is_failed,
        omits_empty_tables=defaults.omits_empty_tables,
        support=support,
        null_values=_read_nulls(wanted.get("treat_values_as_null")),
        modifications=_read_modifications(wanted.get("table_modifications")),
    )


def _read_modifications(given: Any) -> TableModifications | None:
    if given not in (None, *get_args(TableModifications)):
        shown = msgspec.json.encode(given).decode()
        raise BadConfiguration(
            f'"{WHERE}.table_modifications": {shown} is not a valid value. Use "none", "non-destructive" or "all".'
        )
    return given or None


def _read_nulls(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list) or not all(isinstance(each, str) for each in cast(list[Any], given)):
        raise BadConfiguration(f'"{WHERE}.treat_values_as_null" is a list of texts.')
    return tuple(cast(list[str], given))
