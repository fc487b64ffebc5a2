"""Imports by clients: every option, and every kind of malformed file."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import fail, load, make_table, put_blob, rows, storage, succeed, upload

USERS = "in.c-main.users"


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def test_a_table_is_made_of_a_file(http: Http):
    made = make_table(http, 'id,"full name"\n1,Ada\n', primaryKey="id")

    assert (made["id"], made["columns"], made["primaryKey"]) == (USERS, ["id", "full_name"], ["id"])
    assert (made["rowsCount"], made["isTyped"], made["isAlias"]) == (1, False, False)
    assert made == http.get(f"/tables/{USERS}").json
    assert made["definition"]["columns"] == [
        {"name": "id", "canBeFiltered": True},
        {"name": "full_name", "canBeFiltered": True},
    ]


def test_a_header_alone_is_an_empty_table(http: Http):
    made = make_table(http, "a,b\n")

    assert (made["rowsCount"], made["dataSizeBytes"], made["columns"]) == (0, 0, ["a", "b"])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "storage.tables.validation.noColumns"),
        ("a,a\n1,2\n", "storage.tables.validation.invalidColumnName"),
        ("a,A\n1,2\n", "storage.tables.validation.invalidColumnName"),
        ("a,\n1,2\n", "storage.tables.validation.invalidColumnName"),
        ("a,_timestamp\n1,2\n", "storage.tables.validation.invalidColumnName"),
        (f"{'x' * 65}\n1\n", "storage.tables.validation.invalidColumnName"),
        ("a,b\n1\n", "invalidData"),
        ("a,b\n1,2,3\n", "invalidData"),
        ('a,b\n"1,2\n', "invalidData"),
        (b"a,b\n\xff\xfe,2\n", "invalidData"),
        (b"\xff\xfea\x00,\x00b\x00", "invalidData"),
    ],
)
def test_a_file_that_is_not_a_table_creates_none(http: Http, content: bytes | str, code: str):
    http.post("/buckets", {"name": "main"})
    body = {"name": "users", "dataFileId": upload(http, content)}

    assert fail(http, http.post("/buckets/in.c-main/tables-async", body))[0] == code
    assert http.get(f"/tables/{USERS}").status == 404
    assert succeed(http, http.post("/buckets/in.c-main/tables-async", {**body, "dataFileId": upload(http, "a\n1\n")}))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": ""}, "storage.tables.validation"),
        ({"name": "a.b"}, "storage.tables.validation"),
        ({"name": "x" * 97}, "storage.tables.validation"),
        ({"name": "_x"}, "storage.tables.validation"),
        ({"primaryKey": ["id"]}, "storage.validation.primaryKey"),
        ({"dataFileId": None}, "storage.tables.validation"),
        ({"snapshotId": 1}, "storage.tables.validation"),
        ({"delimiter": "/t"}, "invalidCsv"),
        ({"delimiter": ""}, "invalidCsv"),
        ({"enclosure": "'", "escapedBy": "\\"}, "csvImport.invalidCsvParams"),
        ({"enclosure": '"', "escapedBy": "\\"}, "csvImport.invalidCsvParams"),
        ({"enclosure": ","}, "csvImport.invalidCsvParams"),
    ],
)
def test_what_can_be_seen_at_once_is_refused_at_once(http: Http, fields: dict[str, Any], code: str):
    http.post("/buckets", {"name": "main"})
    body = {"name": "users", "dataFileId": upload(http, "id\n1\n"), **fields}

    response = http.post("/buckets/in.c-main/tables-async", body)

    assert (response.status, response.json["code"]) == (400, code)


def test_a_file_that_is_not_there_is_said_at_once(http: Http):
    make_table(http, "id\n1\n")

    for file_id in (10**9, "foo", -1):
        response = http.post(f"/tables/{USERS}/import-async", {"dataFileId": file_id})
        assert (response.status, response.json["code"]) == (404, "storage.files.notFound")


def test_a_file_that_never_arrived_is_said(http: Http):
    make_table(http, "id\n1\n")
    prepared = http.post("/files/prepare", {"name": "x.csv", "federationToken": 1}).json

    code, message = fail(http, http.post(f"/tables/{USERS}/import-async", {"dataFileId": prepared["id"]}))

    assert code == "storage.fileNotUploaded"
    assert str(prepared["id"]) in message


def test_a_table_exists_once(http: Http):
    make_table(http, "id\n1\n")
    body = {"name": "users", "dataFileId": upload(http, "id\n1\n")}

    response = http.post("/buckets/in.c-main/tables-async", body)

    assert (response.status, response.json["code"]) == (400, "storage.tables.validation")


def test_columns_are_matched_by_name(http: Http):
    make_table(http, "id,name\n1,Ada\n")

    results = succeed(http, load(http, USERS, "name,id\nEmmy,2\n", incremental=1))

    assert results["importedColumns"] == ["name", "id"]
    assert (results["totalRowsCount"], results["warnings"]) == (2, [])
    assert rows(http, USERS) == [["1", "Ada"], ["2", "Emmy"]]


def test_missing_columns_are_named(http: Http):
    make_table(http, "a,b,c\n1,2,3\n")

    response = load(http, USERS, "a;c\n1;2\n")
    code, message = fail(http, response)

    assert (code, message) == (
        "csvImport.columnsNotMatch",
        "Some columns are missing in the csv file. Missing columns: a,b,c. Expected columns: a,b,c. "
        'Please check if the expected delimiter "," is used in the csv file.',
    )
    job = http.get(f"/jobs/{response.json['id']}").json
    assert job["results"] == {"missingColumns": ["a", "b", "c"], "expectedColumns": ["a", "b", "c"]}


def test_new_columns_come_with_a_file(http: Http):
    make_table(http, "id\n1\n")

    succeed(http, load(http, USERS, "id,name\n2,Ada\n", incremental=True))

    assert http.get(f"/tables/{USERS}").json["columns"] == ["id", "name"]
    assert rows(http, USERS) == [["1", ""], ["2", "Ada"]]


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("7,Ada\n", {"withoutHeaders": 1}),
        ("7,Ada\n", {"columns": ["id", "name"]}),
        ("anything\nat all\n7,Ada\n", {"ignoredLinesCount": 2}),
        ("id\tname\n7\tAda\n", {"delimiter": "\t"}),
        ("id\tname\n7\tAda\n", {"delimiter": "\\t"}),
        ("id|name\n'7'|'Ada'\n", {"delimiter": "|", "enclosure": "'"}),
        ("id,name\n7,Ada\n", {"enclosure": ""}),
        ("id,name\n7,A\\da\n", {"escapedBy": "\\"}),
        ("id,name\n7,A\\da\n", {"enclosure": "", "escapedBy": "\\"}),
        ('id,name\n7,"Ada"\n', {"enclosure": '"', "escapedBy": ""}),
        ('id,name\n7,"Ada"\n', {"enclosure": None}),
        ("\ufeffid,name\r\n7,Ada\r\n", {}),
        ("id,name\n7,Ada", {}),
    ],
)
def test_files_are_written_in_many_ways(http: Http, content: str, fields: dict[str, Any]):
    make_table(http, "id,name\n1,old\n")

    succeed(http, load(http, USERS, content, **fields))

    assert rows(http, USERS) == [["7", "Ada"]]


@pytest.mark.parametrize("incremental", [0, 1])
def test_a_load_with_columns_keeps_the_order_of_the_table(http: Http, incremental: int):
    make_table(http, "id,name\n1,old\n", primaryKey="id")

    succeed(http, load(http, USERS, "Ada,1,5\n", columns=["name", "id", "age"], incremental=incremental))

    assert http.get(f"/tables/{USERS}").json["columns"] == ["id", "name", "age"]
    assert rows(http, USERS) == [["1", "Ada", "5"]]


def test_the_header_of_a_full_load_becomes_the_order_of_the_table(http: Http):
    make_table(http, "id,name\n1,old\n")

    succeed(http, load(http, USERS, "name,id\nAda,7\n"))

    assert http.get(f"/tables/{USERS}").json["columns"] == ["name", "id"]
    assert rows(http, USERS) == [["Ada", "7"]]


def test_a_name_that_ends_in_gz_is_a_gzipped_file(http: Http):
    make_table(http, "id\n1\n")

    succeed(http, load(http, USERS, gzip.compress(b"id\n7\n"), "data.csv.gz"))

    assert rows(http, USERS) == [["7"]]
    assert fail(http, load(http, USERS, gzip.compress(b"id\n8\n" * 1000)[:-20], "data.csv.gz"))[0] == "invalidData"
    assert rows(http, USERS) == [["7"]]


def test_slices_are_loaded_in_their_order(http: Http):
    make_table(http, "id,name\n1,old\n", primaryKey="id")
    prepared = http.post("/files/prepare", {"name": "s.csv", "federationToken": 1, "isSliced": 1}).json
    params = prepared["absUploadParams"]
    urls = [f"azure://{params['accountName']}.blob.core.windows.net/{params['container']}/s.csv{n}" for n in "ab"]

    def ask(**fields: Any):
        return http.post(f"/tables/{USERS}/import-async", {"dataFileId": prepared["id"], **fields})

    assert fail(http, ask(withoutHeaders=1))[0] == "storage.manifestFileMissing"
    put_blob(prepared, "s.csvmanifest", json.dumps({"entries": [{"url": url} for url in urls]}))
    assert fail(http, ask(withoutHeaders=1))[0] == "storage.importFileMissing"
    put_blob(prepared, "s.csva", "1,first\n2,two\n")
    put_blob(prepared, "s.csvb", "1,last\n")
    assert fail(http, ask())[0] == "csvImport.columnsNotMatch"

    succeed(http, ask(columns=["id", "name"]))

    assert rows(http, USERS) == [["1", "last"], ["2", "two"]]


def test_rows_with_one_key_are_one_row(http: Http):
    make_table(http, "id,name\n1,a\n1,b\n2,c\n", primaryKey="id")
    assert rows(http, USERS) == [["1", "b"], ["2", "c"]]

    succeed(http, load(http, USERS, "id,name\n2,d\n3,e\n3,f\n", incremental=1))
    assert rows(http, USERS) == [["1", "b"], ["2", "d"], ["3", "f"]]


def test_a_load_into_an_alias_or_another_bucket_is_refused(http: Http):
    make_table(http, "id\n1\n")
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": USERS, "name": "other"})

    response = load(http, "in.c-main.other", "id\n1\n")

    assert (response.status, response.json["code"]) == (400, "storage.tables.aliasImportNotAllowed")
    assert load(http, "in.c-none.users", "id\n1\n").json["code"] == "storage.tables.notFound"
    assert load(http, "in.c-main.none", "id\n1\n").json["code"] == "storage.tables.notFound"


def test_a_table_of_more_than_a_thousand_columns(http: Http):
    header = ",".join(f"c{n}" for n in range(1200))

    made = make_table(http, f"{header}\n{','.join('1' * 1200)}\n")

    assert (len(made["columns"]), made["rowsCount"]) == (1200, 1)
    body = {"name": "wider", "dataFileId": upload(http, f"{header},more\n")}
    code, _ = fail(http, http.post("/buckets/in.c-main/tables-async", body))
    assert code == "storage.maxNumberOfColumnsExceed"


def test_rows_may_come_within_the_request(http: Http):
    http.post("/buckets", {"name": "main"})
    form = {"Content-Type": "application/x-www-form-urlencoded"}

    made = http.send(
        "POST", "/buckets/in.c-main/tables", b"name=users&dataString=id%2Cname%0A1%2CAda&primaryKey=id", form
    )
    assert (made.status, made.json["id"], made.json["primaryKey"], made.json["rowsCount"]) == (201, USERS, ["id"], 1)

    loaded = http.post(f"/tables/{USERS}/import", {"dataString": "id,name\n2,Emmy\n", "incremental": 1})
    assert (loaded.status, loaded.json["status"], loaded.json["totalRowsCount"]) == (200, "ok", 2)
    wrong = http.post(f"/tables/{USERS}/import", {"dataString": "id\n2\n"})
    assert (wrong.status, wrong.json["code"]) == (400, "csvImport.columnsNotMatch")
    assert http.post(f"/tables/{USERS}/import", {}).status == 400


@pytest.mark.parametrize("fields", [{"withoutHeaders": 1}, {"ignoredLinesCount": 1}])
def test_a_new_table_needs_names_for_its_columns(http: Http, fields: dict[str, Any]):
    http.post("/buckets", {"name": "main"})
    body = {"name": "users", "dataFileId": upload(http, "1,2\n3,4\n"), **fields}

    code, _ = fail(http, http.post("/buckets/in.c-main/tables-async", body))
    assert code == "storage.tables.validation.invalidColumnName"
    made = succeed(http, http.post("/buckets/in.c-main/tables-async", {**body, "columns": ["a", "b"]}))
    assert made["columns"] == ["a", "b"]
