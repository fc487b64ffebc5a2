from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from penstock.sql import TableMissing
from tests.unit.sql.workbench import Workbench

QUERY = "SELECT range AS a, 'x,\"' || range AS b, sum(range) OVER () AS c FROM range(3) ORDER BY 1"
ROWS = [(0, 'x,"0', 3), (1, 'x,"1', 3), (2, 'x,"2', 3)]


def read_csv(path: Path) -> list[tuple[object, ...]]:
    return duckdb.sql(f"FROM read_csv('{path}', header = true)").fetchall()


def read_parquet(path: Path) -> list[tuple[object, ...]]:
    return duckdb.sql(f"FROM read_parquet('{path}')").fetchall()


def read_arrow(path: Path) -> list[tuple[object, ...]]:
    with pa.ipc.open_stream(path.read_bytes()) as stream:
        return [tuple(row.values()) for row in stream.read_all().to_pylist()]


READERS: dict[str, Callable[[Path], list[tuple[object, ...]]]] = {
    "csv": read_csv,
    "parquet": read_parquet,
    "arrow": read_arrow,
}


@pytest.mark.parametrize("kind", READERS)
def test_a_result_is_exported(bench: Workbench, kind: str) -> None:
    bench.run(QUERY)
    with bench.engines.open(bench.workspace) as engine:
        path = engine.export(bench.last_id, kind)  # pyright: ignore[reportArgumentType]

    assert READERS[kind](path) == ROWS
    path.unlink()


@pytest.mark.parametrize("kind", READERS)
def test_a_table_is_exported(bench: Workbench, kind: str) -> None:
    bench.run(f"CREATE OR REPLACE TABLE exported AS {QUERY}")
    with bench.engines.open(bench.workspace) as engine:
        path = engine.export_table("exported", kind)  # pyright: ignore[reportArgumentType]

    assert READERS[kind](path) == ROWS


def test_csv_is_compressed_and_keeps_null_apart_from_the_empty_text(bench: Workbench) -> None:
    bench.run("SELECT NULL AS a, '' AS b")
    with bench.engines.open(bench.workspace) as engine:
        path = engine.export(bench.last_id, "csv", gzip=True)

    assert gzip.decompress(path.read_bytes()).decode() == '"a","b"\n,""\n'


def test_a_table_that_does_not_exist_cannot_be_exported(bench: Workbench) -> None:
    with bench.engines.open(bench.workspace) as engine, pytest.raises(TableMissing, match='no table "unknown"'):
        engine.export_table("unknown", "csv")


def test_a_link_instead_of_a_file_is_not_taken(bench: Workbench, tmp_path: Path) -> None:
    from penstock.sql.errors import EngineStopped
    from penstock.sql.exports import take_file
    from penstock.sql.folders import folder_of

    bench.run("SELECT 1")
    (tmp_path / "secret").write_text("secret")
    folder = folder_of(bench.stack.folder, bench.workspace.id)
    (folder.files / "bad.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(EngineStopped, match="regular file"):
        take_file(folder, "bad.csv")

    assert (tmp_path / "secret").read_text() == "secret"
