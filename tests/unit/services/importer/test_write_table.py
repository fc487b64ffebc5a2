"""One request that loads rows into a table."""

from __future__ import annotations

import gzip
import socket
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from penstock.services.importer.receiving import FILE_BYTES
from tests.support.forms import BOUNDARY, KIND, form, part, write_table
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project, load_table
from tests.unit.web import raw


@pytest.fixture
def table(shared: ServicesOnly) -> str:
    """A table with two rows."""
    table_id = f"in.c-import.t{uuid.uuid4().hex}"
    load_table(shared, table_id, "id,name\n1,one\n2,two\n", primary_key=["id"])
    return table_id


@pytest.fixture
def importer(shared: ServicesOnly) -> Http:
    return shared.service("import")


def rows(services: ServicesOnly, table_id: str) -> list[list[str]]:
    """The id and the name of each."""
    path = f"/v2/storage/tables/{table_id}/data-preview?format=json&columns=id,name&orderBy[0][column]=id"
    return [[cell["value"] for cell in row] for row in services.service("storage").get(path).json["rows"]]


def files(services: ServicesOnly) -> list[int]:
    return [file["id"] for file in services.service("storage").get("/v2/storage/files").json]


def incoming(services: ServicesOnly) -> list[Path]:
    folder = services.stack.files_folder / "incoming"
    return list(folder.iterdir()) if folder.exists() else []


def test_rows_replace_those_of_the_table_on_each_database(services_on_each: ServicesOnly) -> None:
    load_table(services_on_each, "in.c-import.t", "id,name\n1,one\n2,two\n")
    response = write_table(services_on_each.service("import"), "in.c-import.t", b"id,name\n3,three\n")

    assert response.status == 200, response.text
    result = response.json
    assert result.pop("totalDataSizeBytes") > 0
    assert result == {"transaction": "", "warnings": [], "importedColumns": ["id", "name"], "totalRowsCount": 1}
    assert rows(services_on_each, "in.c-import.t") == [["3", "three"]]


@pytest.mark.parametrize("value", ["1", "true"])
def test_an_incremental_load_keeps_other_rows(shared: ServicesOnly, importer: Http, table: str, value: str) -> None:
    response = write_table(importer, table, b"id,name\n2,TWO\n", ("incremental", value))

    assert response.json["totalRowsCount"] == 2
    assert rows(shared, table) == [["1", "one"], ["2", "TWO"]]


def test_compressed_rows_are_recognized_by_their_content(shared: ServicesOnly, importer: Http, table: str) -> None:
    response = write_table(importer, table, gzip.compress(b"id,name\n5,five\n"))

    assert response.status == 200, response.text
    assert rows(shared, table) == [["5", "five"]]


@pytest.mark.parametrize(
    ("data", "fields", "expected"),
    [
        (b"id\tname\n1\ta\tb", [("delimiter", "\\t"), ("columns[]", "id"), ("columns[]", "name")], None),
        (b"id\tname\n1\tx y\n", [("delimiter", "\\t")], ["1", "x y"]),
        (b"id;name\n1;'x;y'\n", [("delimiter", ";"), ("enclosure", "'")], ["1", "x;y"]),
        (b'id,name\n1,"quoted\n', [("enclosure", "")], ["1", '"quoted']),
        (b"id,name\n1,x\\,y\n", [("enclosure", ""), ("escapedBy", "\\")], ["1", "x,y"]),
        (b'id,name\n1,"say ""hi"""\n', [], ["1", 'say "hi"']),
        (b"x,7\n", [("columns[]", "name"), ("columns[]", "id")], ["7", "x"]),
        (b"x,7\n", [("columns[0]", "name"), ("columns[1]", "id")], ["7", "x"]),
    ],
)
def test_the_format_of_the_rows_is_as_the_fields_say(
    shared: ServicesOnly,
    importer: Http,
    table: str,
    data: bytes,
    fields: list[tuple[str, str]],
    expected: list[str] | None,
) -> None:
    response = write_table(importer, table, data, *fields)

    if expected is None:
        assert response.status == 400, response.text
        assert len(rows(shared, table)) == 2
    else:
        assert response.status == 200, response.text
        assert rows(shared, table) == [expected]


def test_the_file_may_come_before_the_fields(shared: ServicesOnly, importer: Http, table: str) -> None:
    body = part("data", b"id,name\n9,nine\n", "x.csv") + part("tableId", table.encode()) + f"--{BOUNDARY}--".encode()
    response = importer.send("POST", "/write-table", body, KIND)

    assert response.status == 200, response.text
    assert rows(shared, table) == [["9", "nine"]]


def test_rows_larger_than_the_limit_of_bodies_are_loaded(shared: ServicesOnly, importer: Http, table: str) -> None:
    line = b"%d," + b"x" * 200 + b"\r\n"
    data = b"id,name\r\n" + b"".join(line % number for number in range(60_000))
    assert len(data) > shared.settings.body_limit

    assert write_table(importer, table, data).json["totalRowsCount"] == 60_000
    assert incoming(shared) == []


@pytest.mark.parametrize(
    ("fields", "data", "status", "said"),
    [
        ([], b"id\n", 400, "The field `tableId` is missing."),
        ([("tableId", "in.c-import.none")], b"id\n", 404, 'The table "none" was not found'),
        ([("tableId", "in.c-import.none")], None, 400, "There is no file"),
        ([("tableId", "in.c-import.none"), ("branchId", "999999")], b"id\n", 404, "999999"),
        ([("tableId", "in.c-import.none"), ("incremental", "perhaps")], b"id\n", 400, "incremental"),
    ],
)
def test_an_error_has_the_form_of_this_host(
    shared: ServicesOnly, importer: Http, fields: list[tuple[str, str]], data: bytes | None, status: int, said: str
) -> None:
    before = files(shared)
    response = importer.send("POST", "/write-table", form(data, fields), KIND)

    assert response.status == status, response.text
    assert said in response.json["message"]
    assert (response.json["status"], response.json["code"]) == ("error", status)
    assert (files(shared), incoming(shared)) == (before, [])


def test_a_load_that_fails_is_the_error_of_its_job(shared: ServicesOnly, importer: Http, table: str) -> None:
    response = write_table(importer, table, b"id\n1\n")

    assert response.status == 400
    assert "Missing columns: name" in response.json["message"]
    assert len(rows(shared, table)) == 2


@pytest.mark.parametrize("kind", ["application/json", "text/csv", ""])
def test_another_content_type_is_refused(importer: Http, kind: str) -> None:
    response = importer.send("POST", "/write-table", b"{}", {"Content-Type": kind})

    assert (response.status, response.json["status"]) == (400, "error")


def test_a_missing_token_is_a_missing_field(shared: ServicesOnly) -> None:
    response = shared.service("import", "").send("POST", "/write-table", form(b"id\n", []), KIND)

    assert (response.status, response.json["message"]) == (400, "X-StorageApi-Token header is required")
    assert shared.service("import", "1-2-3").send("POST", "/write-table", form(b"", []), KIND).status == 401


def test_a_token_that_may_only_read_the_bucket_loads_nothing(shared: ServicesOnly, table: str) -> None:
    def client(permission: str) -> Http:
        wanted = {"description": permission, "bucketPermissions": {"in.c-import": permission}}
        made = shared.service("storage").post("/v2/storage/tokens", wanted).json
        return shared.service("import", made["token"])

    assert write_table(client("read"), table, b"id,name\n").status == 403
    assert len(rows(shared, table)) == 2
    assert write_table(client("write"), table, b"id,name\n4,four\n").status == 200
    assert rows(shared, table) == [["4", "four"]]


def test_a_table_of_another_project_is_not_there(shared: ServicesOnly, table: str) -> None:
    theirs = shared.service("import", add_project(shared).token)

    assert write_table(theirs, table, b"id,name\n").status == 404


def head(services: ServicesOnly, length: int) -> bytes:
    return (
        f"POST /_svc/import/write-table HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"X-StorageApi-Token: {services.project.token}\r\nContent-Type: {KIND['Content-Type']}\r\n"
        f"Content-Length: {length}\r\n\r\n"
    ).encode()


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(shared: ServicesOnly) -> None:
    response = raw.ask(shared.port, head(shared, FILE_BYTES * 2))

    assert response.status == 413
    assert response.json["status"] == "error"
    assert incoming(shared) == []


def test_an_upload_that_breaks_off_leaves_nothing(shared: ServicesOnly, table: str) -> None:
    before = files(shared)
    body = form(b"id,name\n" + b"1,x\n" * 1_000_000, [("tableId", table)])
    with socket.create_connection(("127.0.0.1", shared.port), timeout=PATIENCE) as connection:
        connection.sendall(head(shared, len(body)) + body[:-1000])
        wait_for(lambda: incoming(shared))
    wait_for(lambda: not incoming(shared))

    assert files(shared) == before
    assert len(rows(shared, table)) == 2


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    body=st.binary(max_size=200), fields=st.lists(st.tuples(st.sampled_from(["tableId", "x"]), st.text()), max_size=3)
)
def test_no_body_breaks_it(shared: ServicesOnly, body: bytes, fields: Any) -> None:
    named = [(name, value.encode("utf-8", "replace").decode()) for name, value in fields]
    for path in ("/write-table", "/upload-file"):
        for sent in (body, form(body, named)[: -len(body) or None]):
            response = shared.service("import").send("POST", path, sent, KIND)
            assert response.status < 500, response.text
    assert incoming(shared) == []
