"""The mapping rules once more, row by row over the raw configuration: slow, plain, and written to be compared with."""

from __future__ import annotations

import hashlib
from typing import Any

from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import is_empty_value, to_text
from penstock.extractor.records.serialized import serialize

Tables = dict[str, list[list[str]]]


def map_rows(name: str, mapping: dict[str, Any], rows: list[Any]) -> Tables:
    tables: Tables = {}
    open_table(tables, name, mapping, {})
    for row in rows:
        write(tables, name, mapping, {}, row, "")
    return tables


def open_table(tables: Tables, name: str, mapping: dict[str, Any], parent: dict[str, Any]) -> None:
    has_key = bool(key_names(mapping, parent))
    header: list[str] = []
    for entry in mapping.values():
        if "mapping" in entry:
            header.append(entry["mapping"]["destination"])
        elif not has_key and not entry["parentKey"].get("disable"):
            header.append(entry["destination"])
    tables.setdefault(name, [header + ([parent["destination"]] if parent.get("destination") else [])])


def write(tables: Tables, name: str, mapping: dict[str, Any], parent: dict[str, Any], row: Any, link: str) -> None:
    cells: list[str] = []
    for path, entry in mapping.items():
        value = look_up(path, row)
        if "mapping" in entry:
            cells.append(to_text(value))
        else:
            cells += write_items(tables, name, mapping, parent, entry, row, value, link)
    tables[name].append(cells + ([link] if parent.get("destination") else []))


def write_items(
    tables: Tables,
    name: str,
    mapping: dict[str, Any],
    parent: dict[str, Any],
    entry: dict[str, Any],
    row: Any,
    value: Any,
    link: str,
) -> list[str]:
    """The cells that the entry adds to the row."""
    has_key, is_linked = bool(key_names(mapping, parent)), not entry["parentKey"].get("disable")
    is_nothing = value is None and entry["destination"] == name
    if is_nothing or (not has_key and is_empty_value(value)):
        return [""] if is_linked and not has_key else []
    key = key_of(mapping, parent, row, link)
    items = value if isinstance(value, list) else [value]
    if entry["destination"] == name:
        for item in items:
            write(tables, name, mapping, parent, item, link)
        return []
    child = {**entry["parentKey"], "destination": f"{name}_pk"} if is_linked else {}
    open_table(tables, entry["destination"], entry["tableMapping"], child)
    for item in items:
        write(tables, entry["destination"], entry["tableMapping"], child, item, key)
    return [key] if is_linked and not has_key else []


def key_names(mapping: dict[str, Any], parent: dict[str, Any]) -> list[str]:
    names = [path for path, entry in mapping.items() if entry.get("mapping", {}).get("primaryKey")]
    return [*names, "parent"] if parent.get("primaryKey") else names


def key_of(mapping: dict[str, Any], parent: dict[str, Any], row: Any, link: str) -> str:
    names = key_names(mapping, parent)
    if not names:
        return hashlib.md5(serialize(row).encode()).hexdigest()
    own = [to_text(look_up(path, row)) for path in names if path != "parent"]
    return ",".join([*own, link] if "parent" in names else own)
