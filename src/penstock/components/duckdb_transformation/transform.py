"""One run of a SQL transformation: files of `in/tables` become tables of the engine, scripts run, and tables of the
engine are written into `out/tables`."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from penstock.components.duckdb_transformation.engine import Engine, open_engine
from penstock.components.duckdb_transformation.types import (
    explain_misfit,
    null_text,
    read_types,
    typed_rows,
    write_manifest,
)
from penstock.components.program import MANIFEST, Data
from penstock.components.scripts import Script, Transformation
from penstock.extractor.base.errors import UserError
from penstock.foundation.lake.csv_source import CsvSource, read_csv
from penstock.foundation.text.quoting import quote_name, quote_value

HEADER_CHARACTERS = 4_000_000
SUPPORT_VARIABLE = "KBC_DATA_TYPE_SUPPORT"
"""Whether columns get types: those of the tables, or hints."""


class Dialect(Protocol):
    """SQL of another database."""

    def translate(self, scripts: list[Script]) -> list[Script]:
        """Returns the scripts in the engine's dialect. Called before the first one runs."""
        ...

    def explain(self, message: str, executed: str) -> str:
        """Returns the engine's error about a translated text, as the other database words it."""
        ...


def transform(data: Data, *, preparation: Sequence[str] = (), dialect: Dialect | None = None) -> None:
    """`preparation` is SQL that runs first."""
    scripts = data.read_parameters(Transformation).scripts
    scripts = dialect.translate(scripts) if dialect else scripts
    with open_engine(data.folder, preparation) as connection:
        engine = Engine(connection, dialect.explain if dialect else None)
        load_inputs(engine, data)
        for script in scripts:
            data.log.info(f"Running {script.location}.")
            engine.run_script(script)
        write_outputs(engine, data)


def load_inputs(engine: Engine, data: Data) -> None:
    """Load every file as a table, named by its mapping's destination without `.csv`. Its columns are text, unless its
    manifest has types."""
    for file in data.list_inputs():
        name, types = table_name(file.name), read_types(file)
        source = CsvSource(paths=(file,), columns=_read_header(file), has_header=True, has_nulls=bool(types))
        rows = typed_rows(source, types) if types else read_csv(source)
        try:
            engine.run(f"CREATE TABLE {quote_name(name)} AS {rows}", f'Loading the input table "{name}"')
        except UserError as error:
            raise (explain_misfit(engine, source, types, name) or error) from error
        data.log.info(f'Loaded the input table "{name}".')


def write_outputs(engine: Engine, data: Data) -> None:
    """Write the sources of the output mapping."""
    folder = data.folder / "out" / "tables"
    for source in _read_sources(data):
        name = table_name(source)
        if not engine.has_table(name):
            raise UserError(
                f'The output mapping asks for the table "{name}", which no script has made. '
                "Create it, or take it out of the mapping."
            )
        _write(engine, name, folder / source)
        data.log.info(f'Wrote the output table "{name}".')


def _write(engine: Engine, name: str, file: Path) -> None:
    doing = f'Writing the output table "{name}"'
    types = engine.types_of(name, doing)
    is_typed = os.environ.get(SUPPORT_VARIABLE) in ("authoritative", "hints")
    null = null_text(engine, name, types) if is_typed else ""
    cells = "*" if is_typed else _cells(list(types))
    options = f"""FORMAT csv, HEADER, DELIMITER ',', QUOTE '"', NULLSTR {quote_value(null)}"""
    options += ", FORCE_QUOTE *" if null else ""  # an empty text without quotes would be an empty line
    engine.run(f"COPY (SELECT {cells} FROM {quote_name(name)}) TO {quote_value(file)} ({options})", doing)
    if is_typed:
        write_manifest(file, types, null)


def _cells(columns: list[str]) -> str:
    """Returns a row whose only cell is NULL would be written as an empty line, which readers skip."""
    if len(columns) != 1:
        return "*"
    column = quote_name(columns[0])
    return f"coalesce({column}::VARCHAR, '') AS {column}"


def table_name(file_name: str) -> str:
    return file_name.removesuffix(".csv")


def _read_sources(data: Data) -> list[str]:
    sources = [str(item.get("source") or "") for item in data.output_tables]
    for source in sources:
        # It becomes a file name: one that leads elsewhere, or that of a manifest, is refused.
        if (
            not table_name(source)
            or "/" in source
            or "\0" in source
            or source in (".", "..")
            or source.endswith(MANIFEST)
        ):
            raise UserError(f'Invalid configuration: "{source}" cannot be the source of an output table.')
    if not sources:
        data.log.warning("The output mapping is empty, so nothing will be written.")
    return list(dict.fromkeys(sources))


def _read_header(file: Path) -> tuple[str, ...]:
    with file.open(encoding="utf-8", errors="replace", newline="") as stream:
        start = stream.read(HEADER_CHARACTERS)
    names = next(csv.reader(start.splitlines(keepends=True)), None)
    if not names:
        raise UserError(f'The input table "{table_name(file.name)}" has no header.')
    return tuple(names)
