"""Buckets, tables, previews and events, for those who may see them."""

from __future__ import annotations

import csv
import io
import re
from typing import Any
from urllib.parse import quote

import pytest

from penstock.foundation.errors import Forbidden, Invalid
from penstock.foundation.lake import BadCsv
from penstock.services.storage import interface as storage
from penstock.services.storage.errors.buckets import InvalidBucket
from penstock.services.storage.errors.tables import InvalidColumn, InvalidKey, InvalidTable, TooManyColumns
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_event, add_project, load_table

USERS = "in.c-main.users"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000"


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def get(services: ServicesOnly, path: str, project: Project | None = None) -> Response:
    return services.service("storage", project.token if project else None).get(f"/v2/storage/{path}")


def preview(services: ServicesOnly, query: str = "", table: str = USERS) -> Response:
    return get(services, f"tables/{table}/data-preview{query}")


def rows(services: ServicesOnly, table: str = USERS) -> list[list[str]]:
    """Header first, then the rows in order of value: a table that was loaded several times has no order of its own."""
    header, *found = csv.reader(io.StringIO(preview(services, "?limit=1000", table).text, newline=""))
    return [header, *sorted(found)]


def test_a_load_makes_the_bucket_and_the_table(services: ServicesOnly) -> None:
    load_table(services, USERS, "id,name\n1,Ada\n2,Emmy\n", primary_key=("id",))
    bucket, table = get(services, "buckets/in.c-main").json, get(services, f"tables/{USERS}").json

    assert (bucket["id"], bucket["name"], bucket["displayName"], bucket["stage"]) == (
        "in.c-main", "c-main", "main", "in"
    )  # fmt: skip
    assert bucket["backendPath"] == [f"KBC_{services.project.id}", "in.c-main"]
    assert [inside["id"] for inside in bucket["tables"]] == [USERS]
    assert bucket["rowsCount"] == table["rowsCount"] == 2
    assert bucket["dataSizeBytes"] == table["dataSizeBytes"] > 0
    assert (table["columns"], table["primaryKey"], table["name"]) == (["id", "name"], ["id"], "users")
    assert table["bucket"]["id"] == "in.c-main"
    assert table["definition"]["primaryKeysNames"] == ["id"]
    assert (table["metadata"], table["columnMetadata"], table["isAlias"]) == ([], {}, False)
    assert "sourceTable" not in table


def test_times_are_written_as_clients_check_them(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")
    table, bucket = get(services, f"tables/{USERS}").json, get(services, "buckets/in.c-main").json

    for value in (table["created"], table["lastImportDate"], table["lastChangeDate"], bucket["created"]):
        assert re.fullmatch(TIME, value)


def test_the_include_of_a_list_is_a_choice(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")

    [default], [nothing], [chosen] = (
        get(services, f"tables{query}").json for query in ("", "?include=", "?include=columns,columnMetadata")
    )
    assert {"bucket", "metadata"} <= default.keys()
    assert "columns" not in default
    assert not nothing.keys() & {"bucket", "columns", "metadata", "columnMetadata"}
    assert {"columns", "columnMetadata"} <= chosen.keys()
    assert "metadata" not in get(services, "buckets?include=").json[0]
    assert get(services, "buckets?include=metadata").json[0]["metadata"] == []
    assert [table["id"] for table in get(services, "buckets/in.c-main/tables").json] == [USERS]


@pytest.mark.parametrize("bucket_id", ["in.c-absent", "some-totally-non-existent-bucket", "non.existent.bucket", "%00"])
def test_an_unknown_bucket_is_not_found(shared: ServicesOnly, bucket_id: str) -> None:
    for path in (f"buckets/{bucket_id}", f"buckets/{bucket_id}/tables"):
        response = get(shared, path)
        assert (response.status, response.json["code"]) == (404, "storage.buckets.notFound")
    assert get(shared, "buckets/in.c-absent").json["error"] == (
        f'The bucket "in.c-absent" was not found in the project "{shared.project.id}"'
    )


def test_an_unknown_table_is_not_found(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")

    for path in ("tables/in.c-main.absent", "tables/in.c-main.absent/data-preview"):
        response = get(services, path)
        assert (response.status, response.json["code"]) == (404, "storage.tables.notFound")
        assert response.json["error"].startswith('The table "absent" was not found in the bucket "in.c-main"')
    for path in ("tables/in.c-absent.users", "tables/in.c-absent.users/data-preview"):
        response = get(services, path)
        assert (response.status, response.json["code"]) == (404, "storage.tables.notFound")
        assert response.json["error"].startswith('The table "users" was not found in the bucket "in.c-absent"')
    for malformed in ("x", "a.b", "in.c-main", "in.c-main.users.more", "..", "in.c-main.", "'; DROP TABLE x"):
        assert get(services, f"tables/{quote(malformed)}").status == 404


def test_a_project_sees_nothing_of_another(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")
    add_event(services, "ours", run_id="7")
    other = add_project(services)

    assert get(services, "buckets", other).json == get(services, "tables", other).json == []
    assert get(services, "events", other).json == get(services, "events?runId=7", other).json == []
    for foreign, absent in (
        ("buckets/in.c-main", "buckets/in.c-none"),
        ("buckets/in.c-main/tables", "buckets/in.c-none/tables"),
        (f"tables/{USERS}", "tables/in.c-none.users"),
        (f"tables/{USERS}/data-preview", "tables/in.c-none.users/data-preview"),
    ):
        seen, unseen = get(services, foreign, other), get(services, absent, other)
        assert seen.status == unseen.status == 404
        assert seen.json["code"] == unseen.json["code"]
        assert seen.json["error"].replace("c-main", "c-none") == unseen.json["error"]


def test_two_projects_may_call_a_table_the_same(services: ServicesOnly) -> None:
    other = add_project(services)
    load_table(services, USERS, "id\nours\n")
    load_table(services, USERS, "id\ntheirs\n", other)

    assert preview(services).text == '"id"\n"ours"\n'
    assert get(services, f"tables/{USERS}/data-preview", other).text == '"id"\n"theirs"\n'


def test_a_preview_is_csv_with_every_field_quoted(services: ServicesOnly) -> None:
    load_table(services, USERS, 'id,text\n1,"a ""quote"", a\nline"\n2,\n')
    response = preview(services)

    assert response.headers["content-type"] == "text/csv; charset=UTF-8"
    assert response.text == '"id","text"\n"1","a ""quote"", a\nline"\n"2",""\n'


def test_a_preview_may_be_json(services: ServicesOnly) -> None:
    load_table(services, USERS, f"id,text\n1,{'x' * 16_384}\n2,{'y' * 16_385}\n")
    response = preview(services, "?format=json")
    first, second = response.json["rows"]

    assert response.headers["content-type"] == "application/json"
    assert response.json["columns"] == ["id", "text"]
    assert first[0] == {"columnName": "id", "value": "1", "isTruncated": False}
    assert first[1] == {"columnName": "text", "value": "x" * 16_384, "isTruncated": False}
    assert second[1] == {"columnName": "text", "value": "y" * 16_384, "isTruncated": True}


@pytest.fixture(scope="module")
def long_table(shared: ServicesOnly) -> ServicesOnly:
    load_table(shared, USERS, "id,a,b\n" + "".join(f"{n},a{n},b{n}\n" for n in range(1200)))
    return shared


@pytest.mark.parametrize(("limit", "lines"), [("", 100), ("?limit=0", 100), ("?limit=1", 1), ("?limit=1000", 1000)])
def test_a_preview_has_as_many_rows_as_asked(long_table: ServicesOnly, limit: str, lines: int) -> None:
    found = list(csv.reader(io.StringIO(preview(long_table, limit).text)))

    assert [row[0] for row in found] == ["id", *map(str, range(lines))]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?limit=1001", "storage.tables.validation"),
        ("?limit=99999999999999999999", "storage.tables.validation"),
        ("?limit=-1", "validation.failed"),
        ("?limit=many", "validation.failed"),
        ("?columns=absent", "storage.tables.nonExistingColumns"),
        ("?columns=id,absent", "storage.tables.nonExistingColumns"),
        ('?columns=id"', "storage.tables.nonExistingColumns"),
        ("?format=xml", "storage.tables.validation.invalidFormat"),
        ("?format=", "storage.tables.validation.invalidFormat"),
    ],
)
def test_a_preview_that_cannot_be_is_refused(long_table: ServicesOnly, query: str, code: str) -> None:
    response = preview(long_table, query)

    assert (response.status, response.json["code"]) == (400, code)


@pytest.mark.parametrize("query", ["?columns=b,id", "?columns[]=b&columns[]=id", "?columns[0]=b&columns[1]=id"])
def test_a_preview_shows_the_columns_in_the_order_asked(long_table: ServicesOnly, query: str) -> None:
    assert preview(long_table, f"{query}&limit=1").text == '"b","id"\n"b0","0"\n'


def test_loading_again_replaces_and_incremental_loading_adds(services: ServicesOnly) -> None:
    load_table(services, USERS, "id,v\n1,a\n2,b\n", primary_key=("id",))
    load_table(services, USERS, "id,v\n2,new\n3,c\n", incremental=True)
    assert rows(services) == [["id", "v"], ["1", "a"], ["2", "new"], ["3", "c"]]

    load_table(services, USERS, "id,v\n9,z\n")
    assert rows(services) == [["id", "v"], ["9", "z"]]
    assert get(services, f"tables/{USERS}").json["primaryKey"] == ["id"]


def test_a_file_may_bring_new_columns(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")
    load_table(services, USERS, "more,id\nx,2\n", incremental=True)

    assert rows(services) == [["id", "more"], ["1", ""], ["2", "x"]]
    assert get(services, f"tables/{USERS}").json["columns"] == ["id", "more"]


def test_one_load_counts_once_however_often_it_is_repeated(services: ServicesOnly) -> None:
    for _ in range(3):
        load_table(services, USERS, "id\n1\n", id="job-7", incremental=True)

    assert rows(services) == [["id"], ["1"]]


def test_column_names_become_plain(services: ServicesOnly) -> None:
    load_table(services, USERS, "Příjmení,a b--c,_x_,oid,ÆØ z\n1,2,3,4,5\n")

    assert get(services, f"tables/{USERS}").json["columns"] == ["Prijmeni", "a_b_c", "x", "oid_", "z"]


@pytest.mark.parametrize("column", ["position", "POSITION", "position_0", "filename", "rowid", "old", "new", "select"])
def test_a_column_may_be_called_anything(shared: ServicesOnly, column: str) -> None:
    table = f"in.c-names.{column}"
    load_table(shared, table, f"id,{column}\n1,z\n2,a\n1,b\n", primary_key=("id",))
    load_table(shared, table, f"id,{column}\n2,c\n", incremental=True)

    assert rows(shared, table) == [["id", column], ["1", "b"], ["2", "c"]]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", InvalidTable),
        ("\n", InvalidTable),
        ("_timestamp\n1\n", InvalidColumn),
        ("id,name\n1\n", BadCsv),
        ("id,name\n1,2,3\n", BadCsv),
        ('id,name\n1,"open\n', BadCsv),
        (b"id\n\xff\xfe\n", BadCsv),
        (b"\xff\xfe\n1\n", BadCsv),
    ],
)
def test_a_file_that_cannot_be_loaded_changes_nothing(
    services: ServicesOnly, content: str | bytes, error: type[Invalid]
) -> None:
    load_table(services, USERS, "id,name\n1,Ada\n")

    with pytest.raises(error):
        load_table(services, USERS, content)
    assert rows(services) == [["id", "name"], ["1", "Ada"]]
    with pytest.raises(error):
        load_table(services, "in.c-other.new", content)
    assert [table["id"] for table in get(services, "tables").json] == [USERS]


def test_a_column_that_the_file_does_not_have_is_empty(services: ServicesOnly) -> None:
    load_table(services, USERS, "id,name\n1,Ada\n")
    load_table(services, USERS, "id\n2\n")

    assert rows(services) == [["id", "name"], ["2", ""]]


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("id,ID", ["id", "ID_2"]),
        ("a-b,a_b,a b", ["a_b", "a_b_2", "a_b_3"]),
        ("???,名前", ["column", "column_2"]),
        ("oid,OID ", ["oid_", "OID_2"]),
        ("x" * 65, ["x" * 55 + "_9537c5fd"]),
        (",".join("y" * 70 + str(n) for n in range(2)), None),
    ],
)
def test_an_invalid_column_name_is_corrected(services: ServicesOnly, header: str, columns: list[str] | None) -> None:
    load_table(services, USERS, header + "\n" + ",".join("v" for _ in header.split(",")) + "\n")
    found = rows(services)[0]

    assert columns is None or found == columns
    assert len({name.lower() for name in found}) == len(header.split(","))
    assert all(len(name) <= 64 for name in found)


def test_a_file_must_have_the_tables_key(services: ServicesOnly) -> None:
    with pytest.raises(InvalidKey, match='"key"'):
        load_table(services, "in.c-main.other", "id\n1\n", primary_key=("key",))


@pytest.mark.parametrize(
    ("table_id", "error"),
    [
        ("in.c-main", InvalidTable),
        ("in.c-main.", InvalidTable),
        ("in.c-main._x", InvalidTable),
        ("in.c-main.a.b", InvalidTable),
        (f"in.c-main.{'x' * 97}", InvalidTable),
        ("in.c-main.../../x", InvalidTable),
        ("in.main.users", InvalidBucket),
        ("sys.c-main.users", InvalidBucket),
        ("in.c-ma/in.users", InvalidBucket),
        ("in.c-ž.users", InvalidBucket),
        ("in.c-\x00.users", InvalidBucket),
        (f"in.c-{'x' * 95}.users", InvalidBucket),
    ],
)
def test_a_table_needs_a_proper_id(shared: ServicesOnly, table_id: str, error: type[Invalid]) -> None:
    with pytest.raises(error):
        load_table(shared, table_id, "id\n1\n")


def test_names_never_become_paths(services: ServicesOnly) -> None:
    load_table(services, "in.c-con.nul", "id\n1\n")
    names = {path.name for path in (services.stack.folder / "lake").rglob("*")}

    assert not names & {"in.c-con", "nul", "con"}


def test_who_may_only_read_cannot_load(services: ServicesOnly) -> None:
    load_table(services, USERS, "id\n1\n")
    wish: dict[str, Any] = {"bucketPermissions": {"in.c-main": "read"}}
    reader = services.service("storage").post("/v2/storage/tokens", wish).json["token"]
    project = Project(reader, storage.authenticate(services.stack, reader))
    with pytest.raises(Forbidden):
        load_table(services, USERS, "id\n2\n", project)
    with pytest.raises(Forbidden):
        load_table(services, "in.c-new.users", "id\n2\n", project)
    assert rows(services) == [["id"], ["1"]]


def test_events_are_listed_newest_first_and_filtered(services: ServicesOnly) -> None:
    for number in range(5):
        add_event(services, f"line {number}", run_id="10", configuration_id="c1")
    add_event(services, "of a child", run_id="10.11")
    add_event(services, "of another", run_id="101", type="warn", component="keboola.other")

    def messages(query: str) -> list[str]:
        return [event["message"] for event in get(services, f"events?{query}").json]

    assert messages("runId=10&limit=2") == ["of a child", "line 4"]
    assert messages("runId=10&sortOrder=asc&limit=2") == ["line 0", "line 1"]
    assert messages("runId=10&offset=5") == ["line 0"]
    assert messages("component=keboola.other") == ["of another"]
    assert messages("configurationId=c1&limit=1") == ["line 4"]
    assert messages("q=child") == ["of a child"]
    assert messages("q=%25") == []
    assert messages('q=message:"MCP tool "foo" call*"'.replace(" ", "%20").replace('"', "%22")) == []
    newest = get(services, "events").json[0]
    assert (newest["type"], newest["event"]) == ("warn", "ext.keboola.other.warn")
    assert messages(f"sinceId={newest['id']}") == []
    assert len(messages(f"maxId={newest['id']}")) == 6


def test_an_event_is_found_by_its_id_and_its_uuid(services: ServicesOnly) -> None:
    add_event(services, "it happened")
    [event] = get(services, "events").json

    assert get(services, f"events/{event['id']}").json == get(services, f"events/{event['uuid']}").json == event
    assert event["uri"].endswith(f"/v2/storage/events/{event['uuid']}")


def test_an_event_of_others_is_not_found(services: ServicesOnly) -> None:
    add_event(services, "ours")
    [event] = get(services, "events").json
    token = services.service("storage").post("/v2/storage/tokens", {}).json["token"]
    stranger = Project(token, storage.authenticate(services.stack, token))

    for project in (add_project(services), stranger):
        for name in (event["id"], event["uuid"], "0", "foo", "9" * 30):
            assert get(services, f"events/{name}", project).status == 404


@pytest.mark.parametrize("known", ["", "c0,other\n1,2\n"])
def test_a_component_cannot_load_a_table_that_is_too_wide(services: ServicesOnly, known: str) -> None:
    if known:
        load_table(services, USERS, known)
    columns = 50_000 if not known else 1200
    header = ",".join(f"c{n}" for n in range(columns))

    with pytest.raises(TooManyColumns, match=rf'"{USERS}" would have [0-9,]+ columns, and a table has at most 1,200'):
        load_table(services, USERS, f"{header}\n", incremental=True)


def test_a_column_that_would_make_a_table_too_wide_is_refused(services: ServicesOnly) -> None:
    load_table(services, USERS, ",".join(f"c{n}" for n in range(1200)) + "\n")

    response = services.service("storage").post(f"/v2/storage/tables/{USERS}/columns", {"name": "one_more"})

    assert (response.status, response.json["code"]) == (400, "storage.maxNumberOfColumnsExceed")
