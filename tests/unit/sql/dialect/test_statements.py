"""Every line of tests/data/snowflake_sql.jsonl: a statement, and what Snowflake's documentation says of its result."""

from __future__ import annotations

from pathlib import Path

import duckdb
import msgspec
import pytest

from penstock.sql.dialect import SqlError
from tests.unit.sql.dialect.session import Session

DATA = Path(__file__).parents[3] / "data" / "snowflake_sql.jsonl"


class Case(msgspec.Struct, forbid_unknown_fields=True):
    sql: str
    rows: list[list[str | None]] | None = None
    columns: list[str] | None = None
    error: str | None = None


CASES = [msgspec.json.decode(line, type=Case) for line in DATA.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.sql[:60])
def test_a_statement_has_the_result_that_it_has_in_snowflake(session: Session, case: Case) -> None:
    if case.error:
        with pytest.raises((SqlError, duckdb.Error)) as raised:
            session.run(case.sql)
        assert case.error in str(raised.value)
        return
    result = session.run(case.sql)

    assert result.rows == case.rows
    assert case.columns is None or result.columns == case.columns
