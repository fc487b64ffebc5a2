"""`client.sql()`, on a real stack."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from penstock.client import Client, QueryFailed
from penstock.client.sql.queries import InvalidTimeout
from tests.support.stacks import RunningStack

VALUES = "1::BIGINT AS n, 1.50::DECIMAL(12,2) AS d, DATE '2026-01-31' AS day, '' AS e"
TYPED = f"SELECT {VALUES} UNION ALL SELECT NULL, NULL, NULL, NULL"
ROWS = [(1, Decimal("1.50"), dt.date(2026, 1, 31), ""), (None, None, None, None)]
WORKSPACES = "/v2/storage/components/keboola.sandboxes/configs/penstock-sql/workspaces"


@pytest.fixture
def table(client: Client) -> str:
    client.tables.load("in.c-client-sql.people", io.BytesIO(b"id,name\n1,Ada\n2,\n"))
    return '"in.c-client-sql"."people"'


def test_rows_have_the_types_of_python(client: Client, table: str) -> None:
    assert client.sql(TYPED).rows() == ROWS
    assert client.sql(f"SELECT id, name FROM {table} ORDER BY id").rows() == [("1", "Ada"), ("2", "")]


def test_arrow_pandas_and_polars_have_the_types_of_the_columns(client: Client) -> None:
    result = client.sql(TYPED)
    arrow, pandas, polars = result.to_arrow(), result.to_pandas(), result.to_polars()

    assert arrow.schema.types == [pa.int64(), pa.decimal128(12, 2), pa.date32(), pa.string()]
    assert [tuple(row.values()) for row in arrow.to_pylist()] == ROWS
    assert str(pandas.dtypes["n"]) == "int64[pyarrow]"
    assert pandas["d"].sum() == Decimal("1.50")
    assert polars.rows() == ROWS


def test_a_result_without_rows_keeps_its_columns(client: Client) -> None:
    result = client.sql("SELECT 1::BIGINT AS n WHERE false")

    assert (result.rows(), result.number_of_rows) == ([], 0)
    assert (result.to_arrow().schema.names, result.to_arrow().num_rows) == (["n"], 0)
    assert result.to_polars().columns == ["n"]


def test_a_statement_that_returns_nothing_has_a_message(client: Client) -> None:
    result = client.sql("CREATE TEMP TABLE mine AS SELECT 7 AS n")

    assert (result.rows(), result.columns, result.to_arrow().num_rows) == ([], [], 0)
    assert result.message
    assert client.sql("SELECT n FROM mine").rows() == [(7,)]


def test_it_works_inside_a_running_event_loop(client: Client) -> None:
    async def cell() -> Any:
        return client.sql("SELECT 42 AS n").rows(), client.sql("SELECT 42 AS n").to_arrow().num_rows

    assert asyncio.run(cell()) == ([(42,)], 1)


def test_a_wrong_statement_fails_with_the_words_of_the_engine(client: Client) -> None:
    with pytest.raises(QueryFailed, match="LINE 2: FRM"):
        client.sql("SELECT 1\nFRM range(3)")
    with pytest.raises(QueryFailed, match="syntax error line 1 at position 10"):
        client.sql("SELECT 1 +", dialect="snowflake")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_timeout_is_a_number_of_seconds(client: Client, seconds: float) -> None:
    with pytest.raises(InvalidTimeout, match="Give a number of seconds above 0"):
        client.sql("SELECT 1", timeout=seconds)


def test_a_notebook_shows_the_first_rows_with_null(client: Client) -> None:
    shown = client.sql("SELECT '<b>' AS tag, NULL AS x, range AS n FROM range(20)")._repr_html_()

    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert "NULL" in shown
    assert shown.count("<tr>") <= 12


def test_the_workspace_is_found_again_and_made_again(client: Client, stack: RunningStack) -> None:
    client.sql("SELECT 1")
    [first] = stack.storage.get(WORKSPACES).json
    client.sql("SELECT 1")
    [same] = stack.storage.get(WORKSPACES).json
    stack.storage.delete(f"/v2/storage/workspaces/{first['id']}")
    rows = client.sql("SELECT 2 AS n").rows()
    [other] = stack.storage.get(WORKSPACES).json

    assert rows == [(2,)]
    assert (first["id"] == same["id"], first["id"] == other["id"]) == (True, False)
