"""`penstock sql` with a statement, or with statements from a pipe."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import time
from pathlib import Path

import duckdb
import pytest

from penstock.client import Client, connect
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment
from tests.unit.cli.conftest import Penstock

ROWS = [["id", "name"], ["1", "Ada"], ["2", ""], ["3", "two\nlines"]]
ORDERS = 'SELECT * FROM "in.c-sql"."orders" ORDER BY id'
ENDLESS = "SELECT count(*) FROM range(100000000000) a, range(100000) b"


@pytest.fixture(scope="module")
def client(stack: RunningStack) -> Client:
    client = connect(stack.greeting["storageUrl"], stack.greeting["token"])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(ROWS)
    client.tables.load("in.c-sql.orders", io.BytesIO(text.getvalue().encode()))
    client.tables.load("in.c-sql-secret.wages", io.BytesIO(b"wage\n1\n"))
    return client


@pytest.fixture
def at(stack: RunningStack, client: Client) -> tuple[str, str]:
    """Where the tables are."""
    return "--data-dir", str(stack.folder)


def run_with_input(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PENSTOCK, "sql", *arguments],
        input=text,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_rows_are_shown_as_a_table(penstock: Penstock, at: tuple[str, str]) -> None:
    shown = penstock("sql", ORDERS, *at)

    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == "id  name\n1   Ada\n2\n3   two lines\n"


def test_csv_into_a_pipe_has_a_header_and_every_row(penstock_process: Penstock, at: tuple[str, str]) -> None:
    piped = penstock_process("sql", ORDERS, "--csv", *at)
    many = penstock_process("sql", "SELECT * FROM range(2500)", "--csv", *at)

    assert list(csv.reader(io.StringIO(piped.stdout, newline=""))) == ROWS
    assert (piped.returncode, piped.stderr) == (0, "")
    assert len(many.stdout.splitlines()) == 2501


def test_a_table_has_the_first_rows_and_says_so(penstock: Penstock, at: tuple[str, str]) -> None:
    shown = penstock("sql", "SELECT range AS n FROM range(2500)", *at)

    assert shown.stdout.split() == ["n", *map(str, range(1000))]
    assert shown.stderr == "The first 1,000 of 2,500 rows. All of them: --csv, --json or --parquet FILE.\n"


def test_json_keeps_numbers_null_and_what_json_has_no_number_for(penstock: Penstock, at: tuple[str, str]) -> None:
    values = "9007199254740993 AS n, 1.50 AS d, NULL AS x, '' AS e, true AS b, 'nan'::DOUBLE AS f, [1] AS l"
    printed = penstock("sql", f"SELECT {values}", "--json", *at).stdout

    row = {"n": 9007199254740993, "d": 1.5, "x": None, "e": "", "b": True, "f": "nan", "l": [1]}
    assert json.loads(printed) == [row]


def test_parquet_goes_into_a_file_with_its_types(penstock: Penstock, at: tuple[str, str], tmp_path: Path) -> None:
    statement = "SELECT 1::BIGINT AS n, DATE '2026-01-31' AS day"
    done = penstock("sql", statement, "--parquet", "r.parquet", *at)
    again = penstock("sql", statement, "--parquet", "r.parquet", *at)

    assert done.stdout == "1 row in r.parquet\n"
    assert duckdb.sql(f"DESCRIBE FROM '{tmp_path / 'r.parquet'}'").project("column_type").fetchall() == [
        ("BIGINT",),
        ("DATE",),
    ]
    assert (again.returncode, again.stderr.split(".")[:2]) == (1, ["r", "parquet exists"])
    assert penstock("sql", statement, "--parquet", "r.parquet", "--overwrite", *at).returncode == 0


def test_null_and_empty_text_differ(penstock: Penstock, at: tuple[str, str]) -> None:
    statement = "SELECT NULL AS x, '' AS e, 1 AS n"

    assert penstock("sql", statement, *at).stdout == "x     e  n\nNULL     1\n"
    assert penstock("sql", statement, "--csv", *at).stdout == '"x","e","n"\n,"","1"\n'


def test_a_result_without_rows_still_has_columns(penstock: Penstock, at: tuple[str, str]) -> None:
    statement = "SELECT 1 AS n, 2 AS m WHERE false"

    assert penstock("sql", statement, *at).stdout == "n  m\n"
    assert penstock("sql", statement, "--csv", *at).stdout == '"n","m"\n'
    assert json.loads(penstock("sql", statement, "--json", *at).stdout) == []


def test_snowflake_is_translated(penstock: Penstock, at: tuple[str, str]) -> None:
    statement = 'SELECT TOP 1 "id", IFF("id" = 1, \'yes\', \'no\') AS first FROM "in.c-sql"."orders" ORDER BY "id"'

    assert penstock("sql", statement, "--dialect", "snowflake", *at).stdout == "id  FIRST\n1   yes\n"


def test_a_wrong_statement_is_an_error_with_its_place(penstock_process: Penstock, at: tuple[str, str]) -> None:
    duck = penstock_process("sql", "SELECT 1\nFRM range(3)", *at)
    snow = penstock_process("sql", "SELECT 1 +", "--dialect", "snowflake", *at)

    assert (duck.returncode, duck.stdout, snow.returncode, snow.stdout) == (1, "", 1, "")
    assert duck.stderr.count("syntax error") == 1
    assert "LINE 2: FRM range(3)" in duck.stderr
    assert "^" in duck.stderr
    assert snow.stderr.count("syntax error line 1 at position 10") == 1


def test_statements_of_a_pipe_share_a_session_and_notes_stay_out_of_csv(at: tuple[str, str]) -> None:
    text = "CREATE TEMP TABLE t AS SELECT 7 AS n; -- made\nSELECT n FROM t;"
    tables, rows = run_with_input(text, *at), run_with_input(text, "--csv", *at)

    assert tables.stdout.splitlines()[1:] == ["", "n", "7"]
    assert rows.stdout == '"n"\n"7"\n'
    assert "affected" in rows.stderr


def test_what_cannot_be_run_is_said_before_anything_is_sent(penstock: Penstock, at: tuple[str, str]) -> None:
    refused = [
        penstock("sql", " ; -- nothing", *at),
        penstock("sql", "SELECT 1; SELECT 2", "--parquet", "r.parquet", *at),
        penstock("sql", "SELECT 1", "--timeout", "nan", *at),
        penstock("sql", "SELECT 1", "--timeout", "-1", *at),
    ]

    assert [each.returncode for each in refused] == [1, 1, 1, 1]
    assert [each.stderr.partition(".")[0] for each in refused] == [
        "There is no statement to run",
        "--parquet writes the rows of one statement, and there are 2",
        "nan is not a valid timeout",
        "-1 is not a valid timeout",
    ]


def test_a_statement_that_takes_too_long_is_stopped(penstock: Penstock, at: tuple[str, str]) -> None:
    started = time.monotonic()
    stopped = penstock("sql", ENDLESS, "--timeout", "0.5", *at)

    assert (stopped.returncode, "ran longer than 0.5 s" in stopped.stderr) == (1, True)
    assert time.monotonic() - started < 30


def test_a_token_reads_only_its_buckets(penstock: Penstock, stack: RunningStack, client: Client) -> None:
    made = client.tokens.create("one bucket", read=["in.c-sql"])
    as_it = ("--url", stack.greeting["storageUrl"], "--token", made.token)
    wages = penstock("sql", 'SELECT * FROM "in.c-sql-secret"."wages"', *as_it)
    schemas = penstock("sql", "SELECT DISTINCT table_schema FROM information_schema.tables", "--csv", *as_it)

    assert penstock("sql", ORDERS, *as_it).stdout.startswith("id  name\n1   Ada\n")
    assert (wages.returncode, "does not exist" in wages.stderr) == (1, True)
    assert "in.c-sql-secret" not in schemas.stdout
