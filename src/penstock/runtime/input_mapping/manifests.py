"""What is next to a table or a file that came in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from penstock.runtime.port import SourceFile, SourceTable
from penstock.runtime.written import MANIFEST


def write_manifest(path: Path, content: dict[str, Any]) -> None:
    path.with_name(path.name + MANIFEST).write_bytes(msgspec.json.encode(content))


def describe_table(table: SourceTable, columns: list[str]) -> dict[str, Any]:
    """Describe a table, with only those of its columns that came in."""
    manifest: dict[str, Any] = {
        "id": table.id,
        "uri": table.uri,
        "name": table.name,
        "primary_key": table.primary_key,
        "distribution_key": [],
        "created": table.created,
        "last_change_date": table.last_change_date,
        "last_import_date": table.last_import_date,
        "columns": columns,
        "metadata": table.metadata,
        "column_metadata": {name: table.column_metadata.get(name, []) for name in columns},
    }
    description = [item["value"] for item in table.metadata if item["key"] == "KBC.description"]
    if description:
        manifest["description"] = description[-1]
    if table.schema is not None:
        manifest["schema"] = [column for column in table.schema if column["name"] in columns]
    return manifest


def describe_file(file: SourceFile) -> dict[str, Any]:
    return msgspec.to_builtins(file)
