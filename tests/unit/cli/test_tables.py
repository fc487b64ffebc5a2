"""`penstock tables`."""

from __future__ import annotations

import csv
import gzip
import io
import json
import signal
import subprocess
import time
from pathlib import Path

import duckdb
import pytest

from penstock.client import Client, connect
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment
from tests.unit.cli.conftest import Penstock

ROWS = [["1", 'a "b", c'], ["2", "two\nlines"], ["3", ""]]


@pytest.fixture
def client(stack: RunningStack) -> Client:
    return connect(stack.greeting["storageUrl"], stack.greeting["token"])


@pytest.fixture
def table(client: Client) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["id", "name"], *ROWS])
    return client.tables.load("in.c-cli.notes", io.BytesIO(text.getvalue().encode())).id


def read_csv(content: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content, newline="")))


def test_tables_are_listed_shown_previewed_and_deleted(penstock: Penstock, stack: RunningStack, table: str) -> None:
    at = ("--data-dir", stack.folder)
    listed = penstock("tables", "list", "in.c-cli", *at).stdout.splitlines()
    shown = penstock("tables", "show", table, *at).stdout
    rows = json.loads(penstock("tables", "preview", table, "--limit", "1", "--json", *at).stdout)
    deleted = penstock("tables", "delete", table, *at)

    assert listed[0].split()[:4] == ["TABLE", "ROWS", "BYTES", "COLUMNS"]
    assert [line.split()[:2] for line in listed[1:] if line.startswith(table)] == [[table, "3"]]
    assert "name    STRING" in shown
    assert rows == [{"id": "1", "name": 'a "b", c'}]
    assert (deleted.returncode, deleted.stdout) == (0, f"{table} is deleted.\n")
    assert f"There is no table {table}." in penstock("tables", "show", table, *at).stderr


def test_a_download_has_a_header_and_every_row_in_each_format(
    penstock: Penstock, penstock_process: Penstock, stack: RunningStack, table: str, tmp_path: Path
) -> None:
    at = ("--data-dir", stack.folder)
    done = penstock("tables", "download", table, *at)
    for name in ("n.jsonl", "n.parquet", "n.csv.gz"):
        assert penstock("tables", "download", table, name, *at).returncode == 0
    piped = penstock_process("tables", "download", table, "-", *at)

    assert done.stdout == f"{table}: 3 rows in notes.csv\n"
    assert read_csv((tmp_path / "notes.csv").read_text()) == [["id", "name"], *ROWS]
    assert [json.loads(line)["name"] for line in (tmp_path / "n.jsonl").open()] == [row[1] for row in ROWS]
    assert duckdb.sql(f"FROM '{tmp_path / 'n.parquet'}'").fetchall() == [tuple(row) for row in ROWS]
    assert read_csv(gzip.decompress((tmp_path / "n.csv.gz").read_bytes()).decode()) == [["id", "name"], *ROWS]
    assert (read_csv(piped.stdout), piped.stderr) == ([["id", "name"], *ROWS], f"{table}: 3 rows\n")
    assert {path.name for path in tmp_path.iterdir()} >= {"notes.csv"}
    assert not list(tmp_path.glob(".penstock-*"))


def test_an_existing_file_is_replaced_only_on_request(
    penstock: Penstock, stack: RunningStack, table: str, tmp_path: Path
) -> None:
    (tmp_path / "notes.csv").write_text("mine")
    refused = penstock("tables", "download", table, "--data-dir", stack.folder)
    kept = (tmp_path / "notes.csv").read_text()
    done = penstock("tables", "download", table, "--overwrite", "--data-dir", stack.folder)

    assert (refused.returncode, kept) == (1, "mine")
    assert "notes.csv exists. Use --overwrite" in refused.stderr
    assert done.returncode == 0
    assert (tmp_path / "notes.csv").read_text().startswith("id,name\n")


def test_each_format_is_uploaded_with_its_types(
    penstock: Penstock, stack: RunningStack, client: Client, tmp_path: Path
) -> None:
    at = ("--data-dir", stack.folder)
    duckdb.sql("SELECT 1 AS id, DATE '2026-01-31' AS day, NULL::VARCHAR AS note").write_parquet(
        str(tmp_path / "p.parquet")
    )
    (tmp_path / "j.jsonl").write_text('{"id": 12345678901234567890}\n{"id": 2, "more": {"a": [1]}}\n')
    parquet = penstock("tables", "upload", "in.c-cli.parquet", "p.parquet", "--primary-key", "id", *at)
    lines = penstock("tables", "upload", "in.c-cli.lines", "j.jsonl", *at)

    assert (parquet.stdout, lines.stdout) == ("in.c-cli.parquet: 1 rows\n", "in.c-cli.lines: 2 rows\n"), parquet.stderr
    assert client.tables.get("in.c-cli.parquet").types == {"id": "INTEGER", "day": "DATE", "note": "STRING"}
    assert client.tables.get("in.c-cli.parquet").primary_key == ["id"]
    assert sorted(client.preview("in.c-cli.lines").rows) == [["12345678901234567890", ""], ["2", '{"a":[1]}']]


def test_rows_from_standard_input_are_added_to_a_table(stack: RunningStack, client: Client, tmp_path: Path) -> None:
    command = [*PENSTOCK, "tables", "upload", "in.c-cli.piped", "-", "--incremental", "--data-dir", str(stack.folder)]
    for content in ("id,name\n1,Ada\n", "id,name\n2,Emmy\n"):
        done = subprocess.run(
            command,
            input=content,
            text=True,
            capture_output=True,
            env=clean_environment(),
            cwd=tmp_path,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr

    assert sorted(client.preview("in.c-cli.piped").rows) == [["1", "Ada"], ["2", "Emmy"]]


def test_fields_of_a_tsv_file_are_separated_by_tabs(
    penstock: Penstock, stack: RunningStack, client: Client, tmp_path: Path
) -> None:
    at = ("--data-dir", stack.folder)
    (tmp_path / "a.tsv").write_text("id\tname\n1\tAda, Countess\n")
    penstock("tables", "upload", "in.c-cli.tabs", "a.tsv", *at)
    penstock("tables", "download", "in.c-cli.tabs", "b.tsv", *at)

    assert client.preview("in.c-cli.tabs").rows == [["1", "Ada, Countess"]]
    assert (tmp_path / "b.tsv").read_text().splitlines()[0] == "id\tname"


def test_errors_say_what_to_do(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    at = ("--data-dir", stack.folder)
    for name in ("not.parquet", "not.jsonl"):
        (tmp_path / name).write_text("{neither")
        failed = penstock("tables", "upload", "in.c-cli.x", name, *at)
        assert (failed.returncode, failed.stderr[:30]) == (1, "The rows cannot be converted. ")

    assert "There is no file none.csv." in penstock("tables", "upload", "in.c-cli.x", "none.csv", *at).stderr
    assert "ends with .csv, .jsonl or .parquet" in penstock("tables", "upload", "in.c-cli.x", "none.xlsx", *at).stderr
    assert "There is no table in.c-cli.none." in penstock("tables", "download", "in.c-cli.none", *at).stderr


def test_an_interrupted_download_leaves_nothing(stack: RunningStack, client: Client, tmp_path: Path) -> None:
    client.write_table(duckdb.sql("SELECT i AS id, md5(i::VARCHAR) AS text FROM range(400000) t(i)"), "in.c-cli.large")
    command = [*PENSTOCK, "tables", "download", "in.c-cli.large", "large.csv", "--data-dir", str(stack.folder)]
    process = subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    while not list(tmp_path.glob(".penstock-*/slices/*")) and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=PATIENCE)

    assert (process.returncode, error) == (130, "Interrupted.\n")
    assert list(tmp_path.iterdir()) == []
