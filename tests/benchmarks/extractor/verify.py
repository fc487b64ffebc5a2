"""Is what a program wrote right? Counts rows and sums ids with DuckDB, in a process of its own.

In a process of its own because a child's peak memory starts with that of its parent, and DuckDB would make this
program's own large. Called with FORM FOLDER KIND ROWS; prints what is wrong, or nothing.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.benchmarks.extractor.measure import ROOT, clean_environment

LISTED = {"labels": 199_758, "assignees": 100_425, "topics": 149_822}
"""How many items the lists of the hundred thousand nested rows hold."""
_READERS = {
    "csv": "read_csv({}, all_varchar = true, header = true, union_by_name = true)",
    "parquet": "read_parquet({}, union_by_name = true)",
}


def find_fault(form: str, folder: Path, kind: str, rows: int) -> str:
    """What is wrong with the tables, or nothing."""
    command = [sys.executable, "-m", "tests.benchmarks.extractor.verify", form, str(folder), kind, str(rows)]
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        return f"its tables could not be read: {done.stderr.strip().splitlines()[-1]}"
    return done.stdout.strip()


def _check(form: str, folder: Path, kind: str, rows: int) -> str:
    tables = _tables(form, folder)
    if kind not in tables:
        return f"there is no table {kind}, only {sorted(tables)}"
    found = _ask(f"SELECT count(*), sum(id::BIGINT), count(DISTINCT id) FROM {tables[kind]}")
    expected = (rows, rows * (rows + 1) // 2, rows)
    if found != expected:
        return f"rows, sum of ids and different ids are {found}, not {expected}"
    return _check_lists(tables) if kind == "nested" else ""


def _check_lists(tables: dict[str, str]) -> str:
    for name, expected in LISTED.items():
        # dlt puts two underscores between a table and its list.
        table = tables.get(f"nested_{name}") or tables.get(f"nested__{name}")
        if table is None:
            return f"there is no table of {name}, only {sorted(tables)}"
        (found,) = _ask(f"SELECT count(*) FROM {table}")
        if found != expected:
            return f"{name} has {found} rows, not {expected}"
    return ""


def _tables(form: str, folder: Path) -> dict[str, str]:
    """How DuckDB reads each table; one may be in several files."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in _files(form, folder):
        is_part = "files" in path.relative_to(folder).parts  # dlt: a folder per table
        name = path.parent.name if is_part else path.name.removeprefix("bench.").removesuffix(".csv")
        files[name].append(str(path))
    reader = _READERS["parquet" if form == "parquet" else "csv"]
    return {name: reader.format(paths) for name, paths in files.items()}


def _files(form: str, folder: Path) -> list[Path]:
    if form == "penstock":
        return [path for path in (folder / "out" / "tables").iterdir() if path.suffix != ".manifest"]
    if form == "ours":
        return list(folder.glob("bench.*"))
    found = folder.rglob(f"*.{form}")
    return [path for path in found if not {"pipelines", "dlt"} & set(path.relative_to(folder).parts)]


def _ask(statement: str) -> tuple[int, ...]:
    import duckdb

    response = duckdb.sql(statement).fetchone()
    assert response
    return tuple(map(int, response))


if __name__ == "__main__":
    _form, _folder, _kind, _rows = sys.argv[1:]
    print(_check(_form, Path(_folder), _kind, int(_rows)))
