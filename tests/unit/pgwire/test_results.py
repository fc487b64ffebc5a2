"""Pages of results, by the size of their rows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import psycopg
import pytest

from penstock.pgwire.responses import Field
from penstock.pgwire.results import FIRST_PAGE, PIECE_BYTES, Result
from penstock.pgwire.types import TEXT
from penstock.sql import EncodedRows, ResponseTooLarge
from tests.unit.pgwire.sql_server import Login, SqlServer

FIELDS = [Field("text", TEXT, -1)]


def test_pages_of_a_result_are_as_large_as_its_rows_allow():
    asked: list[int] = []

    def read(offset: int, limit: int) -> list[list[str | None]]:
        asked.append(limit)
        return [["x" * 20_000] if offset + number >= 220 else ["x"] for number in range(limit)]

    pieces = list(Result("SELECT", FIELDS, 2500, read).take([], 0))

    assert asked[:2] == [FIRST_PAGE, FIRST_PAGE * 10]
    assert sum(asked) == 2500
    assert all(len(each) <= PIECE_BYTES + 20_000 for each in pieces[3:])


def test_a_page_that_is_too_large_is_read_in_smaller_ones():
    def read(offset: int, limit: int) -> list[list[str | None]]:
        if limit > 3:
            raise ResponseTooLarge
        return [[str(offset + number)] for number in range(limit)]

    sent = b"".join(Result("SELECT", FIELDS, 10, read).take([], 0))

    assert sent.count(b"D\0\0\0") == 10


def test_rows_that_are_too_large_for_one_message_of_the_engine_are_read(
    sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("penstock.sql.messages.MAX_BYTES", 500_000)
    with sql_server.connect(workspace) as client:
        client.execute("BEGIN")
        client.execute("CREATE TEMP TABLE wide AS SELECT range AS id, repeat('x', 100000) AS x FROM range(25)")

        assert len(client.execute("SELECT * FROM wide").fetchall()) == 25
        with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="too large"):
            client.execute("SELECT repeat('x', 1000000)")
        client.execute("ROLLBACK")


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
def test_rows_that_the_engine_encodes_arrive_in_order_with_their_values(
    sql_server: SqlServer, workspace: Login, is_binary: bool
):
    rows = 50_000  # several pages, and several groups of the file
    query = f"""SELECT range::BIGINT, CASE WHEN range % 7 > 0 THEN 'name ' || range END, (range * 1.25)::DECIMAL(18, 2),
        range % 2 = 0, DATE '2024-01-01' + (range % 100)::INTEGER,
        CASE WHEN range = 40000 THEN 'nan'::DOUBLE ELSE 0.5 END
        FROM range({rows})"""
    with sql_server.connect(workspace) as client:
        found = client.cursor(binary=is_binary).execute(query.encode()).fetchall()

    assert [row[0] for row in found] == list(range(rows))
    assert found[30_001][1:3] == ("name 30001", Decimal("37501.25"))
    assert found[7][1] is None
    assert found[45_000][3:] == (True, date(2024, 1, 1), 0.5)
    assert found[40_000][5] != found[40_000][5]


def test_pages_that_the_engine_encodes_are_passed_on():
    def read_encoded(offset: int, limit: int, formats: list[bool]) -> EncodedRows:
        assert formats == [True]
        return EncodedRows(b"encoded %d " % offset, limit) if offset >= 5_000 else EncodedRows()

    result = Result("SELECT", FIELDS, 30_000, lambda offset, limit: [["x"]] * limit, read_encoded=read_encoded)
    sent = b"".join(result.take([1], 0))

    assert sent.endswith(b"xencoded 22220 ")
    assert result.is_complete
