"""The file of a table: its rows without a job, if it is stored as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import load, make_table, storage, succeed

T = "in.c-main.users"
USERS = "id,kind\n1,a\n2,b\n3,a\n"


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    client = storage(new_project)
    make_table(client, USERS)
    return client


def read(http: Http, **headers: str) -> Response:
    return http.send(
        "GET", f"/tables/{T}/data-file", headers={name.replace("_", "-"): headers[name] for name in headers}
    )


def rows(content: bytes, folder: Path) -> list[Any]:
    (folder / "rows.parquet").write_bytes(content)
    with duckdb.connect() as duck:
        return duck.execute(f"SELECT id, kind FROM '{folder / 'rows.parquet'}' ORDER BY id").fetchall()


def test_all_rows_come_as_one_parquet_file_without_a_job_or_a_file_in_storage(http: Http, tmp_path: Path) -> None:
    before = list_ids(http)

    response = read(http)

    assert (response.status, response.headers["content-type"]) == (200, "application/vnd.apache.parquet")
    assert rows(response.body, tmp_path) == [("1", "a"), ("2", "b"), ("3", "a")]
    assert list_ids(http) == before


def list_ids(http: Http) -> list[list[int]]:
    """Of all jobs and files. The rest of a file is another one each second: its address is signed for a time."""
    return [[each["id"] for each in http.get(path).json] for path in ("/jobs", "/files")]


def test_the_parts_of_one_version_are_the_whole_file(http: Http) -> None:
    whole = read(http)
    half = len(whole.body) // 2
    parts = [
        read(http, Range=span, If_Match=whole.headers["etag"]) for span in (f"bytes=0-{half - 1}", f"bytes={half}-")
    ]

    assert [part.status for part in parts] == [206, 206]
    assert parts[0].headers["content-range"] == f"bytes 0-{half - 1}/{len(whole.body)}"
    assert b"".join(part.body for part in parts) == whole.body


def test_a_part_of_another_version_is_refused(http: Http) -> None:
    before = read(http).headers["etag"]
    load(http, T, "id,kind\n9,z\n")

    refused = read(http, Range="bytes=10-19", If_Match=before)

    assert (refused.status, refused.json["code"]) == (412, "storage.tables.fileReplaced")
    assert read(http, If_Match="*").status == 200
    assert read(http).headers["etag"] != before


def test_a_part_behind_the_end_is_refused_and_no_part_at_all_is_the_whole_file(http: Http) -> None:
    size = len(read(http).body)

    assert read(http, Range=f"bytes={size}-").json["error"] == (
        f"The range begins after the end of the file, which has {size} bytes."
    )
    assert read(http, Range=f"bytes={size}-").status == 416
    for nothing in ("lines=1-2", "bytes=", "bytes=5-1", "bytes=0-1,3-4", "x" * 1000):
        assert (read(http, Range=nothing).status, len(read(http, Range=nothing).body)) == (200, size)


def several_files(http: Http) -> None:
    load(http, T, "id,kind\n4,d\n", incremental=True)


def a_deleted_row(http: Http) -> None:
    succeed(http, http.send("DELETE", f"/tables/{T}/rows?whereColumn=id&whereValues[]=2"))


def no_rows(http: Http) -> None:
    succeed(http, http.send("DELETE", f"/tables/{T}/rows?allowTruncate=1"))


def another_column(http: Http) -> None:
    succeed(http, http.post(f"/tables/{T}/columns", {"name": "city"}))


def one_column_less(http: Http) -> None:
    succeed(http, http.send("DELETE", f"/tables/{T}/columns/kind"))


@pytest.mark.parametrize("change", [several_files, a_deleted_row, no_rows, another_column, one_column_less])
def test_a_table_that_is_not_stored_as_exactly_its_rows_is_to_be_exported(http: Http, change: Any) -> None:
    change(http)

    refused = read(http)

    assert (refused.status, refused.json["code"]) == (409, "storage.tables.notOneFile")
    assert refused.json["error"] == (
        f"The rows of the table {T} are not stored as one file. Export them instead: POST …/export-async."
    )


def test_an_alias_is_never_more_than_its_rows(http: Http, tmp_path: Path) -> None:
    http.post("/buckets", {"name": "views", "stage": "out"})
    some = {"sourceTable": T, "name": "some", "aliasFilter": {"column": "kind", "operator": "eq", "values": ["a"]}}
    for body in (some, {"sourceTable": T, "name": "all"}):
        made = http.post("/buckets/out.c-views/table-aliases", body)
        assert made.status in (200, 201), made.text

    assert http.get("/tables/out.c-views.some/data-file").status == 409
    assert len(rows(http.get("/tables/out.c-views.all/data-file").body, tmp_path)) == 3


def test_a_token_without_the_bucket_and_a_table_that_is_not_there_are_refused(http: Http) -> None:
    made = http.post("/tokens", {"description": "elsewhere", "bucketPermissions": {}}).json

    assert Http(http.base, made["token"]).get(f"/tables/{T}/data-file").status == 403
    assert http.get("/tables/in.c-main.nothing/data-file").status == 404
