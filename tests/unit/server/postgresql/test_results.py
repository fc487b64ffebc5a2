"""Pages of results, by the size of their rows."""

from __future__ import annotations

import psycopg
import pytest

from penstock.server.postgresql.responses import Field
from penstock.server.postgresql.results import FIRST_PAGE, PIECE_BYTES, Result
from penstock.server.postgresql.types import TEXT
from penstock.sql import ResponseTooLarge
from tests.unit.server.postgresql.sql_server import Login, SqlServer

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
    monkeypatch.setattr("penstock.sql.messages.MOST_BYTES", 500_000)
    with sql_server.connect(workspace) as client:
        client.execute("BEGIN")
        client.execute("CREATE TEMP TABLE wide AS SELECT range AS id, repeat('x', 100000) AS x FROM range(25)")

        assert len(client.execute("SELECT * FROM wide").fetchall()) == 25
        with pytest.raises(psycopg.errors.ProgramLimitExceeded, match="too large"):
            client.execute("SELECT repeat('x', 1000000)")
        client.execute("ROLLBACK")
