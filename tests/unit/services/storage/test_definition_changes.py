"""Definitions of columns that exist: length, default, nullability; and a table with its columns together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import fail, load, make_table, rows, storage, succeed

T = "in.c-main.t"
COLUMNS: list[dict[str, Any]] = [
    {"name": "id", "definition": {"type": "INT"}},
    {"name": "price", "definition": {"type": "NUMBER", "length": "10,2"}},
    {"name": "name", "definition": {"type": "VARCHAR", "length": "50"}},
    {"name": "day", "definition": {"type": "DATE"}},
]


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    client = storage(new_project)
    client.post("/buckets", {"name": "main"})
    body = {"name": "t", "columns": COLUMNS, "primaryKeysNames": ["id"]}
    succeed(client, client.post("/buckets/in.c-main/tables-definition", body))
    return client


def put(http: Http, column: str, **change: Any) -> Response:
    return http.put(f"/tables/{T}/columns/{column}/definition", change)


def definition(http: Http, column: str) -> dict[str, Any]:
    columns = http.get(f"/tables/{T}").json["definition"]["columns"]
    return next(each["definition"] for each in columns if each["name"] == column)


def metadata(http: Http, column: str) -> dict[str, str]:
    return {item["key"]: item["value"] for item in http.get(f"/columns/{T}.{column}/metadata").json}


def test_a_number_gets_more_digits_and_keeps_its_values(http: Http):
    succeed(http, load(http, T, "id,price,name,day\n1,12.5,a,\n"))

    succeed(http, put(http, "price", length="20,4"))

    assert definition(http, "price") == {"type": "NUMBER", "length": "20,4", "nullable": True}
    assert metadata(http, "price")["KBC.datatype.length"] == "20,4"
    assert rows(http, T) == [["1", "12.5000", "a", ""]]
    succeed(http, load(http, T, "id,price,name,day\n2,1234567890123.0001,b,\n", incremental=1))
    assert rows(http, T) == [["1", "12.5000", "a", ""], ["2", "1234567890123.0001", "b", ""]]


def test_a_text_gets_longer(http: Http):
    succeed(http, put(http, "name", length=200))

    assert definition(http, "name")["length"] == "200"


def test_a_default_comes_and_goes_without_changing_rows(http: Http):
    succeed(http, load(http, T, "id,price,name,day\n1,,a,\n"))

    succeed(http, put(http, "price", default=7))
    assert (definition(http, "price")["default"], metadata(http, "price")["KBC.datatype.default"]) == ("7", "7")
    succeed(http, put(http, "price", default=None))

    assert "default" not in definition(http, "price")
    assert "KBC.datatype.default" not in metadata(http, "price")
    assert rows(http, T) == [["1", "", "a", ""]]


def test_a_column_is_required_once_no_row_lacks_it(http: Http):
    succeed(http, load(http, T, "id,price,name,day\n1,,a,\n"))

    code, message = fail(http, put(http, "price", nullable=False))
    assert (code, message) == (
        "storage.tables.validation",
        f'The column "price" of the table "{T}" cannot be required: it is NULL in some rows. Delete these rows or load '
        "them with a value first.",
    )
    succeed(http, put(http, "name", nullable=False))

    assert (definition(http, "name")["nullable"], metadata(http, "name")["KBC.datatype.nullable"]) == (False, "")
    assert fail(http, load(http, T, "id,price,name,day\n2,1,,\n", incremental=1))[0] == "invalidData"
    succeed(http, put(http, "name", nullable=True))
    succeed(http, load(http, T, "id,price,name,day\n2,1,,\n", incremental=1))


def test_a_default_that_does_not_fit_is_refused_and_changes_nothing(http: Http):
    code, message = fail(http, put(http, "day", default="soon", nullable=False))

    assert (code, message) == (
        "storage.tables.invalidDefaultValueForType",
        'The column "day" cannot have the default "soon", which is not a valid DATE.',
    )
    assert definition(http, "day") == {"type": "DATE", "nullable": True}


@pytest.mark.parametrize(
    ("column", "change", "sentence"),
    [
        (
            "price",
            {"length": "8,2"},
            'The length of the column "price" cannot change from 10,2 to 8,2: it can only grow',
        ),
        ("price", {"length": "12,0"}, "it can only grow"),
        ("price", {"length": "99,2"}, "a number has at most 38 digits"),
        ("name", {"length": "5"}, "it can only grow"),
        ("name", {"length": "long"}, "which is not a valid length"),
        ("day", {"length": "5"}, 'The column "day" is a DATE, whose length cannot be changed.'),
        ("id", {"nullable": True}, 'The column "id" is in the primary key'),
        ("none", {"nullable": True}, f'The table "{T}" has no column "none".'),
        ("name", {}, 'Say what to change in the column "name": length, nullable or default.'),
        ("name", {"length": "", "default": ""}, "Say what to change"),
    ],
)
def test_a_change_that_cannot_be_is_refused_immediately(http: Http, column: str, change: Any, sentence: str):
    response = put(http, column, **change)

    assert (response.status, sentence in response.json["error"]) == (400, True), response.text


def test_columns_of_an_untyped_table_have_no_definition(http: Http):
    make_table(http, "id\n1\n", "plain")

    response = http.put("/tables/in.c-main.plain/columns/id/definition", {"nullable": False})

    assert (response.status, response.json["code"]) == (400, "storage.tables.validation")
    assert "is not typed" in response.json["error"]


def test_a_table_and_its_columns_change_together(http: Http):
    columns = [
        {"name": "price", "length": "12,2", "nullable": True, "description": "in euros"},
        {"name": "name", "default": "nobody"},
        {"name": "id", "default": None},
        {"name": "day", "description": "of the sale"},
    ]

    succeed(http, put(http, "id", default=1))
    succeed(
        http, http.put(f"/tables/{T}/definition", {"displayName": "sales", "description": "What", "columns": columns})
    )

    shown = http.get(f"/tables/{T}").json
    assert shown["displayName"] == "sales"
    assert [item["value"] for item in shown["metadata"] if item["key"] == "KBC.description"] == ["What"]
    assert "default" not in definition(http, "id")
    assert (definition(http, "price")["length"], definition(http, "name")["default"]) == ("12,2", "nobody")
    assert (metadata(http, "price")["KBC.description"], metadata(http, "day")["KBC.description"]) == (
        "in euros",
        "of the sale",
    )


def test_an_untyped_table_takes_descriptions_and_a_display_name(http: Http):
    make_table(http, "id\n1\n", "plain")
    body = {"displayName": "nice", "columns": [{"name": "id", "description": "a number"}]}

    succeed(http, http.put("/tables/in.c-main.plain/definition", body))

    shown = http.get("/tables/in.c-main.plain").json
    assert (shown["displayName"], shown["isTyped"]) == ("nice", False)
    assert [item["value"] for item in shown["columnMetadata"]["id"]] == ["a number"]
    assert http.put("/tables/in.c-main.plain/definition", {"displayName": "t"}).status == 400
    none = http.put("/tables/in.c-main.plain/definition", {"columns": [{"name": "none", "description": "x"}]})
    assert (none.status, none.json["code"]) == (400, "storage.tables.validation.columnNotExists")


def test_a_reader_and_an_alias_change_nothing(http: Http):
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": T, "name": "alias"})
    token = http.post("/tokens", {"bucketPermissions": {"in.c-main": "read"}}).json["token"]

    assert http.put("/tables/in.c-main.alias/columns/name/definition", {"nullable": False}).status == 400
    assert Http(http.base, token).put(f"/tables/{T}/columns/name/definition", {"nullable": False}).status == 403
    assert Http(http.base, token).put(f"/tables/{T}/definition", {"displayName": "x"}).status == 403
