"""The engine: its temporary files are private, it looks up tables only among tables, and it loads no other
extensions."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from penstock.foundation.lake import Lake, LakeTable, LakeUnavailable
from penstock.foundation.lake.relations import find_columns
from tests.unit.foundation.lake.tables import USERS, Tables


def folders(lake: Lake) -> set[str]:
    return {path.name for path in (lake.folder / "tmp").iterdir() if path.is_dir()}


def test_every_engine_spills_into_a_folder_of_its_own(tables: Tables) -> None:
    tables.load([("id",), ("1",)])
    first = folders(tables.lake)
    other = Lake(tables.lake.folder)
    with other.session(USERS):
        both = folders(other)
    other.close()

    assert (len(first), len(both)) == (1, 2)
    assert first < both
    assert folders(tables.lake) == first


def test_what_a_killed_engine_spilled_is_removed_by_the_next(tables: Tables) -> None:
    left = tables.lake.folder / "tmp" / "dead"
    left.mkdir(parents=True)
    (left / "spilled.tmp").write_bytes(b"x")
    Path(f"{left}.lock").write_text("1")
    tables.load([("id",), ("1",)])

    assert not left.exists()
    assert len(folders(tables.lake)) == 1


def test_a_variable_is_not_a_table(tables: Tables) -> None:
    secret = duckdb.sql("SELECT 1 AS one")
    assert secret
    with tables.lake.session(USERS) as session, pytest.raises(duckdb.CatalogException):
        session.execute("SELECT * FROM secret")


def test_a_missing_table_is_not_looked_for_in_other_buckets(tables: Tables) -> None:
    other = LakeTable(USERS.bucket + 1, "others")
    tables.load([("id",), ("1",)])
    tables.load([("id",), ("1",)], table=other)
    with tables.lake.session(other):
        shutil.rmtree(tables.lake.folder / str(other.bucket))  # a lookup there would fail
        with tables.lake.session(LakeTable(USERS.bucket, "missing")) as session:
            assert find_columns(session) is None


def break_during(lake: Lake, meanwhile: Callable[[], object] = list) -> None:
    with lake.session(USERS):
        meanwhile()
        raise duckdb.FatalException("it broke")


def test_an_engine_that_broke_is_replaced_once(tables: Tables) -> None:
    """A thread that still uses the old one when it fails again does not affect the new one."""
    found: list[set[str]] = []

    def replace() -> None:
        with pytest.raises(LakeUnavailable):
            break_during(tables.lake)
        tables.load([("id",), ("1",)])
        found.append(folders(tables.lake))

    with pytest.raises(LakeUnavailable):
        break_during(tables.lake, replace)

    assert [folders(tables.lake)] == found
    assert tables.read(("id",)) == [("1",)]


def test_a_running_engine_takes_no_unsigned_extension(tables: Tables) -> None:
    with tables.lake.session(USERS) as session:
        assert session.one("SELECT current_setting('allow_unsigned_extensions')") == (False,)
        with pytest.raises(duckdb.InvalidInputException, match="while database is running"):
            session.execute("SET GLOBAL allow_unsigned_extensions = true")


def test_the_engine_has_the_number_of_threads_of_its_lake(tables: Tables) -> None:
    tables.lake.threads = 3
    with tables.lake.session(USERS) as session:
        assert session.one("SELECT current_setting('threads')") == (3,)


def test_a_load_imports_no_library_that_it_does_not_use(tmp_path: Path) -> None:
    """DuckDB's Python library imports pandas, if it is installed, to bind the first value of a process."""
    program = f"""
import sys
from pathlib import Path
from tests.unit.foundation.lake.tables import Tables
tables = Tables(Path({str(tmp_path)!r}))
tables.load([("id",), ("1",)], incremental=True, primary_key=("id",))
tables.load([("id",), ("1",)], incremental=True, primary_key=("id",))
assert tables.read(("id",)) == [("1",)]
print(sorted({{"pandas", "pyarrow", "numpy", "polars"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["[]"]
