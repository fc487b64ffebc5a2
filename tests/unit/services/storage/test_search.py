"""Search: everything of a project by name, and tables by metadata, on both databases."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import pytest
from sqlalchemy import text

from penstock.services.storage.operations import search
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import storage, succeed
from tests.unit.services.storage.storage_branches.making import Branched

__all__ = ["shared"]

GENERIC, FLOW, SQL, CODE = (
    "ex-generic-v2",
    "keboola.flow",
    "keboola.snowflake-transformation",
    "keboola.shared-code",
)


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def find(http: Http, words: str, *filters: tuple[str, Any], **fields: Any) -> Any:
    response = http.get(f"/global-search?{urlencode([('query', words), *filters, *fields.items()])}")
    assert response.status == 200, response.text
    return response.json


def names(found: Any) -> list[tuple[str, str]]:
    return [(item["type"], item["name"]) for item in found["items"]]


def add_config(http: Http, name: str, component: str = GENERIC, **fields: Any) -> str:
    response = http.post(f"/components/{component}/configs", {"name": name, **fields})
    assert response.status == 201, response.text
    return response.json["id"]


def add_table(http: Http, name: str, bucket: str = "main", **fields: Any) -> str:
    http.post("/buckets", {"name": bucket})
    body = {"name": name, "columns": [{"name": "id"}], **fields}
    succeed(http, http.post(f"/buckets/in.c-{bucket}/tables-definition", body))
    return f"in.c-{bucket}.{name}"


def describe(http: Http, table_id: str, key: str, value: str, provider: str = "user") -> None:
    body = {"provider": provider, "metadata": [{"key": key, "value": value}]}
    assert http.post(f"/tables/{table_id}/metadata", body).status == 201


def limited(http: Http, **rights: Any) -> Http:
    token = http.post("/tokens", {"description": "limited", **rights}).json["token"]
    return Http(http.base, token)


def test_every_kind_of_object_is_found_by_its_name(http: Http):
    add_table(http, "orders_2026", "orders")
    config = add_config(http, "Orders of the shop")
    assert http.post(f"/components/{GENERIC}/configs/{config}/rows", {"name": "orders, paid"}).status == 201
    add_config(http, "Load orders", FLOW)
    add_config(http, "Sum up orders", SQL)
    add_config(http, "ORDERS by day", CODE)
    add_config(http, "Customers")

    found = find(http, "orders")

    assert (found["all"], found["byType"]) == (
        7,
        {
            "total": 7,
            "bucket": 1,
            "configuration": 1,
            "configuration-row": 1,
            "flow": 1,
            "shared-code": 1,
            "table": 1,
            "transformation": 1,
        },
    )
    assert names(found) == [
        ("bucket", "orders"),
        ("shared-code", "ORDERS by day"),
        ("configuration", "Orders of the shop"),
        ("configuration-row", "orders, paid"),
        ("table", "orders_2026"),
        ("flow", "Load orders"),
        ("transformation", "Sum up orders"),
    ]


def test_an_item_says_where_the_object_is(http: Http):
    config = add_config(http, "Parts of the shop")
    row = http.post(f"/components/{GENERIC}/configs/{config}/rows", {"name": "Wheels"}).json["id"]
    verified = http.get("/tokens/verify").json
    main = http.get("/dev-branches/default").json

    [item] = find(http, "wheels")["items"]

    assert item["fullPath"] == {
        "project": {"id": verified["owner"]["id"], "name": verified["owner"]["name"]},
        "branch": {"id": main["id"], "name": "Main", "isDefault": True, "isNative": False},
        "component": {"id": GENERIC, "name": "Generic"},
        "configuration": {"id": config, "name": "Parts of the shop"},
    }
    assert (item["id"], item["componentId"], item["projectName"]) == (row, GENERIC, verified["owner"]["name"])
    assert str(item["organizationId"]) == verified["organization"]["id"]
    path = item["uri"].partition("/v2/storage")[2]
    assert http.get(path).json["name"] == "Wheels"


def test_every_word_must_occur_in_any_case_and_order(http: Http):
    add_config(http, "Účty a Faktury")
    add_config(http, "100%_sure")

    assert names(find(http, "faktury účty")) == names(find(http, "ÚČTY")) == [("configuration", "Účty a Faktury")]
    assert find(http, "faktury orders")["all"] == 0
    assert find(http, "100%_s")["all"] == 1
    assert find(http, "100_%s")["all"] == 0


def test_pages_have_no_gaps_and_types_limit_them(http: Http):
    made = sorted(add_config(http, "The same name") for _ in range(5))
    add_table(http, "same")

    pages = [find(http, "same", ("types[]", "configuration"), limit=2, offset=offset) for offset in (0, 2, 4, 6)]

    assert [page["all"] for page in pages] == [5, 5, 5, 5]
    assert sorted(item["id"] for page in pages for item in page["items"]) == made
    assert find(http, "same", ("types[]", "table"), ("types[]", "state"))["byType"] == {"total": 1, "table": 1}
    assert find(http, "same", ("types[]", "rows")) == {"all": 0, "items": [], "byType": {"total": 0}, "byProject": {}}


def test_a_deleted_configuration_is_not_found_nor_are_its_rows(http: Http):
    config = add_config(http, "Old things")
    http.post(f"/components/{GENERIC}/configs/{config}/rows", {"name": "Old row"})
    assert find(http, "old")["all"] == 2

    assert http.delete(f"/components/{GENERIC}/configs/{config}").status == 204

    assert find(http, "old")["all"] == 0


def test_a_configuration_is_found_by_its_id(http: Http):
    config = add_config(http, "Anything", configurationId="cfg-0815")

    assert [item["id"] for item in find(http, "cfg-0815")["items"]] == [config]
    assert find(http, "cfg-081")["all"] == 0


def test_branches_are_searched_together_or_alone(http: Http):
    add_config(http, "Branched thing")
    made = succeed(http, http.post("/dev-branches", {"name": "Mine"}))["id"]
    main = http.get("/dev-branches/default").json["id"]

    def branches(*filters: tuple[str, Any]) -> list[int]:
        return sorted(item["fullPath"]["branch"]["id"] for item in find(http, "branched", *filters)["items"])

    assert branches() == sorted([main, made])
    assert branches(("branchTypes[]", "production")) == branches(("branchIds[]", main)) == [main]
    assert branches(("branchTypes[]", "development")) == branches(("branchIds[]", made)) == [made]
    assert branches(("branchIds[]", 999999)) == []


def test_tables_of_a_branch_with_its_own_storage_are_found_there(new_project: ServicesOnly):
    branched = Branched(new_project)
    branched.make_in_branch("wagons")

    [item] = find(branched.main, "wagons")["items"]

    assert item["fullPath"]["branch"]["id"] == branched.id
    assert item["fullPath"]["branch"]["isNative"] is True
    assert item["fullPath"]["bucket"] == {"id": "in.c-main", "name": "main"}


def test_a_token_finds_only_what_it_may_read(http: Http):
    add_table(http, "secret_a", "one")
    add_table(http, "secret_b", "two")
    add_config(http, "Secret config")
    add_config(http, "Secret flow", FLOW)
    assert http.post("/workspaces").status == 201
    reads, uses = limited(http, bucketPermissions={"in.c-two": "read"}), limited(http, componentAccess=[FLOW])

    assert find(limited(http), "secret")["all"] == 0
    assert names(find(reads, "secret")) == [("table", "secret_b")]
    assert names(find(uses, "secret")) == [("flow", "Secret flow")]
    assert (find(reads, "workspace")["all"], find(http, "workspace")["all"]) == (0, 1)


def test_another_project_is_not_searched(shared: ServicesOnly, http: Http):
    other = storage(shared, add_project(shared, "Another project"))
    add_config(other, "Neighbour")
    number = other.get("/tokens/verify").json["owner"]["id"]

    assert find(http, "neighbour")["all"] == 0
    assert find(http, "neighbour", ("projectIds[]", number))["all"] == 0
    assert find(other, "neighbour", ("projectIds[]", number))["all"] == 1


def test_tables_of_a_linked_bucket_are_found_under_its_name(shared: ServicesOnly, http: Http):
    source = storage(shared, add_project(shared, "A source"))
    add_table(source, "linked_rows", "shared")
    assert source.post("/buckets/in.c-shared/share-organization", {}).status in (200, 202)
    number = source.get("/tokens/verify").json["owner"]["id"]
    link = {"name": "linked", "sourceProjectId": number, "sourceBucketId": "in.c-shared"}
    assert http.post("/buckets", link).status == 201

    [item] = find(http, "linked_rows")["items"]

    assert (item["id"], item["fullPath"]["bucket"]["id"]) == ("in.c-linked.linked_rows", "in.c-linked")
    assert http.get(f"/tables/{item['id']}").status == 200


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("query=", "The query is empty. Say a part of the name to search for."),
        ("query=%20", "The query is empty. Say a part of the name to search for."),
        (f"query={'x' * 300}", "A query has at most 255 characters and 10 words."),
        (f"query={quote('a ' * 11)}", "A query has at most 255 characters and 10 words."),
        ("query=a&types[]=job", '"job" is not known; use one of bucket, table,'),
        ("query=a&branchTypes[]=main", '"main" is not known; use one of production, development.'),
    ],
)
def test_a_search_that_cannot_be_is_refused_with_a_sentence(http: Http, query: str, sentence: str):
    response = http.get(f"/global-search?{query}")

    assert (response.status, sentence in response.json["error"]) == (400, True), response.text


def test_a_page_has_a_limit(http: Http, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "MAX_HITS", 1)
    add_config(http, "One of many")
    add_config(http, "One of many")

    found = find(http, "many", limit=100)

    assert (found["all"], len(found["items"])) == (2, 1)


def test_names_are_searched_without_reading_documents(new_project: ServicesOnly):
    """SQLite would read all of a document to get at the columns behind it."""
    if new_project.stack.database.engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL stores large values apart from their row.")
    query = "SELECT name FROM storage_configurations WHERE project_id = 1 AND branch_id IN (1, 2) AND is_deleted IS 0"

    with new_project.stack.database.reading() as tx:
        plan = " ".join(str(row) for row in tx.connection.execute(text(f"EXPLAIN QUERY PLAN {query}")))

    assert "storage_configurations_of_branch" in plan


def test_tables_are_found_by_their_metadata(http: Http):
    users, orders = add_table(http, "users"), add_table(http, "orders")
    describe(http, users, "team", "sales")
    describe(http, orders, "team", "finance")
    describe(http, orders, "owner", "sales", provider="other")

    def found(query: str) -> list[str]:
        return [table["id"] for table in http.get(f"/search/tables?{query}").json]

    assert found("metadataKey=team") == [orders, users]
    assert found("metadataKey=team&metadataValue=sales") == [users]
    assert found("metadataValue=sales") == [orders, users]
    assert found("metadataProvider=other") == [orders]
    assert found("metadataKey=owner&metadataProvider=user") == []
    [shown] = http.get("/search/tables?metadataKey=owner&include=columns,metadata").json
    assert (shown["columns"], [item["key"] for item in shown["metadata"]]) == (["id"], ["team", "owner"])


def test_tables_by_metadata_are_those_that_the_token_may_read(http: Http):
    for bucket in ("one", "two"):
        describe(http, add_table(http, "users", bucket), "team", "sales")

    shown = limited(http, bucketPermissions={"in.c-two": "read"}).get("/search/tables?metadataKey=team").json

    assert [table["id"] for table in shown] == ["in.c-two.users"]
    assert limited(http).get("/search/tables?metadataKey=team").json == []
    refused = http.get("/search/tables")
    assert (refused.status, "metadataKey" in refused.json["error"]) == (400, True)


def test_tables_by_metadata_are_those_of_the_branch(new_project: ServicesOnly):
    branched = Branched(new_project)
    branched.make_tables()
    describe(branched.branch, "in.c-main.users", "team", "sales")

    assert [table["id"] for table in branched.branch.get("/search/tables?metadataKey=team").json] == ["in.c-main.users"]
    assert branched.main.get("/search/tables?metadataKey=team").json == []
