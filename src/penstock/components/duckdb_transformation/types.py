"""Types of tables: those of inputs from their manifests, those of outputs into theirs.

An empty field without quotes is NULL, in quotes it is an empty text. In a file with one column, where an empty field
would be an empty line, an input's NULL is an empty text, and an output's is a text that is not a value.
"""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import msgspec

from penstock.components.duckdb_transformation.engine import Engine
from penstock.components.program import MANIFEST
from penstock.extractor.base.errors import UserError
from penstock.foundation.constraints import explain_error
from penstock.foundation.lake.csv_source import CsvSource, read_csv
from penstock.foundation.lake.native_types import to_engine_type, to_native_type
from penstock.foundation.lake.types import TEXT
from penstock.foundation.text.quoting import free_name, quote_name, quote_value

Types = dict[str, str]
"""The engine's type of each column."""
SHOWN = 60
DEFAULT_NULL = "\\N"


class _Native(msgspec.Struct, frozen=True):
    type: str = ""
    length: str | int | None = None


class _Column(msgspec.Struct, frozen=True):
    name: str
    data_type: dict[str, _Native] = {}


class _Manifest(msgspec.Struct, frozen=True):
    schema: list[_Column] = []


def read_types(file: Path) -> Types:
    """Returns the types in the manifest of an input; none if its table is not typed."""
    manifest = file.with_name(file.name + MANIFEST)
    try:
        manifest_content = msgspec.json.decode(manifest.read_bytes(), type=_Manifest)
    except FileNotFoundError:
        return {}
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UserError(
            f'The manifest "{manifest.name}" of an input table cannot be read: {explain_error(error)}'
        ) from error
    return {column.name: _engine_type(column) for column in manifest_content.schema}


def _engine_type(column: _Column) -> str:
    native = column.data_type.get("snowflake") or _Native()
    return to_engine_type(native.type, None if native.length is None else str(native.length))


def typed_rows(source: CsvSource, types: Types) -> str:
    """Returns SQL for the rows of an input with its types."""
    values = ", ".join(
        f"CAST({_text(name, source, types)} AS {_type(name, types)}) AS {quote_name(name)}" for name in source.columns
    )
    return f"SELECT {values} FROM ({read_csv(source)})"


def _text(name: str, source: CsvSource, types: Types) -> str:
    is_text = _type(name, types) == TEXT and len(source.columns) > 1
    return quote_name(name) if is_text else f"nullif({quote_name(name)}, '')"


def _type(name: str, types: Types) -> str:
    return types.get(name, TEXT)


def explain_misfit(engine: Engine, source: CsvSource, types: Types, table: str) -> UserError | None:
    """Returns the error about the first value that does not fit the type of its column, if there is one."""
    doing, row = f'Reading the input table "{table}"', free_name(list(source.columns))
    numbered = f"SELECT row_number() OVER () AS {row}, * FROM ({read_csv(source)})"
    for name in (name for name in source.columns if _type(name, types) != TEXT):
        text, kind = _text(name, source, types), _type(name, types)
        misfits = f"SELECT {row}, {quote_name(name)} FROM ({numbered}) WHERE {text} IS NOT NULL"
        misfit = engine.run(f"{misfits} AND TRY_CAST({text} AS {kind}) IS NULL LIMIT 1", doing).fetchone()
        if misfit:
            return UserError(
                f'Loading the input table "{table}" failed: row {misfit[0]} has "{str(misfit[1])[:SHOWN]}" in the '
                f'column "{name}", whose type in Storage is {kind}. Correct the value, or change '
                "the type of the column."
            )
    return None


def null_text(engine: Engine, table: str, types: Types) -> str:
    """Returns what an output writes for NULL: nothing, or in a table with one column a text that is not a value."""
    if len(types) != 1:
        return ""
    (column,) = types
    query = (
        f"SELECT 1 FROM {quote_name(table)} WHERE {quote_name(column)}::VARCHAR = {quote_value(DEFAULT_NULL)} LIMIT 1"
    )
    is_taken = engine.run(query, f'Writing the output table "{table}"').fetchone()
    return f"null-{uuid.uuid4()}" if is_taken else DEFAULT_NULL


def write_manifest(file: Path, types: Types, null: str) -> None:
    """Writes the types of an output; a value that does not fit makes the column of the table wider."""
    schema = [{"name": name, "data_type": to_native_type(kind).data_type} for name, kind in types.items()]
    content: dict[str, Any] = {
        "schema": schema,
        "has_header": True,
        "treat_values_as_null": [null] if null else [],
        "table_modifications": "non-destructive",
    }
    file.with_name(file.name + MANIFEST).write_bytes(msgspec.json.encode(content))
