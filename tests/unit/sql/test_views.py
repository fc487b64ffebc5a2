from __future__ import annotations

import msgspec
import pytest

from penstock.foundation.lake import Column, Filter, Query, add_column, delete_rows, drop_column
from penstock.sql import StatementFailed
from tests.unit.sql.workbench import BUCKET, Workbench

ORDERS = [["id", "name"], ["1", "a"], ["2", "b"], ["3", ""]]


def test_a_project_table_is_read_by_its_full_name(bench: Workbench) -> None:
    bench.load("orders", ORDERS)

    assert bench.rows(f'SELECT * FROM "KBC_1"."{BUCKET}"."orders" ORDER BY id') == [["1", "a"], ["2", "b"], ["3", ""]]
    assert bench.rows(f'SELECT count(*) FROM "{BUCKET}".orders AS o') == [["3"]]


def test_a_statement_reads_the_table_as_it_is_when_it_begins(bench: Workbench) -> None:
    bench.load("growing", ORDERS)
    query = f'SELECT count(*) FROM "{BUCKET}"."growing"'
    before = bench.rows(query)
    bench.load("growing", [["id", "name"], ["4", "d"]], incremental=True)

    assert (before, bench.rows(query)) == ([["3"]], [["4"]])


def test_deleted_rows_are_not_read(bench: Workbench) -> None:
    table = bench.load("deleted", ORDERS)
    with bench.stack.lake.one_writer(table):
        delete_rows(bench.stack.lake, table, Query(filters=(Filter("id", "eq", ("2",)),)), "1")

    assert bench.rows(f'SELECT id FROM "{BUCKET}"."deleted" ORDER BY id') == [["1"], ["3"]]


def test_changed_rows_are_read_once(bench: Workbench) -> None:
    bench.load("changed", ORDERS, key="id")
    bench.load("changed", [["id", "name"], ["2", "new"]], key="id", incremental=True)

    assert bench.rows(f'SELECT name FROM "{BUCKET}"."changed" ORDER BY id') == [["a"], ["new"], [""]]


def test_added_and_dropped_columns_are_those_of_the_table(bench: Workbench) -> None:
    table = bench.load("wide", ORDERS)
    drop_column(bench.stack.lake, table, "name")
    add_column(bench.stack.lake, table, Column("name"))
    add_column(bench.stack.lake, table, Column("price", "DECIMAL(10,2)", True, "1.50"))
    columns = (Column("id"), Column("price", "DECIMAL(10,2)"), Column("name"))
    bench.links["wide"] = msgspec.structs.replace(bench.links["wide"], columns=columns)

    assert bench.rows(f'SELECT * FROM "{BUCKET}"."wide" WHERE id = \'1\'') == [["1", "1.50", ""]]


def test_types_arrive(bench: Workbench) -> None:
    types = (Column("id", "BIGINT"), Column("paid", "BOOLEAN"), Column("day", "DATE"))
    bench.load("typed", [["id", "paid", "day"], ["1", "true", "2026-01-31"], ["2", "", ""]], types)
    outcome = bench.run(f'SELECT * FROM "{BUCKET}"."typed" ORDER BY id')

    assert [column.type for column in outcome.columns] == ["BIGINT", "BOOLEAN", "DATE"]
    assert bench.page().rows == [["1", "true", "2026-01-31"], ["2", None, None]]


def test_an_alias_shows_only_its_rows_and_columns(bench: Workbench) -> None:
    bench.load("source", ORDERS)
    query = Query(filters=(Filter("name", "eq", ("b",)),))
    bench.links["part"] = msgspec.structs.replace(
        bench.links["source"], name="part", columns=(Column("id"),), query=query
    )
    files = bench.stack.folder / "workspaces" / str(bench.workspace.id) / "tables"
    before = set(files.iterdir())

    assert bench.rows(f'SELECT * FROM "{BUCKET}"."part"') == [["2"]]
    (added,) = set(files.iterdir()) - before
    assert bench.rows(f"SELECT * FROM read_parquet('{added}')") == [["2"]]


def test_tables_that_may_not_be_read_do_not_exist(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="does not exist"):
        bench.run(f'SELECT * FROM "{BUCKET}"."secret"')


def test_all_tables_are_listed(bench: Workbench) -> None:
    bench.load("listed", ORDERS)
    query = "SELECT column_name FROM information_schema.columns WHERE table_name = 'listed' ORDER BY 1"

    assert bench.rows(query) == [["id"], ["name"]]
    assert bench.asked[-1].all


def test_views_of_the_workspace_read_project_tables(bench: Workbench) -> None:
    bench.load("seen", ORDERS)
    bench.run(f'CREATE OR REPLACE VIEW mine AS SELECT * FROM "{BUCKET}"."seen"')
    bench.load("seen", [["id", "name"], ["4", "d"]], incremental=True)

    assert bench.rows("SELECT count(*) FROM mine") == [["4"]]


@pytest.mark.parametrize(
    "sql",
    [
        f'DROP VIEW "{BUCKET}"."fixed"',
        f'DROP SCHEMA "{BUCKET}" CASCADE',
        f'CREATE TABLE "{BUCKET}"."new" AS SELECT 1 AS a',
        f'CREATE OR REPLACE VIEW "{BUCKET}"."fixed" AS SELECT 1 AS id',
        f"INSERT INTO \"{BUCKET}\".\"fixed\" VALUES ('9', 'x')",
        f'DELETE FROM "{BUCKET}"."fixed"',
    ],
)
def test_project_tables_cannot_be_changed(bench: Workbench, sql: str) -> None:
    bench.load("fixed", ORDERS)
    bench.run(f'SELECT * FROM "{BUCKET}"."fixed"')
    with pytest.raises(StatementFailed):
        bench.run(sql)

    assert bench.rows(f'SELECT count(*) FROM "{BUCKET}"."fixed"') == [["3"]]
