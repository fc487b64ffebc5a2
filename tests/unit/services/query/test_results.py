"""The rows of a statement: pages, streams, files, and when they are gone."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pyarrow.ipc
import pyarrow.parquet
import pytest

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.query.workspaces import SqlWorkspace, read_results, statement_path

ROWS = "SELECT range AS n, CASE WHEN range % 2 = 0 THEN 'even' END AS kind, 1.50 AS price FROM range(250) ORDER BY n"


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> SqlWorkspace:
    return SqlWorkspace(shared)


@pytest.fixture(scope="module")
def job(workspace: SqlWorkspace) -> dict[str, object]:
    found = workspace.run(ROWS, dialect="duckdb")
    assert found["status"] == "completed", found
    return found


def test_pages_have_text_and_null_and_the_number_of_all_rows(workspace: SqlWorkspace, job: dict[str, object]) -> None:
    page = read_results(workspace.query, job, parameters="?offset=200&pageSize=100").json

    assert page["numberOfRows"] == 250
    assert len(page["data"]) == 50
    assert page["data"][:2] == [["200", "even", "1.50"], ["201", None, "1.50"]]
    assert read_results(workspace.query, job, parameters="?offset=250").json["data"] == []


@pytest.mark.parametrize("parameters", ["?pageSize=99", "?pageSize=10001", "?offset=-1", "?pageSize=x"])
def test_pages_of_other_sizes_are_refused(workspace: SqlWorkspace, job: dict[str, object], parameters: str) -> None:
    response = read_results(workspace.query, job, parameters=parameters)

    assert (response.status, response.json["error"], response.json["code"]) == (400, 400, "400")
    assert response.json["exception"]


def test_a_stream_has_an_object_per_line(workspace: SqlWorkspace, job: dict[str, object]) -> None:
    response = workspace.query.get(f"{statement_path(job)}/results/stream")
    lines = [json.loads(line) for line in response.text.splitlines()]

    assert response.headers["content-type"].startswith("application/x-ndjson")
    assert len(lines) == 250
    assert lines[1] == {"n": "1", "kind": None, "price": "1.50"}


def test_a_stream_keeps_columns_of_the_same_name(workspace: SqlWorkspace) -> None:
    job = workspace.run("SELECT 1 AS a, 2 AS a, 3 AS b", dialect="duckdb")
    response = workspace.query.get(f"{statement_path(job)}/results/stream")

    assert sorted(json.loads(response.text).values()) == ["1", "2", "3"]


def test_exports_are_csv_parquet_and_arrow(workspace: SqlWorkspace, job: dict[str, object]) -> None:
    export = f"{statement_path(job)}/export"
    as_csv = workspace.query.get(f"{export}?fileType=csv")
    rows = list(csv.reader(io.StringIO(as_csv.text)))
    parquet = pyarrow.parquet.read_table(io.BytesIO(workspace.query.get(f"{export}?fileType=parquet").body))
    arrow = pyarrow.ipc.open_stream(workspace.query.get(f"{export}?fileType=arrow").body).read_all()

    assert rows[:2] == [["n", "kind", "price"], ["0", "even", "1.50"]]
    assert len(rows) == 251
    assert "attachment" in as_csv.headers["content-disposition"]
    assert parquet.column("n").to_pylist() == arrow.column("n").to_pylist() == list(range(250))
    packed = workspace.query.get(f"{export}?fileType=csv&gzip=1")
    assert gzip.decompress(packed.body) == as_csv.body


def test_an_export_needs_a_type_and_rows(workspace: SqlWorkspace, job: dict[str, object]) -> None:
    made = workspace.run('CREATE TABLE "no_rows" (n INT)')

    assert workspace.query.get(f"{statement_path(job)}/export").status == 400
    assert workspace.query.get(f"{statement_path(job)}/export?fileType=xlsx").status == 400
    assert workspace.query.get(f"{statement_path(made)}/export?fileType=csv").status == 400


def test_an_export_that_is_too_large_is_refused(tmp_path: Path, new_data_folder: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    with closing(ServicesOnly(tmp_path / "data", sql_export_megabytes=1)) as services:
        workspace = SqlWorkspace(services)
        job = workspace.run("SELECT repeat('x', 100) AS text FROM range(20000)", dialect="duckdb")
        refused = workspace.query.get(f"{statement_path(job)}/export?fileType=csv")
        packed = workspace.query.get(f"{statement_path(job)}/export?fileType=csv&gzip=1")

    assert (refused.status, packed.status) == (413, 200)
    assert "sql_export_megabytes" in refused.json["exception"]


def test_a_profile_says_how_long_it_took(workspace: SqlWorkspace, job: dict[str, object]) -> None:
    profile = workspace.query.get(f"{statement_path(job)}/profile").json

    assert profile["status"] == "completed"
    assert profile["executionMilliseconds"] >= 0


def test_results_expire(workspace: SqlWorkspace, job: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(hours=25))
    response = read_results(workspace.query, job)

    assert response.status == 410
    assert "24 hours" in response.json["exception"]
