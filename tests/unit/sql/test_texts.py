"""The texts of rows are the same, whichever kind of statement returns them."""

from __future__ import annotations

import pytest

from tests.unit.sql.workbench import Workbench

VALUES = [
    "true",
    "NULL::BOOLEAN",
    "(-128)::TINYINT",
    "18446744073709551615::UBIGINT",
    "170141183460469231731687303715884105727::HUGEINT",
    "0::DECIMAL(18,8)",
    "-0.0000001::DECIMAL(18,7)",
    "12345678901234567890.1200::DECIMAL(38,4)",
    "1e300::DOUBLE",
    "1::DOUBLE",
    "0.1::FLOAT",
    "'nan'::DOUBLE",
    "'-inf'::DOUBLE",
    "'it''s \"é\" \\ \n 日本'",
    "''",
    "'\\x00\\xFFab'::BLOB",
    "DATE '0044-03-15 (BC)'",
    "DATE 'infinity'",
    "DATE '2024-02-29'",
    "TIME '23:59:59.000001'",
    "TIMESTAMP '2024-02-29 12:00:00'",
    "TIMESTAMP '2024-02-29 12:00:00.123456'",
    "TIMESTAMPTZ '2024-02-29 12:00:00+02'",
    "TIMESTAMP_S '2024-02-29 12:00:00'",
    "INTERVAL '1 month 2 days 3 seconds'",
    "'4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'::UUID",
    "'0101'::BIT",
    "['a', NULL, 'b, c', '']",
    "[true, NULL]",
    "[]::INTEGER[]",
    "[[1], NULL, [2, 3]]",
    "[0::DECIMAL(9,8), 1]",
    "[DATE '2024-02-29']",
    "{'x': true, 'y': [1, NULL], 'z': NULL}",
    "MAP {'k': 0::DECIMAL(9,8), 'l': NULL}",
    "'b'::ENUM('a', 'b')",
]


@pytest.mark.parametrize("value", VALUES)
def test_changed_and_selected_rows_have_the_same_texts(bench: Workbench, value: str) -> None:
    bench.run(f"CREATE OR REPLACE TABLE texts AS SELECT {value} AS v LIMIT 0")
    returned = bench.run(f"INSERT INTO texts SELECT {value} RETURNING v, [v] AS l")
    rows = bench.page().rows
    selected = bench.run("SELECT v, [v] AS l FROM texts")

    assert rows == bench.page().rows
    assert returned.columns == selected.columns


@pytest.mark.parametrize("value", VALUES)
def test_pivoted_and_selected_rows_have_the_same_texts(bench: Workbench, value: str) -> None:
    pivoted = bench.rows(f"PIVOT (SELECT 'k' AS k, {value} AS v) ON k USING any_value(v) AS x")

    assert pivoted == bench.rows(f"SELECT {value}")


def test_no_changed_row_is_a_result_with_columns(bench: Workbench) -> None:
    bench.run("CREATE OR REPLACE TABLE texts(a INTEGER)")
    outcome = bench.run("DELETE FROM texts RETURNING a")

    assert [column.name for column in outcome.columns] == ["a"]
    assert outcome.number_of_rows == 0
    assert bench.page().rows == []
