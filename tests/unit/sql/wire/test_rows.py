"""Rows that the database encodes, beside the same rows encoded cell by cell: equal bytes."""

from __future__ import annotations

import struct
from collections.abc import Generator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from penstock.foundation.text.quoting import quote_value
from penstock.pgwire.results import choose_encoders, encode_rows
from penstock.pgwire.types import to_field
from penstock.sql import EncodedRows, ResultColumn
from penstock.sql.wire import read_rows
from tests.support.examples import examples

KINDS: dict[str, SearchStrategy[Any]] = {
    "BOOLEAN": st.booleans(),
    "TINYINT": st.integers(-128, 127),
    "UTINYINT": st.integers(0, 255),
    "SMALLINT": st.integers(-(2**15), 2**15 - 1),
    "USMALLINT": st.integers(0, 2**16 - 1),
    "INTEGER": st.integers(-(2**31), 2**31 - 1),
    "UINTEGER": st.integers(0, 2**32 - 1),
    "BIGINT": st.integers(-(2**63), 2**63 - 1),
    "FLOAT": st.floats(width=32),
    "DOUBLE": st.floats(),
    "DECIMAL(4,0)": st.integers(-9999, 9999),
    "DECIMAL(18,0)": st.integers(-(10**18) + 1, 10**18 - 1),
    "DECIMAL(18,2)": st.decimals(-(10**15), 10**15, places=2),
    "DECIMAL(18,18)": st.integers(-(10**18) + 1, 10**18 - 1).map(lambda digits: Decimal(digits).scaleb(-18)),
    "DECIMAL(9,5)": st.decimals(-9999, 9999, places=5),
    "DECIMAL(38,4)": st.decimals(-(10**30), 10**30, places=4),
    "VARCHAR": st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    "BLOB": st.binary(max_size=100),
    "DATE": st.dates() | st.sampled_from(["infinity", "-infinity", "0044-03-15 (BC)"]),
    "TIME": st.times(),
    "TIMESTAMP": st.datetimes() | st.sampled_from(["infinity", "0044-03-15 (BC) 10:00:00"]),
    "TIMESTAMP_S": st.datetimes().map(lambda moment: moment.replace(microsecond=0)),
    "TIMESTAMP_MS": st.datetimes().map(lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)),
    "TIMESTAMP WITH TIME ZONE": st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)).map(
        lambda moment: moment.replace(tzinfo=UTC)
    ),
    "UUID": st.uuids(),
    "INTEGER[]": st.lists(st.integers(0, 9), max_size=3),
}
COLUMN = st.sampled_from(sorted(KINDS)).flatmap(
    lambda kind: st.tuples(st.just(kind), st.booleans(), st.lists(KINDS[kind] | st.none(), min_size=4, max_size=4))
)


@pytest.fixture(scope="module")
def database() -> Generator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        yield connection


def both(
    database: duckdb.DuckDBPyConnection, source: str, kinds: list[str], formats: list[bool]
) -> tuple[EncodedRows, bytes]:
    columns = [ResultColumn(f"c{number}", kind) for number, kind in enumerate(kinds)]
    texts = ", ".join(f"CAST({each.name} AS VARCHAR)" for each in columns)
    rows = [list(row) for row in database.execute(f"SELECT {texts} FROM ({source})").fetchall()]
    fields = [to_field(each) for each in columns]
    slowly = encode_rows(rows, choose_encoders(fields, [int(each) for each in formats]))
    return read_rows(database, source, columns, formats), slowly


def to_sql(value: object, kind: str) -> str:
    if value is None:
        return f"NULL::{kind}"
    if isinstance(value, bytes):
        return f"from_hex('{value.hex()}')"
    if isinstance(value, Decimal):
        value = f"{value:f}"
    if isinstance(value, datetime | date | time):
        value = value.isoformat()
    return f"{quote_value(value)}::{kind}"


@examples(400)
@given(st.lists(COLUMN, min_size=1, max_size=6))
def test_rows_that_the_database_encodes_are_those_encoded_cell_by_cell(
    database: duckdb.DuckDBPyConnection, columns: list[tuple[str, bool, list[Any]]]
):
    rows = [
        "SELECT " + ", ".join(f"{to_sql(values[row], kind)} AS c{n}" for n, (kind, _, values) in enumerate(columns))
        for row in range(4)
    ]

    quickly, slowly = both(
        database, " UNION ALL ".join(rows), [each[0] for each in columns], [each[1] for each in columns]
    )

    assert quickly.count in (0, 4)
    assert not quickly.count or quickly.content == slowly


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("BOOLEAN", "true"), ("SMALLINT", "-7"), ("INTEGER", "7"), ("BIGINT", "-7"), ("DOUBLE", "1.5")),
        *(("DECIMAL(18,2)", "-10000.05"), ("DECIMAL(18,2)", "0"), ("DECIMAL(12,6)", "120000.000001")),
        *(
            ("VARCHAR", "'ě'"),
            ("VARCHAR", "repeat('ě', 64)"),
            ("BLOB", "'\\x00a'::BLOB"),
            ("DATE", "DATE '2024-02-29'"),
        ),
        *(("TIMESTAMP", "TIMESTAMP '1999-12-31 23:59:59.5'"), ("TIME", "TIME '10:00:00'"), ("UUID", "uuid()")),
        *(("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ '2024-01-01 10:00:00+02'"), ("JSON", "'{}'::JSON")),
    ],
)
def test_common_types_are_encoded_by_the_database(
    database: duckdb.DuckDBPyConnection, kind: str, value: str, is_binary: bool
):
    source = f"SELECT CASE WHEN range % 3 = 0 THEN {value}::{kind} END AS c0 FROM range(10)"
    database.execute(f"CREATE OR REPLACE TEMP TABLE rows AS {source}")

    quickly, slowly = both(database, "FROM rows", [kind], [is_binary])

    assert quickly == EncodedRows(slowly, 10)


@pytest.mark.parametrize("value", ["'nan'::DOUBLE", "'-inf'::FLOAT", "'infinity'::DATE", "[1, 2]"])
def test_pages_with_rare_values_are_left_to_the_encoder_of_cells(database: duckdb.DuckDBPyConnection, value: str):
    [(kind,)] = database.execute(f"SELECT typeof({value})").fetchall()

    assert read_rows(database, f"SELECT {value} AS c0", [ResultColumn("c0", kind)], [False]) == EncodedRows()


def test_texts_of_statements_that_are_not_queries_become_values_again(database: duckdb.DuckDBPyConnection):
    quickly, slowly = both(database, "SELECT '7' AS c0, '1.5' AS c1", ["INTEGER", "DOUBLE"], [True, True])

    assert quickly.content == slowly
    assert struct.pack(">id", 7, 1.5)[:4] in quickly.content
