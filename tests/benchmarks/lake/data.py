"""Rows of eight columns, and changes to them: half of the changed rows are known, spread over all, half are new."""

from __future__ import annotations

from pathlib import Path

import duckdb

COLUMNS = ("id", "name", "email", "group", "amount", "created", "token", "note")
CHANGES = 100_000

_ROW = """
    {id} AS id, {name} || i AS name, 'user' || i || '@example.com' AS email, (i % 100)::VARCHAR AS "group",
    (hash(i) % 1000000 / 100)::DECIMAL(10, 2)::VARCHAR AS amount,
    (DATE '2020-01-01' + (i % 2000)::INT)::VARCHAR AS created,
    md5(i::VARCHAR) AS token, 'a longer text about number ' || i || ', with a comma' AS note
"""


def write_rows(file: Path, count: int) -> Path:
    if not file.exists():
        _write(file, f"SELECT {_ROW.format(id='i::VARCHAR', name=repr('user '))} FROM range({count}) AS rows(i)")
    return file


def write_changes(file: Path, count: int, number: int) -> Path:
    """Other rows for every number."""
    half = CHANGES // 2
    step = count // half
    known = _ROW.format(id=f"(i * {step} + {number})::VARCHAR", name=repr(f"changed {number} "))
    new = _ROW.format(id=f"'new {number} ' || i", name=repr("user "))
    _write(file, " UNION ALL ".join(f"SELECT {row} FROM range({half}) AS rows(i)" for row in (known, new)))
    return file


def _write(file: Path, rows: str) -> None:
    with duckdb.connect() as duck:
        duck.execute(f"COPY ({rows}) TO '{file}' (HEADER, FORCE_QUOTE *)")
