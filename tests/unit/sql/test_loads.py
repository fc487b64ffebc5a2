from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation.lake import Column, Filter, Query, drop_table
from penstock.sql import LoadColumn, StatementFailed, TableExists, TableLoad, WorkspaceTable, sockets
from penstock.sql.folders import folder_of
from penstock.sql.messages import Failed, LoadTable, receive_hello, receive_response, send
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for
from tests.unit.sql.workbench import Workbench

ORDERS = [["id", "name"], ["1", "a"], ["2", "b"], ["3", ""]]


def load(bench: Workbench, target: str, **options: Any) -> int:
    bench.load("orders", ORDERS)
    with bench.engines.open(bench.workspace) as engine:
        return engine.load(TableLoad(link=bench.links["orders"], target=target, **options))


def list_objects(bench: Workbench) -> dict[str, WorkspaceTable]:
    with bench.engines.open(bench.workspace) as engine:
        return {table.name: table for table in engine.list_objects()}


@pytest.mark.parametrize("mode", ["copy", "clone", "view"])
def test_a_project_table_is_loaded(bench: Workbench, mode: str) -> None:
    assert load(bench, f"by_{mode}", mode=mode) == 3
    assert bench.rows(f"SELECT * FROM by_{mode} ORDER BY id") == [["1", "a"], ["2", "b"], ["3", ""]]
    assert list_objects(bench)[f"by_{mode}"].is_view == (mode == "view")


def test_columns_are_renamed_and_typed(bench: Workbench) -> None:
    columns = (
        LoadColumn(source="name", name="Label", empty_is_null=True),
        LoadColumn(source="id", name="number", type="BIGINT"),
    )
    load(bench, "typed", columns=columns)

    assert bench.rows('SELECT "Label", number + 1 FROM typed ORDER BY number') == [["a", "2"], ["b", "3"], [None, "4"]]


def test_a_value_that_does_not_fit_its_type_is_said(bench: Workbench) -> None:
    with pytest.raises(StatementFailed, match="Could not convert string 'a' to INT64"):
        load(bench, "wrong", columns=(LoadColumn(source="name", name="name", type="BIGINT"),))

    assert "wrong" not in list_objects(bench)


def test_rows_are_chosen(bench: Workbench) -> None:
    query = Query(filters=(Filter("id", "ne", ("1",)),), limit=1)

    assert load(bench, "chosen", query=query) == 1


def test_a_load_with_the_same_id_happens_once(bench: Workbench) -> None:
    for identity in ("7-0", "7-0", "7-1", "7-1"):
        load(bench, "once", id=identity, incremental=True)

    assert bench.rows("SELECT count(*) FROM once") == [["6"]]


def test_a_running_load_is_canceled(bench: Workbench) -> None:
    endless = LoadTable(id="long", target="long", sql="SELECT 1 FROM range(10000000) a, range(10000000) b", mode="copy")
    with (
        bench.engines.open(bench.workspace) as engine,
        sockets.connect(folder_of(bench.stack.folder, bench.workspace.id).socket, PATIENCE) as line,
    ):
        receive_hello(line)
        send(line, endless)
        wait_for(lambda: engine.cancel("long"))
        response = receive_response(line)

    assert isinstance(response, Failed)
    assert response.kind == "StatementCanceled"
    assert "long" not in list_objects(bench)


def test_an_existing_table_is_kept_replaced_or_extended(bench: Workbench) -> None:
    load(bench, "existing")
    with pytest.raises(TableExists, match='already has a table "existing"'):
        load(bench, "existing")
    assert load(bench, "existing", incremental=True) == 3
    assert bench.rows("SELECT count(*) FROM existing") == [["6"]]
    assert load(bench, "existing", overwrite=True) == 3


def test_rows_with_the_same_key_are_replaced(bench: Workbench) -> None:
    load(bench, "keyed")
    bench.run("UPDATE keyed SET name = 'old'")
    bench.run("INSERT INTO keyed VALUES ('9', 'own')")
    load(bench, "keyed", incremental=True, primary_key=("id",))

    assert bench.rows("SELECT name FROM keyed ORDER BY id") == [["a"], ["b"], [""], ["own"]]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("INSERT INTO cloned VALUES ('4', 'd')", 4),
        ("DELETE FROM cloned WHERE id = '1'", 2),
        ("UPDATE cloned SET name = 'x'", 3),
        ("TRUNCATE cloned", 0),
        ("ALTER TABLE cloned ADD COLUMN more INTEGER", 3),
        ("CREATE OR REPLACE TABLE cloned AS SELECT 1 AS a", 1),
        ("INSERT INTO cloned SELECT * FROM cloned", 6),
    ],
)
def test_a_clone_can_be_changed(bench: Workbench, sql: str, rows: int) -> None:
    load(bench, "cloned", mode="clone", overwrite=True)
    bench.run(sql)

    assert bench.rows("SELECT count(*) FROM cloned") == [[str(rows)]]


def test_a_clone_can_be_dropped(bench: Workbench) -> None:
    load(bench, "dropped", mode="clone")
    bench.run("DROP TABLE dropped")

    assert "dropped" not in list_objects(bench)


def test_a_clone_stays_as_it_was(new_bench: Workbench) -> None:
    load(new_bench, "cloned", mode="clone")
    drop_table(new_bench.stack.lake, new_bench.links["orders"].table)
    new_bench.engines.close()

    assert new_bench.rows("SELECT count(*) FROM cloned") == [["3"]]


def test_tables_are_listed_with_their_columns_and_dropped(new_bench: Workbench) -> None:
    new_bench.run("CREATE TABLE a(id INTEGER NOT NULL, price DECIMAL(10, 2))")
    new_bench.run("CREATE VIEW b AS SELECT id FROM a")
    found = list_objects(new_bench)

    assert [(each.name, each.type, each.nullable) for each in found["a"].columns] == [
        ("id", "INTEGER", False),
        ("price", "DECIMAL(10,2)", True),
    ]
    assert found["b"].is_view
    with new_bench.engines.open(new_bench.workspace) as engine:
        engine.drop(["A", "unknown"])
        assert [table.name for table in engine.list_objects()] == ["b"]
        engine.drop(None)
        assert engine.list_objects() == []


def test_hidden_columns_of_a_load_are_those_asked_for(bench: Workbench) -> None:
    bench.load("stamped", ORDERS)
    link = bench.links["stamped"]
    with bench.engines.open(bench.workspace) as engine:
        engine.load(TableLoad(link=link, target="plain", columns=(LoadColumn(source="id", name="id"),)))

    assert [column.name for column in list_objects(bench)["plain"].columns] == ["id"]
    assert Column("id") in link.columns
