"""The order of columns: a full load gives a table that of the file, and everything derived from the table follows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.fill import add_project, load_table
from tests.unit.services.storage.loading import load, make_table, rows, storage, succeed

__all__ = ["shared"]
T, ALIAS = "in.c-main.users", "in.c-main.shown"


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def columns(http: Http, table_id: str = T) -> list[str]:
    return http.get(f"/tables/{table_id}").json["columns"]


def preview(http: Http, table_id: str = T) -> list[str]:
    header, *lines = http.get(f"/tables/{table_id}/data-preview").text.splitlines()
    return [header, *sorted(lines)]


def test_a_full_load_gives_the_table_the_order_of_the_header(http: Http) -> None:
    make_table(http, "id,name,city\n1,Ada,London\n", primaryKey="name,id")
    note = {"provider": "user", "metadata": [{"key": "k", "value": "of the city"}]}
    assert http.post(f"/columns/{T}.city/metadata", note).status == 201
    results = succeed(http, load(http, T, "city,id,name\nPrague,2,Bob\nBrno,3,Eve\n"))
    table = http.get(f"/tables/{T}").json

    assert results["importedColumns"] == table["columns"] == ["city", "id", "name"]
    assert [column["name"] for column in table["definition"]["columns"]] == ["city", "id", "name"]
    assert (table["primaryKey"], table["rowsCount"]) == (["name", "id"], 2)
    assert {name: items[0]["value"] for name, items in table["columnMetadata"].items()} == {"city": "of the city"}
    assert preview(http) == ['"city","id","name"', '"Brno","3","Eve"', '"Prague","2","Bob"']


def test_what_shows_the_table_follows(http: Http) -> None:
    make_table(http, "id,name,city\n1,Ada,London\n")
    alias: dict[str, Any] = {"sourceTable": T, "name": "shown", "aliasColumns": ["id", "city"]}
    assert http.post("/buckets/in.c-main/table-aliases", alias).status == 201
    snapshot = succeed(http, http.post(f"/tables/{T}/snapshots"))["id"]
    succeed(http, load(http, T, "city,name,id\nPrague,Bob,2\n"))

    assert preview(http, ALIAS) == ['"city","id"', '"Prague","2"']
    made = succeed(http, http.post("/buckets/in.c-main/tables-async", {"name": "before", "snapshotId": snapshot}))
    assert (made["columns"], rows(http, made["id"])) == (["id", "name", "city"], [["1", "Ada", "London"]])


def test_later_loads_find_their_columns(http: Http) -> None:
    make_table(http, "id,name\n1,Ada\n", primaryKey="id")
    succeed(http, load(http, T, "name,id\nBob,2\n"))
    succeed(http, load(http, T, "id,name\n2,Bo\n3,Eve\n", incremental=1))
    succeed(http, load(http, T, "Zoe,4\n", incremental=1, withoutHeaders=1))

    assert columns(http) == ["name", "id"]
    assert rows(http, T) == [["Bo", "2"], ["Eve", "3"], ["Zoe", "4"]]


def test_a_new_column_stands_where_the_file_has_it(http: Http) -> None:
    make_table(http, "id,name\n1,Ada\n")
    succeed(http, load(http, T, "new,id,name\nx,2,Bob\n"))
    assert (columns(http), rows(http, T)) == (["new", "id", "name"], [["x", "2", "Bob"]])

    succeed(http, load(http, T, "last,name,new,id\ny,Eve,z,3\n", incremental=1))
    assert columns(http) == ["new", "id", "name", "last"]
    assert rows(http, T) == [["x", "2", "Bob", ""], ["z", "3", "Eve", "y"]]


def test_names_that_come_with_the_request_leave_the_order_as_it_is(http: Http) -> None:
    make_table(http, "id,name\n1,Ada\n")
    succeed(http, load(http, T, "Bob,2\n", columns=["name", "id"]))

    assert (columns(http), rows(http, T)) == (["id", "name"], [["2", "Bob"]])


def test_a_typed_table_keeps_its_types(http: Http) -> None:
    http.post("/buckets", {"name": "main"})
    wanted = [{"name": "id", "definition": {"type": "INT"}}, {"name": "born", "definition": {"type": "DATE"}}]
    body = {"name": "users", "primaryKeysNames": ["id"], "columns": wanted}
    before = succeed(http, http.post("/buckets/in.c-main/tables-definition", body))
    succeed(http, load(http, T, "born,id\n1815-12-10,7\n,8\n"))
    table = http.get(f"/tables/{T}").json

    assert (before["columns"], table["columns"]) == (["id", "born"], ["born", "id"])
    assert by_name(table) == by_name(before)
    assert table["columnMetadata"] == before["columnMetadata"]
    assert rows(http, T) == [["", "8"], ["1815-12-10", "7"]]
    succeed(http, load(http, T, "id,born\n7,1815-12-11\n", incremental=1))
    assert rows(http, T, "&orderBy[0][column]=id&orderBy[0][dataType]=INTEGER") == [["", "8"], ["1815-12-11", "7"]]


def by_name(table: dict[str, Any]) -> dict[str, Any]:
    return {column["name"]: column["definition"] for column in table["definition"]["columns"]}


def test_a_linked_bucket_shows_the_order_too(new_project: ServicesOnly, http: Http) -> None:
    make_table(http, "id,name\n1,Ada\n")
    theirs = storage(new_project, add_project(new_project))
    assert http.post("/buckets/in.c-main/share-organization").status in (200, 202)
    source = {"sourceProjectId": new_project.project.id, "sourceBucketId": "in.c-main"}
    assert theirs.post("/buckets", {"name": "linked", "stage": "in", **source}).status == 201
    succeed(http, load(http, T, "name,id\nBob,2\n"))

    assert columns(theirs, "in.c-linked.users") == ["name", "id"]
    assert preview(theirs, "in.c-linked.users") == ['"name","id"', '"Bob","2"']


def test_a_column_that_a_component_leaves_out_comes_last(new_project: ServicesOnly, http: Http) -> None:
    load_table(new_project, T, "a,b,c\n1,2,3\n")
    load_table(new_project, T, "c,a\n6,4\n")

    assert (columns(http), rows(http, T)) == (["c", "a", "b"], [["6", "4", ""]])
