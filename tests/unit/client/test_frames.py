"""Tables as Arrow, pandas, Polars and DuckDB, and back, on a real stack."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import subprocess
import sys
from decimal import Decimal
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.client import Client, StorageJobFailed, frames
from penstock.client.frames import UnknownColumns
from penstock.client.sources import BinaryColumn, NotRows
from tests.unit.foundation.lake.tables import few_examples

UTC = dt.UTC
COLUMNS: dict[str, pa.Array] = {
    "id": pa.array([1, 2, 3], pa.int64()),
    "name": pa.array(["Ada", "", None]),
    "price": pa.array([Decimal("1.50"), None, Decimal("-2.25")], pa.decimal128(12, 2)),
    "score": pa.array([0.1, None, 1e300]),
    "paid": pa.array([True, False, None]),
    "day": pa.array([dt.date(2026, 1, 31), None, dt.date(1999, 12, 31)]),
    "made": pa.array([dt.datetime(2026, 1, 31, 12, 30, 1, 5), None, dt.datetime(1999, 1, 1)], pa.timestamp("us")),
    "sent": pa.array([dt.datetime(2026, 1, 31, 12, tzinfo=UTC), None, None], pa.timestamp("us", "UTC")),
}
ORDERS = pa.table(COLUMNS)


@pytest.fixture
def orders(client: Client) -> str:
    client.write_table(ORDERS, "in.c-frames.orders", primary_key=["id"])
    return "in.c-frames.orders"


def as_rows(table: Any) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: row["id"])


def test_an_arrow_table_comes_back_with_its_types_and_missing_values(client: Client, orders: str) -> None:
    table = client.get_table(orders)
    found = client.table(orders).to_arrow()

    assert (table.is_typed, table.primary_key, table.rows_count) == (True, ["id"], 3)
    assert found.schema.remove_metadata() == ORDERS.schema
    assert as_rows(found) == as_rows(ORDERS)


@pytest.mark.parametrize("in_memory", [frames.IN_MEMORY_BYTES, 0], ids=["in memory", "by files"])
def test_a_table_of_several_files_is_read_whole_with_its_types(
    client: Client, monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
    monkeypatch.setattr(frames, "IN_MEMORY_BYTES", in_memory)
    table = f"in.c-frames.parts{in_memory}"
    client.write_table(ORDERS, table)
    for number in (10, 20):
        client.write_table(ORDERS.slice(0, 1).set_column(0, "id", pa.array([number])), table, incremental=True)

    found = client.table(table).to_arrow()

    assert found.schema.remove_metadata() == ORDERS.schema
    assert [row["id"] for row in as_rows(found)] == [1, 2, 3, 10, 20]
    assert client.table(table).to_arrow(["paid", "id"]).column_names == ["paid", "id"]


def test_pandas_has_arrow_types_and_can_be_written_back(client: Client, orders: str) -> None:
    frame = client.table(orders).to_pandas()
    client.write_table(frame.set_index("id", drop=False), "in.c-frames.from_pandas")

    assert str(frame.dtypes["id"]) == "int64[pyarrow]"
    assert frame["price"].sum() == Decimal("-0.75")
    assert as_rows(client.table("in.c-frames.from_pandas").to_arrow()) == as_rows(ORDERS)


def test_pandas_with_its_own_types_is_written_as_it_is(client: Client) -> None:
    frame = pd.DataFrame({"id": [1, 2], "name": ["a", None], "when": pd.to_datetime(["2026-01-01", None])})

    client.write_table(frame, "in.c-frames.plain_pandas")

    assert client.get_table("in.c-frames.plain_pandas").types == {
        "id": "INTEGER",
        "name": "STRING",
        "when": "TIMESTAMP",
    }
    assert client.table("in.c-frames.plain_pandas").to_arrow()["name"].null_count == 1


def test_timestamps_keep_all_their_digits(client: Client) -> None:
    exact = pa.array([1_000_000_001, None], pa.timestamp("ns"))
    client.write_table(
        pa.table({"exact": exact, "rounded": pa.array([1_000, None], pa.timestamp("ns"))}), "in.c-frames.ns"
    )

    assert client.get_table("in.c-frames.ns").types == {"exact": "STRING", "rounded": "TIMESTAMP"}
    rows = client.table("in.c-frames.ns").to_arrow().to_pydict()
    assert rows["exact"] == ["1970-01-01 00:00:01.000000001", None]
    assert str(rows["rounded"][0]) == "1970-01-01 00:00:00.000001"


def test_polars_comes_back_and_can_be_written(client: Client, orders: str) -> None:
    frame = client.table(orders).to_polars()
    client.write_table(frame, "in.c-frames.from_polars")

    assert (frame.schema["id"], frame.schema["day"]) == (pl.Int64, pl.Date)
    assert as_rows(client.table("in.c-frames.from_polars").to_arrow()) == as_rows(ORDERS)


def test_duckdb_gets_a_table_and_a_relation_can_be_written(client: Client, orders: str) -> None:
    connection = duckdb.connect()
    relation = client.table(orders).to_duckdb(connection)
    total = connection.sql("SELECT sum(price), count(*) FROM orders").fetchone()
    client.write_table(relation.filter("id < 3"), "in.c-frames.from_duckdb")

    assert total == (Decimal("-0.75"), 3)
    assert client.table("in.c-frames.from_duckdb").to_duckdb().project("id, name").order("id").fetchone() == (1, "Ada")
    assert as_rows(client.table("in.c-frames.from_duckdb").to_arrow()) == as_rows(ORDERS)[:2]


def test_incremental_rows_replace_those_with_their_key(client: Client, orders: str) -> None:
    changed = ORDERS.slice(1, 1).set_column(1, "name", pa.array(["changed"]))

    client.write_table(changed, orders, primary_key=["id"], incremental=True)

    assert [row["name"] for row in as_rows(client.table(orders).to_arrow())] == ["Ada", "changed", None]


def test_some_columns_are_read_in_the_requested_order(client: Client, orders: str) -> None:
    assert client.table(orders).to_polars(["name", "id"]).columns == ["name", "id"]
    with pytest.raises(UnknownColumns, match="has no column none; it has: id, name"):
        client.table(orders).to_arrow(["none"])


def test_a_table_without_types_is_text_without_missing_values(client: Client) -> None:
    client.tables.load("in.c-frames.untyped", io.BytesIO(b'id,name\n1,\n2,""\n'))
    client.write_table(
        pa.table({"id": ["3"], "name": pa.array([None], pa.string())}),
        "in.c-frames.untyped",
        incremental=True,
    )

    found = client.table("in.c-frames.untyped").to_arrow()

    assert as_rows(found) == [{"id": "1", "name": ""}, {"id": "2", "name": ""}, {"id": "3", "name": ""}]


def test_integers_that_need_more_than_64_bits_keep_their_digits(client: Client) -> None:
    large = 12345678901234567890123456789
    client.write_table(
        duckdb.sql(f"SELECT {large}::HUGEINT AS id, '\\N' AS text, NULL::VARCHAR AS none"), "in.c-frames.large"
    )

    assert client.table("in.c-frames.large").to_arrow().to_pylist() == [
        {"id": Decimal(large), "text": "\\N", "none": None}
    ]
    assert client.table("in.c-frames.large").to_duckdb().fetchall() == [(large, "\\N", None)]


def test_nested_values_are_json(client: Client) -> None:
    client.write_table(pa.table({"tags": [["a", "b"]], "place": [{"city": "Brno"}]}), "in.c-frames.nested")

    assert client.preview("in.c-frames.nested").rows == [['["a","b"]', '{"city":"Brno"}']]


def test_what_cannot_be_written_is_refused_before_anything_is_created(client: Client) -> None:
    with pytest.raises(NotRows, match="list cannot be written to a table"):
        client.write_table([{"id": 1}], "in.c-frames.refused")
    with pytest.raises(BinaryColumn, match="'raw' contains binary data"):
        client.write_table(pa.table({"raw": [b"x"]}), "in.c-frames.refused")

    assert client.tables.find("in.c-frames.refused") is None


def test_a_failed_first_write_leaves_no_table(client: Client) -> None:
    with pytest.raises(StorageJobFailed, match="is not a valid DECIMAL"):
        client.write_table(duckdb.sql(f"SELECT {2**128 - 1}::UHUGEINT AS id"), "in.c-frames.failed")

    assert client.tables.find("in.c-frames.failed") is None


def test_everything_works_inside_a_running_event_loop(client: Client, orders: str) -> None:
    async def cell() -> Any:
        found = client.table(orders).to_arrow()
        client.write_table(found, "in.c-frames.in_a_loop")
        return client.get_table("in.c-frames.in_a_loop").rows_count

    assert asyncio.run(cell()) == 3


def test_a_missing_library_is_named_with_its_installation() -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from penstock.client import connect, LibraryMissing\n"
        "try: connect('http://127.0.0.1:9', 't').table('in.c-a.b').to_pandas()\n"
        "except LibraryMissing as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("This needs the package pyarrow, which is not installed: pip install 'penstock[not")


TEXTS = st.none() | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8)
ROWS = st.lists(
    st.tuples(st.none() | st.integers(-(2**63), 2**63 - 1), TEXTS, st.none() | st.floats(allow_nan=False)), max_size=6
)


@given(rows=ROWS)
@few_examples
def test_any_values_come_back_as_they_were_written(client: Client, rows: list[tuple[Any, ...]]) -> None:
    numbers, texts, floats = zip(*rows, strict=True) if rows else ((), (), ())
    written = pa.table(
        {
            "number": pa.array(numbers, pa.int64()),
            "text": pa.array(texts, pa.string()),
            "float": pa.array(floats, pa.float64()),
        }
    )

    client.write_table(written, "in.c-frames.any")

    assert client.table("in.c-frames.any").to_arrow().to_pylist() == written.to_pylist()
