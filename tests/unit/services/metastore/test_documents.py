"""Documents: created, changed, listed, filtered, shared and deleted."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import update

from penstock.app import list_reactions
from penstock.foundation import clock
from penstock.foundation.events import EventWorker
from penstock.services.management import interface as management
from penstock.services.metastore import operations, service
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.vault.test_reactions import create_branch, delete_branch

MODELS, METRICS = "/api/v1/repository/semantic-model", "/api/v1/repository/semantic-metric"
MODEL = {"name": "Shop", "description": "Orders of the shop.", "sql_dialect": "Snowflake"}


def create(metastore: Http, path: str = MODELS, **body: Any) -> dict[str, Any]:
    response = metastore.post(path, {"data": MODEL, **body})
    assert response.status == 201, response.text
    return response.json["data"]


def patch(metastore: Http, path: str, document: Any) -> Response:
    headers = {"Content-Type": "application/json"}
    return metastore.send("PATCH", path, body=json.dumps(document).encode(), headers=headers)


def metric(**attributes: Any) -> dict[str, Any]:
    return {"name": "Revenue", "sql": 'SUM("amount")', "dataset": "in.c-shop.orders", "modelUUID": "m", **attributes}


def names(response: Response) -> list[str]:
    assert response.status == 200, response.text
    return [each["meta"]["name"] for each in response.json["data"]]


def test_a_document_is_created_read_changed_and_deleted(shared: ServicesOnly) -> None:
    metastore = shared.service("metastore")
    made = create(metastore, name="Shop model")
    path = f"{MODELS}/{made['id']}"

    assert made == {
        "type": "semantic-model",
        "id": made["id"],
        "attributes": MODEL,
        "relationships": None,
        "meta": {
            "branch": None,
            "name": "Shop model",
            "revision": 1,
            "schemaVersion": "1.0.0",
            "scope": "project",
            "projectId": shared.project.id,
            "organizationId": "1",
            "deletedAt": None,
            **dict.fromkeys(("createdAt", "lastUpdated", "revisionCreatedAt"), made["meta"]["createdAt"]),
        },
    }
    assert metastore.get(path).json == {"data": made}

    changed = patch(metastore, path, {"data": {"description": None, "ai": {"synonyms": ["store"]}}}).json["data"]
    assert changed["attributes"] == {"name": "Shop", "sql_dialect": "Snowflake", "ai": {"synonyms": ["store"]}}
    assert (changed["meta"]["revision"], changed["meta"]["name"]) == (2, "Shop model")
    replaced = metastore.put(path, {"name": "New", "data": {"name": "N"}}).json["data"]
    assert (replaced["attributes"], replaced["meta"]["revision"]) == ({"name": "N"}, 3)

    assert metastore.delete(path).status == 204
    assert metastore.get(path).status == metastore.delete(path).status == 404
    assert metastore.put(path, {"name": "New", "data": {"name": "N"}}).status == 404


def test_every_change_is_a_revision_that_stays(shared: ServicesOnly) -> None:
    metastore = shared.service("metastore")
    made = create(metastore)
    path = f"{MODELS}/{made['id']}"
    for name in ("second", "third"):
        assert patch(metastore, path, {"name": name}).status == 200
    revisions = f"{MODELS}/revisions?filter=id={made['id']}"

    assert names(metastore.get(revisions)) == ["third", "second", "Shop"]
    assert names(metastore.get(f"{revisions}&limit=1&offset=1")) == ["second"]
    assert names(metastore.get(f"{revisions} and revision=1".replace(" ", "%20"))) == ["Shop"]
    assert metastore.get(f"{path}/revisions/1").json["data"] == made
    refused = metastore.delete(f"{path}/revisions/3")
    assert (refused.status, refused.json["error"]) == (
        409,
        f'Revision 3 is the current one of the document "{made["id"]}" and cannot be deleted. '
        "Delete the document, or change it first.",
    )
    assert metastore.delete(f"{path}/revisions/2").status == 204
    assert metastore.get(f"{path}/revisions/2").status == metastore.get(f"{path}/revisions/x").status == 404
    assert metastore.delete(path).status == 204
    assert [each["meta"]["deletedAt"] is None for each in metastore.get(revisions).json["data"]] == [False, False]


def test_revisions_of_deleted_documents_go_after_a_month(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    metastore = shared.service("metastore")
    made = create(metastore)
    assert metastore.delete(f"{MODELS}/{made['id']}").status == 204
    one = f"{MODELS}/{made['id']}/revisions/1"

    service.maintain(shared.stack)
    assert metastore.get(one).status == 200
    later = clock.now() + timedelta(days=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    service.maintain(shared.stack)
    assert metastore.get(one).status == 404


def test_only_the_newest_revisions_are_kept(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MAX_REVISIONS", 2)
    metastore = shared.service("metastore")
    path = f"{MODELS}/{create(metastore)['id']}"
    for name in ("2", "3", "4"):
        assert patch(metastore, path, {"name": name}).status == 200

    assert [metastore.get(f"{path}/revisions/{n}").status for n in (1, 2, 3, 4)] == [404, 404, 200, 200]


def test_a_change_of_an_old_revision_is_refused_if_the_revision_is_sent(shared: ServicesOnly) -> None:
    metastore = shared.service("metastore")
    path = f"{MODELS}/{create(metastore)['id']}"

    assert patch(metastore, path, {"name": "mine", "revision": 1}).status == 200
    refused = metastore.put(path, {"name": "theirs", "data": MODEL, "revision": 1})
    assert refused.status == 409
    assert "has revision 2, not 1: somebody has changed it" in refused.json["error"]
    assert metastore.get(path).json["data"]["meta"]["name"] == "mine"


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("", ["one", "two", "three"]),
        ("name=two", ["two"]),
        ("name=TWO", []),
        ("attributes.modelUUID=filtered", ["one", "two", "three"]),
        ("attributes.dataset=in.c-shop.orders and attributes.unit=EUR", ["one"]),
        ('attributes.dataset="a and b" AND name=two', ["two"]),
        ('attributes.unit="a\\"b=c"', ["two"]),
        ("attributes.isAdditive=true", ["three"]),
        ("attributes.decimals=2", ["three"]),
        ("attributes.nothing=2", []),
        ("revision=1 and scope=project and schemaVersion=1.0.0", ["one", "two", "three"]),
        ("branch=5", []),
    ],
)
def test_a_filter_selects_documents(shared: ServicesOnly, condition: str, found: list[str]) -> None:
    metastore = shared.service("metastore")
    own = "attributes.modelUUID=filtered"
    if not names(metastore.get(f"{METRICS}?filter={own}")):
        create(metastore, METRICS, name="one", data=metric(modelUUID="filtered", unit="EUR"))
        create(metastore, METRICS, name="two", data=metric(modelUUID="filtered", dataset="a and b", unit='a"b=c'))
        create(metastore, METRICS, name="three", data=metric(modelUUID="filtered", isAdditive=True, decimals=2))
    whole = f"{condition} and {own}" if condition else own

    assert names(metastore.get(f"{METRICS}?filter={quote(whole)}")) == found


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("nonsense", "'nonsense' is not a condition."),
        ("color=red", "`color` is not a field: id, name, branch, revision, schemaVersion, scope, or attributes.NAME."),
        ('name="a" name="b"', "' name=\"b\"' does not follow an ` and `."),
        ('name="\\x"', '"\\x" is not a text in quotes.'),
        (" and ".join(["name=a"] * 11), "it has 11 conditions, and may have 10."),
        ('name="\\u0000"', "the value of `name` contains a null character, which no document has."),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused(shared: ServicesOnly, given: str, problem: str) -> None:
    refused = shared.service("metastore").get(f"{MODELS}?filter={quote(given)}")

    assert refused.status == 400
    assert refused.json["error"].startswith(f"The filter cannot be read: {problem} Write conditions such as")


def test_lists_have_pages_in_the_order_of_creation(shared: ServicesOnly) -> None:
    metastore, path = shared.service("metastore"), "/api/v1/repository/semantic-glossary"
    for term in "abc":
        create(metastore, path, data={"term": term, "definition": "x", "modelUUID": "m"})

    assert names(metastore.get(f"{path}?limit=2")) == ["a", "b"]
    assert names(metastore.get(f"{path}?limit=2&offset=2")) == ["c"]
    assert metastore.get(f"{path}?limit=501").status == metastore.get(f"{path}?offset=-1").status == 400


@pytest.mark.parametrize(
    ("body", "path", "problem"),
    [
        ({"data": {"name": 5}}, "data.name", "5 is not of type 'string'"),
        ({"data": {}}, "data", "'name' is a required property"),
        ({"data": {"name": "x", "ai": {"synonyms": ["a", 1]}}}, "data.ai.synonyms[1]", "1 is not of type 'string'"),
        ({"data": {"name": "x" * 200_001}}, "data", "The attributes take 200,012 bytes as JSON, and may take 200,000."),
        ({"data": {"name": "a\0"}}, "data", "A text contains a null character, which cannot be stored."),
        (
            {"data": {"name": "x", "ai": {"#key": "s"}}},
            "data",
            "A key begins with `#`, as that of a secret: documents are not encrypted.",
        ),
        ({"name": "x"}, "data", "The field `data` is missing."),
        ({"data": MODEL, "scope": "world"}, "scope", "'world' is not a valid value here."),
    ],
)
def test_a_document_that_is_not_valid_is_refused_with_its_path(
    shared: ServicesOnly, body: dict[str, Any], path: str, problem: str
) -> None:
    refused = shared.service("metastore").post(MODELS, body)

    assert refused.status == 422
    assert refused.json["context"] == [{"path": path, "message": problem}]
    assert refused.json["error"] == f'Invalid request:\n - {path}: "{problem}"'


def test_unknown_types_versions_and_branches_are_not_found(shared: ServicesOnly) -> None:
    metastore = shared.service("metastore")

    for path in ("repository/semantic-car", "schema/semantic-car", "repository/semantic-car/organization"):
        refused = metastore.get(f"/api/v1/{path}")
        assert refused.status == 404
        assert refused.json["error"].startswith('There is no type "semantic-car". Use one of: semantic-model, ')
    assert metastore.get("/api/v1/schema/semantic-model/2.0.0").status == 404
    assert metastore.post(MODELS, {"data": MODEL, "schemaVersion": "9"}).status == 404
    assert metastore.post(MODELS, {"data": MODEL, "branch": "999999"}).status == 404


def test_a_project_has_a_limited_number_of_documents(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MAX_DOCUMENTS", 0)

    assert shared.service("metastore").post(MODELS, {"data": MODEL}).status == 422


def test_shared_documents_are_read_by_projects_of_the_organization_only(services: ServicesOnly) -> None:
    metastore, token = services.service("metastore"), add_project(services).token
    other = services.service("metastore", token)
    mine, everybodys = create(metastore, name="mine"), create(metastore, name="everybody's", scope="organization")

    assert names(other.get(MODELS)) == []
    assert names(other.get(f"{MODELS}/organization")) == names(metastore.get(f"{MODELS}/organization"))
    assert names(other.get(f"{MODELS}/organization")) == ["everybody's"]
    assert other.get(f"{MODELS}/{everybodys['id']}").status == 200
    assert other.get(f"{MODELS}/{mine['id']}").status == 404
    assert other.get(f"{MODELS}/{everybodys['id']}/revisions/1").status == 404, "history is not shared"
    assert patch(other, f"{MODELS}/{everybodys['id']}", {"name": "theirs"}).status == 404
    assert other.delete(f"{MODELS}/{everybodys['id']}").status == 404

    elsewhere = add_project(services)
    with services.stack.database.writing() as tx:
        this = management.projects.c.id == elsewhere.caller.project_id
        tx.change(update(management.projects).where(this).values(organization_id=2))
    stranger = services.service("metastore", elsewhere.token)
    assert names(stranger.get(f"{MODELS}/organization")) == []
    assert stranger.get(f"{MODELS}/{everybodys['id']}").status == 404


def test_a_token_for_a_part_of_the_project_neither_reads_nor_writes(shared: ServicesOnly) -> None:
    made = create(shared.service("metastore"))
    token = shared.service("storage").post("/v2/storage/tokens", {"description": "reader"}).json["token"]
    reader, one = shared.service("metastore", token), f"{MODELS}/{made['id']}"

    for path in (MODELS, f"{MODELS}/organization", f"{MODELS}/revisions", one, f"{one}/revisions/1"):
        assert reader.get(path).status == 403, path
    assert reader.post(MODELS, {"data": MODEL}).status == 403
    assert reader.delete(one).status == 403
    assert reader.get("/api/v1/schema/semantic-model").status == 200


def test_a_token_for_all_buckets_reads_documents(shared: ServicesOnly) -> None:
    made = create(shared.service("metastore"))
    rights = {"description": "all", "canManageBuckets": True}
    token = shared.service("storage").post("/v2/storage/tokens", rights).json["token"]

    assert shared.service("metastore", token).get(f"{MODELS}/{made['id']}").status == 200


def test_documents_of_a_branch_go_with_it(services: ServicesOnly) -> None:
    metastore, storage = services.service("metastore"), services.service("storage")
    branch_id = create_branch(storage, "b")
    made = create(metastore, branch=branch_id)
    assert made["meta"]["branch"] == branch_id
    assert names(metastore.get(f"{MODELS}?filter=branch={branch_id}")) == ["Shop"]

    delete_branch(storage, branch_id)
    worker = EventWorker(services.stack.database, "w", list_reactions())
    while worker.run_one():
        pass
    assert metastore.get(f"{MODELS}/{made['id']}").status == 404
