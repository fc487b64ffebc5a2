"""Rows that are read or deleted: exports, previews with queries, deletions."""

from __future__ import annotations

import csv
import gzip
import io
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import duckdb
import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import load, make_table, rows, storage, succeed

T = "in.c-main.users"
JSON = {"Content-Type": "application/json"}
USERS = 'id,kind,size\n1,a,10\n2,b,9\n3,a,\n4,"x ""q""\ny",200\n'


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


@pytest.fixture
def http(services: ServicesOnly) -> Http:
    client = storage(services)
    make_table(client, USERS)
    return client


@pytest.fixture(scope="module")
def unchanged(shared: ServicesOnly) -> Http:
    """The same table, for all tests that only read it."""
    client = storage(shared)
    make_table(client, USERS)
    return client


def exported(http: Http, **fields: Any) -> str:
    """All slices, one after the other, by the addresses in the manifest."""
    results = succeed(http, http.post(f"/tables/{T}/export-async", fields))
    file = http.get(f"/files/{results['file']['id']}?federationToken=1").json
    assert (file["isSliced"], "table-export" in file["tags"]) == (True, True)
    sas = urlsplit(file["url"]).query
    entries = get(file["url"]).decode()
    urls = [entry["url"] for entry in json.loads(entries)["entries"]]
    assert urls
    parts = [get(f"{url.replace('azure://', 'http://')}?{sas}") for url in urls]
    if fields.get("gzip"):
        assert all(url.endswith(".gz") for url in urls)
    return b"".join(gzip.decompress(part) if fields.get("gzip") else part for part in parts).decode()


def get(url: str) -> bytes:
    address = urlsplit(url)
    response = Http(f"{address.scheme}://{address.netloc}").get(f"{address.path}?{address.query}")
    assert response.status == 200, response.text
    return response.body


def read(text: str) -> list[list[str]]:
    return sorted(csv.reader(io.StringIO(text, newline="")))


def test_an_export_is_quoted_and_has_no_header(unchanged: Http):
    text = exported(unchanged)

    assert '"4","x ""q""\ny","200"\n' in text
    assert [row[0] for row in read(text)] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("is_gzipped", [True, 1, "true"])
def test_slices_are_gzipped_if_asked(unchanged: Http, is_gzipped: Any):
    assert len(read(exported(unchanged, gzip=is_gzipped))) == 4


def test_an_empty_table_is_one_empty_slice(http: Http):
    succeed(http, http.send("DELETE", f"/tables/{T}/rows?allowTruncate=1"))

    assert exported(http) == ""


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"whereColumn": "kind", "whereValues": ["a"]}, "13"),
        ({"whereColumn": "kind", "whereValues": ["a", "b"]}, "123"),
        ({"whereColumn": "kind", "whereOperator": "neq", "whereValues": ["a"]}, "24"),
        ({"whereFilters": [{"column": "kind", "operator": "ne", "values": ["a", "b"]}]}, "4"),
        ({"whereFilters": [{"column": "size", "operator": "gt", "values": ["9"], "dataType": "INTEGER"}]}, "14"),
        ({"whereFilters": [{"column": "size", "operator": "le", "values": [10], "dataType": "DOUBLE"}]}, "12"),
        ({"whereFilters": [{"column": "size", "values": [""]}]}, "3"),
        ({"whereFilters": [{"column": "kind", "values": ["a"]}, {"column": "size", "values": ["10"]}]}, "1"),
        ({"fulltextSearch": '"q"'}, "4"),
        ({"changedSince": "-1 hour"}, "1234"),
        ({"changedUntil": "-1 hour"}, ""),
        ({"changedSince": "2020-01-31T10:00:00+00:00", "changedUntil": "+1 hour"}, "1234"),
    ],
)
def test_exports_and_previews_return_the_same_rows_for_a_query(unchanged: Http, fields: dict[str, Any], found: str):
    assert "".join(row[0] for row in read(exported(unchanged, **fields))) == found
    query = "".join(f"&{key}={value}" for key, value in flat(fields))
    assert "".join(row[0] for row in rows(unchanged, T, query)) == found


def flat(fields: Any, prefix: str = "") -> list[tuple[str, str]]:
    """As clients write documents into queries."""
    if isinstance(fields, dict):
        pairs = [(f"{prefix}[{key}]" if prefix else key, value) for key, value in fields.items()]
    elif isinstance(fields, list):
        pairs = [(f"{prefix}[{index}]", value) for index, value in enumerate(fields)]
    else:
        return [(prefix, str(fields).replace("+", "%2B").replace('"', "%22").replace(" ", "%20"))]
    return [found for key, value in pairs for found in flat(value, key)]


def test_columns_and_order_are_as_asked(unchanged: Http):
    text = exported(
        unchanged, columns="size,id", orderBy=[{"column": "size", "order": "DESC", "dataType": "INTEGER"}], limit=2
    )

    assert text == '"200","4"\n"10","1"\n'


@pytest.mark.parametrize("is_packed", [False, True])
def test_an_export_may_be_one_object_per_line(unchanged: Http, is_packed: bool):
    lines = exported(unchanged, format="json", gzip=is_packed, columns="kind,id,size").splitlines()

    assert sorted(lines) == sorted(
        [
            '{"kind":"a","id":"1","size":"10"}',
            '{"kind":"b","id":"2","size":"9"}',
            '{"kind":"a","id":"3","size":""}',
            '{"kind":"x \\"q\\"\\ny","id":"4","size":"200"}',
        ]
    )
    assert unchanged.get("/files?limit=1").json[0]["name"] == f"{T}.json{'.gz' if is_packed else ''}"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"columns": "none"}, "storage.tables.nonExistingColumns"),
        ({"whereColumn": "none", "whereValues": ["1"]}, "storage.tables.validation.columnNotExists"),
        ({"orderBy": [{"column": "none"}]}, "storage.tables.validation.columnNotExists"),
        ({"whereFilters": [{"column": "id", "operator": "like", "values": ["1"]}]}, "storage.tables.validation"),
        ({"whereFilters": [{"column": "id", "operator": "gt", "values": ["1", "2"]}]}, "storage.tables.validation"),
        ({"whereFilters": [{"column": "id", "values": [{}]}]}, "storage.tables.validation"),
        ({"whereFilters": [{"column": "id", "values": ["1"], "dataType": "X"}]}, "storage.tables.validation"),
        ({"orderBy": [{"column": "id", "order": "up"}]}, "storage.tables.validation"),
        ({"changedSince": "whenever"}, "validation.failed"),
        ({"format": "xml"}, "storage.tables.validation"),
        ({"fileType": "xlsx"}, "storage.tables.validation"),
        ({"format": "json", "fileType": "parquet"}, "storage.tables.validation"),
    ],
)
def test_a_question_that_cannot_be_is_refused_at_once(unchanged: Http, fields: dict[str, Any], code: str):
    response = unchanged.post(f"/tables/{T}/export-async", fields)

    assert (response.status, response.json["code"]) == (400, code)


def test_the_internal_timestamp_is_the_last_column_if_it_is_requested(unchanged: Http):
    text = exported(unchanged, columns="id", includeInternalTimestamp=True)

    assert [row[0] for row in read(text)] == ["1", "2", "3", "4"]
    assert all(row[1].startswith("20") for row in read(text))


def test_a_parquet_export_with_the_timestamp_is_the_files_of_the_table(http: Http, tmp_path: Path):
    results = succeed(
        http, http.post(f"/tables/{T}/export-async", {"fileType": "parquet", "includeInternalTimestamp": 1})
    )
    file = http.get(f"/files/{results['file']['id']}?federationToken=1").json
    (entry,) = json.loads(get(file["url"]))["entries"]
    path = tmp_path / "rows.parquet"
    path.write_bytes(get(f"{entry['url']}?{urlsplit(file['url']).query}"))

    with duckdb.connect() as duck:
        rows = duck.execute("SELECT id, kind FROM read_parquet(?) ORDER BY id", [str(path)]).fetchall()
    assert rows == [("1", "a"), ("2", "b"), ("3", "a"), ("4", 'x "q"\ny')]


def test_only_what_was_changed_since_is_exported(http: Http):
    succeed(http, http.post(f"/tables/{T}/primary-key", {"columns": ["id"]}))
    before = succeed(http, http.post(f"/tables/{T}/export-async", {}))
    assert before["cacheHit"] is False
    time.sleep(1.1)
    since = str(int(time.time()))
    succeed(http, load(http, T, "id,kind,size\n1,a,10\n2,b,changed\n9,new,1\n", incremental=1))

    assert [row[0] for row in read(exported(http, changedSince=since))] == ["2", "9"]


def test_rows_are_deleted_by_a_question(http: Http):
    delete = {"whereFilters": [{"column": "kind", "values": ["a"]}]}

    results = succeed(
        http,
        http.send(
            "DELETE",
            f"/tables/{T}/rows",
            __import__("json").dumps(delete).encode(),
            {"Content-Type": "application/json"},
        ),
    )

    assert results == {"deletedRows": 2}
    assert http.get(f"/tables/{T}").json["rowsCount"] == 2
    both = http.send("DELETE", f"/tables/{T}/rows?whereColumn=id&whereValues[]=1", b'{"allowTruncate": true}', JSON)
    assert (both.status, len(rows(http, T))) == (400, 2)
    refused = http.delete(f"/tables/{T}/rows")
    assert (refused.status, refused.json["code"]) == (400, "storage.tables.validation.unintendedTruncation")


def test_a_table_can_be_optimized(http: Http):
    for number in range(3):
        succeed(http, load(http, T, f"id,kind,size\n{number},x,1\n", incremental=1))

    assert succeed(http, http.post(f"/tables/{T}/optimize", {})) is None
    assert len(rows(http, T)) == 7
