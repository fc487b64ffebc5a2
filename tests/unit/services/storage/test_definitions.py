"""Tables by definition: types, columns, keys, aliases and snapshots."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import fail, load, make_table, rows, storage, succeed

T = "in.c-main.t"


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


@pytest.fixture
def http(services: ServicesOnly) -> Http:
    client = storage(services)
    client.post("/buckets", {"name": "main"})
    return client


def define(http: Http, *columns: dict[str, Any], name: str = "t", **fields: Any) -> Any:
    body = {"name": name, "columns": list(columns), **fields}
    return succeed(http, http.post("/buckets/in.c-main/tables-definition", body))


@pytest.mark.parametrize(
    ("given", "shown", "basetype"),
    [
        ({"definition": {"type": "INT"}}, {"type": "NUMBER", "length": "38,0"}, "INTEGER"),
        ({"definition": {"type": "INT"}, "basetype": "NUMERIC"}, {"type": "NUMBER", "length": "38,0"}, "INTEGER"),
        ({"definition": {"type": "NUMBER", "length": "37"}}, {"type": "NUMBER", "length": "37,0"}, "NUMERIC"),
        ({"definition": {"type": "decimal", "length": "10,2"}}, {"type": "NUMBER", "length": "10,2"}, "NUMERIC"),
        ({"basetype": "NUMERIC"}, {"type": "NUMBER", "length": "38,9"}, "NUMERIC"),
        ({"basetype": "STRING"}, {"type": "VARCHAR", "length": "16777216"}, "STRING"),
        ({"definition": {"type": "TEXT", "length": ""}}, {"type": "VARCHAR", "length": "16777216"}, "STRING"),
        ({"definition": {"type": "VARCHAR", "length": 50}}, {"type": "VARCHAR", "length": "50"}, "STRING"),
        ({"definition": {"type": "DATE"}}, {"type": "DATE"}, "DATE"),
        ({"definition": {"type": "REAL"}}, {"type": "FLOAT"}, "FLOAT"),
        ({"basetype": "TIMESTAMP"}, {"type": "TIMESTAMP_NTZ", "length": "9"}, "TIMESTAMP"),
        ({"definition": {"type": "TIMESTAMP_TZ"}}, {"type": "TIMESTAMP_TZ", "length": "9"}, "TIMESTAMP"),
        ({"definition": {"type": "VARIANT"}}, {"type": "VARIANT"}, "STRING"),
        (
            {"definition": {"type": "INT", "default": 100}},
            {"type": "NUMBER", "length": "38,0", "default": "100"},
            "INTEGER",
        ),
    ],
)
def test_types_are_shown_as_clients_expect(http: Http, given: dict[str, Any], shown: dict[str, Any], basetype: str):
    made = define(http, {"name": "c", **given})

    [column] = made["definition"]["columns"]
    assert column == {
        "name": "c",
        "canBeFiltered": True,
        "definition": {"nullable": True, **shown},
        "basetype": basetype,
    }
    assert made["isTyped"]
    assert [item["value"] for item in made["metadata"] if item["key"] == "KBC.dataTypesEnabled"] == ["true"]
    system = {item["key"]: item["value"] for item in made["columnMetadata"]["c"]}
    assert system["KBC.datatype.type"] == shown["type"]
    assert system["KBC.datatype.basetype"] == basetype
    assert system["KBC.datatype.nullable"] == "1"


def test_without_types_a_table_holds_text(http: Http):
    made = define(http, {"name": "b"}, {"name": "a"}, primaryKeysNames=["a"])

    assert (made["isTyped"], made["columns"], made["primaryKey"], made["metadata"]) == (False, ["b", "a"], ["a"], [])
    assert [column["name"] for column in made["definition"]["columns"]] == ["b", "a"]
    assert (made["rowsCount"], made["dataSizeBytes"], made["lastImportDate"]) == (0, 0, None)


def test_a_typed_table_that_gets_its_key_later_takes_no_null_in_it(http: Http):
    define(http, {"name": "id", "basetype": "INTEGER"}, {"name": "name", "basetype": "STRING"})
    succeed(http, load(http, T, "id,name\n1,a\n"))
    succeed(http, http.post(f"/tables/{T}/primary-key", {"columns": ["id"]}))

    code, message = fail(http, load(http, T, "id,name\n2,b\n,c\n", incremental=1))

    assert (code, message) == ("invalidData", 'Load error: Row 3, column "id": the value may not be empty.')
    assert rows(http, T) == [["1", "a"]]
    shown = http.get(f"/tables/{T}").json
    assert [column["definition"]["nullable"] for column in shown["definition"]["columns"]] == [False, True]
    nullable = {item["key"]: item["value"] for item in shown["columnMetadata"]["id"]}["KBC.datatype.nullable"]
    assert nullable == ""


def test_a_column_with_nulls_cannot_become_the_key(http: Http):
    define(http, {"name": "id", "basetype": "INTEGER"}, {"name": "name", "basetype": "STRING"})
    succeed(http, load(http, T, "id,name\n1,a\n,b\n"))

    code, message = fail(http, http.post(f"/tables/{T}/primary-key", {"columns": ["id"]}))

    assert code == "storage.validation.primaryKey"
    assert message == (
        f'The column "id" of the table "{T}" cannot be in the primary key: it is NULL in some rows. '
        "Delete these rows or load them with a value, or choose other columns."
    )
    assert http.get(f"/tables/{T}").json["primaryKey"] == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"columns": []}, "storage.tables.validation.noColumns"),
        ({"primaryKeysNames": ["z"]}, "storage.tables.validation.invalidPrimaryKeyColumns"),
        ({"columns": [{"name": "a"}, {"name": "A"}]}, "storage.tables.validation.invalidColumnName"),
        ({"columns": [{"name": "é" * 3 + "!"}, {"name": "???"}]}, "storage.tables.validation.invalidColumnName"),
        ({"columns": [{"name": "a", "definition": {"type": "GEOMETRY?"}}]}, "storage.tables.validation"),
        ({"columns": [{"name": "a", "definition": {"type": "NUMBER", "length": "99"}}]}, "storage.tables.validation"),
        ({"columns": [{"name": "a", "definition": {"type": "NUMBER", "length": "x"}}]}, "storage.tables.validation"),
        ({"columns": [{"name": "a", "basetype": "THING"}]}, "storage.tables.validation"),
        ({"name": "a b"}, "storage.tables.validation"),
    ],
)
def test_a_definition_that_cannot_be_is_refused_at_once(http: Http, body: dict[str, Any], code: str):
    response = http.post("/buckets/in.c-main/tables-definition", {"name": "t", "columns": [{"name": "a"}], **body})

    assert (response.status, response.json["code"]) == (400, code)


def test_a_typed_table_takes_what_fits_and_refuses_the_rest(http: Http):
    define(http, {"name": "id", "basetype": "INTEGER"}, {"name": "day", "basetype": "DATE"}, primaryKeysNames=["id"])

    succeed(http, load(http, T, "id,day\n1,2026-11-15\n2,\n"))
    assert rows(http, T) == [["1", "2026-11-15"], ["2", ""]]

    code, message = fail(http, load(http, T, "id,day\n3,2026-11-15\n4,soon\n", incremental=1))
    assert (code, message.startswith("Load error:"), "soon" in message, "day" in message) == (
        "invalidData", True, True, True
    )  # fmt: skip
    assert fail(http, load(http, T, "id,day,more\n3,,x\n"))[0] == "csvImport.columnsNotMatch"
    assert rows(http, T) == [["1", "2026-11-15"], ["2", ""]]


def test_columns_come_and_go(http: Http):
    make_table(http, "id,name\n1,Ada\n", "t", primaryKey="id")

    succeed(http, http.post(f"/tables/{T}/columns", {"name": "new one"}))
    assert http.get(f"/tables/{T}").json["columns"] == ["id", "name", "new_one"]
    assert rows(http, T) == [["1", "Ada", ""]]
    again = http.post(f"/tables/{T}/columns", {"name": "NEW_one"})
    assert (again.status, again.json["code"]) == (400, "storage.tables.columnAlreadyExists")

    succeed(http, http.delete(f"/tables/{T}/columns/name"))
    assert rows(http, T) == [["1", ""]]
    assert http.delete(f"/tables/{T}/columns/id").json["code"] == "storage.tables.cannotDeletePrimaryKeyColumn"
    assert http.delete(f"/tables/{T}/columns/none").status == 400


def test_a_key_can_be_added_and_removed(http: Http):
    make_table(http, "id,name\n1,Ada\n1,Emmy\n", "t")

    code, _ = fail(http, http.post(f"/tables/{T}/primary-key", {"columns": ["id"]}))
    assert code == "storage.tables.primaryKeyDuplicateValues"
    succeed(http, http.post(f"/tables/{T}/primary-key", {"columns": ["id", "name"]}))
    assert http.get(f"/tables/{T}").json["primaryKey"] == ["id", "name"]
    assert http.post(f"/tables/{T}/primary-key", {"columns": ["id"]}).json["code"] == "storage.validation.primaryKey"
    succeed(http, http.delete(f"/tables/{T}/primary-key"))
    assert http.get(f"/tables/{T}").json["primaryKey"] == []
    assert http.post(f"/tables/{T}/primary-key", {"columns": ["none"]}).json["code"] == "storage.validation.primaryKey"


def test_an_alias_shows_its_source(http: Http):
    make_table(http, "id,kind,name\n1,a,Ada\n2,b,Emmy\n", "t", primaryKey="id")
    body = {
        "sourceTable": T,
        "name": "some",
        "aliasColumns": ["id", "name"],
        "aliasFilter": {"column": "kind", "values": ["a"]},
    }

    made = http.post("/buckets/in.c-main/table-aliases", body)

    assert (made.status, made.json["isAlias"], made.json["columns"]) == (201, True, ["id", "name"])
    assert (made.json["sourceTable"]["id"], made.json["rowsCount"]) == (T, None)
    assert made.json["aliasFilter"] == {"column": "kind", "operator": "eq", "values": ["a"]}
    assert rows(http, "in.c-main.some") == [["1", "Ada"]]
    past = http.post(
        "/buckets/in.c-main/tables-async", {"name": "past", "sourceTableId": "in.c-main.some", "timestamp": "now"}
    )
    assert (past.status, past.json["code"]) == (400, "storage.timetravel.invalid")


def test_an_alias_shows_the_rows_that_its_filter_lets_through(http: Http):
    make_table(http, "id,kind\n1,a\n2,b\n", "t")
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": T, "name": "some"})
    some = "in.c-main.some"
    assert rows(http, some) == [["1", "a"], ["2", "b"]]

    assert http.post(f"/tables/{some}/alias-filter", {"column": "kind", "values": ["b"]}).status == 200
    assert rows(http, some) == [["2", "b"]]
    assert http.delete(f"/tables/{T}/columns/kind").json["code"] == "storage.tables.cannotDeleteReferencedColumn"
    assert http.delete(f"/tables/{some}/alias-filter").status == 204

    succeed(http, http.post(f"/tables/{T}/columns", {"name": "more"}))
    assert http.get(f"/tables/{some}").json["columns"] == ["id", "kind", "more"]
    assert http.delete(f"/tables/{some}/alias-columns-auto-sync").status == 204
    succeed(http, http.delete(f"/tables/{T}/columns/more?force=1"))

    assert http.delete(f"/tables/{T}").json["code"] == "tables.cannotDeletedTableWithAliases"
    assert http.post("/buckets/in.c-main/table-aliases", {"sourceTable": some, "name": "x"}).status == 400
    assert http.delete(f"/tables/{T}?force=1").status == 204
    assert http.get(f"/tables/{some}").status == 404


def test_a_snapshot_stays_what_it_was(http: Http):
    make_table(http, "id,name\n1,Ada\n", "t", primaryKey="id")

    snapshot = succeed(http, http.post(f"/tables/{T}/snapshots", {"description": "before"}))
    succeed(http, load(http, T, "id,name\n2,Emmy\n"))
    [listed] = http.get(f"/tables/{T}/snapshots").json
    assert (listed["id"], listed["description"], listed["rowsCount"]) == (snapshot["id"], "before", 1)
    assert listed == http.get(f"/snapshots/{snapshot['id']}").json

    body = {"name": "copy", "snapshotId": snapshot["id"]}
    copied = succeed(http, http.post("/buckets/in.c-main/tables-async", body))
    assert (copied["primaryKey"], copied["columns"]) == (["id"], ["id", "name"])
    assert rows(http, "in.c-main.copy") == [["1", "Ada"]]

    succeed(http, http.delete(f"/snapshots/{snapshot['id']}"))
    assert http.get(f"/snapshots/{snapshot['id']}").status == 404


def test_a_table_can_be_made_of_what_another_one_was(http: Http):
    made = make_table(http, "id\n1\n", "t")
    body = {"name": "past", "sourceTableId": T}

    assert http.post("/buckets/in.c-main/tables-async", {**body, "timestamp": "-1 year"}).json["code"] == (
        "storage.timetravel.invalid"
    )
    assert http.post("/buckets/in.c-main/tables-async", {**body, "timestamp": "soon"}).status == 400
    copied = succeed(http, http.post("/buckets/in.c-main/tables-async", {**body, "timestamp": "now"}))

    assert (copied["rowsCount"], copied["columns"]) == (1, made["columns"])


def test_an_alias_returns_the_details_of_its_source(services: ServicesOnly):
    http = storage(services)
    http.post("/buckets", {"name": "out", "stage": "out"})
    make_table(http, "id,name,kind\n1,Ada,a\n", name="source")
    http.post("/tables/in.c-main.source/metadata", {"provider": "p", "metadata": [{"key": "k", "value": "v"}]})
    http.post("/columns/in.c-main.source.id/metadata", {"provider": "p", "metadata": [{"key": "c", "value": "w"}]})
    alias = {"sourceTable": "in.c-main.source", "name": "alias", "aliasColumns": ["id"]}
    assert http.post("/buckets/out.c-out/table-aliases", alias).status == 201

    shown = http.get("/tables/out.c-out.alias").json["sourceTable"]
    [listed] = http.get("/buckets/out.c-out/tables?include=sourceMetadata,sourceColumnMetadata").json
    [plain] = http.get("/buckets/out.c-out/tables?include=").json

    for source in (shown, listed["sourceTable"]):
        assert [(item["key"], item["value"]) for item in source["metadata"]] == [("k", "v")]
        assert [item["value"] for item in source["columnMetadata"]["id"]] == ["w"]
    assert [column["name"] for column in shown["definition"]["columns"]] == ["id", "name", "kind"]
    assert not {"metadata", "columnMetadata", "definition"} & set(plain["sourceTable"])


def test_an_alias_reveals_nothing_of_a_source_that_its_reader_may_not_read(services: ServicesOnly):
    http = storage(services)
    http.post("/buckets", {"name": "out", "stage": "out"})
    make_table(http, "id,name\n1,Ada\n", name="source")
    http.post("/buckets/out.c-out/table-aliases", {"sourceTable": "in.c-main.source", "name": "alias"})
    token = http.post("/tokens", {"bucketPermissions": {"out.c-out": "read"}}).json["token"]
    reader = Http(http.base, token)

    source = reader.get("/tables/out.c-out.alias").json["sourceTable"]

    assert not {"metadata", "columnMetadata", "definition"} & set(source)
