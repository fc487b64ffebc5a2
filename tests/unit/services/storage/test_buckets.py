"""Buckets: made, changed, shared, linked and deleted."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest

from penstock.foundation.errors import Invalid
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, first_project, load_table


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def storage(services: ServicesOnly, project: Project | None = None) -> Http:
    http = services.service("storage", project.token if project else None)
    return Http(f"{http.base}/v2/storage", http.token)


def create(services: ServicesOnly, project: Project | None = None, **fields: Any) -> Response:
    return storage(services, project).post("/buckets", {"name": "main", "stage": "in", **fields})


def code(response: Response) -> tuple[int, str]:
    return response.status, response.json["code"]


def test_a_bucket_is_the_same_when_it_is_made_read_and_listed(services: ServicesOnly):
    made = create(services, description="people", displayName="People").json
    read, [listed] = storage(services).get("/buckets/in.c-main").json, storage(services).get("/buckets").json

    assert (made["id"], made["name"], made["displayName"], made["description"]) == (
        "in.c-main", "c-main", "People", "people"
    )  # fmt: skip
    assert made["tables"] == listed["tables"] == f"{made['uri']}/tables"
    assert (read["tables"], read["metadata"], read["attributes"]) == ([], [], [])
    assert "metadata" not in listed
    for field in ("id", "created", "updated", "lastChangeDate", "rowsCount", "backendPath", "uri"):
        assert made[field] == read[field] == listed[field]


def test_a_bucket_can_be_made_with_a_form(services: ServicesOnly):
    form = urlencode({"name": "main", "stage": "out", "description": ""}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}

    response = storage(services).send("POST", "/buckets", form, headers)

    assert (response.status, response.json["id"]) == (201, "out.c-main")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "_x"},
        {"name": "a.b"},
        {"name": "a b"},
        {"name": "é"},
        {"name": "../x"},
        {"name": "x" * 95},
        {"stage": "sys"},
        {"stage": ""},
        {"backend": "bigquery"},
        {"displayName": "a b"},
    ],
)
def test_what_cannot_be_a_bucket_is_refused(services: ServicesOnly, fields: dict[str, Any]):
    assert code(create(services, **fields)) == (400, "storage.buckets.validation")


def test_the_longest_name_is_taken(services: ServicesOnly):
    assert create(services, name="x" * 94).status == 201


def test_an_id_or_a_display_name_is_taken_once(services: ServicesOnly):
    create(services)

    assert code(create(services)) == (400, "storage.buckets.alreadyExists")
    assert code(create(services, name="other", displayName="MAIN")) == (400, "storage.buckets.alreadyExists")
    assert create(services, name="other", displayName="main", stage="out").status == 201


def test_a_bucket_can_be_renamed(services: ServicesOnly):
    create(services)

    changed = storage(services).put("/buckets/in.c-main", {"displayName": "people", "color": "#fff"}).json

    assert (changed["displayName"], changed["color"], changed["description"]) == ("people", "#fff", "")
    assert storage(services).get("/buckets/in.c-main").json["displayName"] == "people"


def test_an_empty_bucket_goes_and_its_name_is_free_at_once(services: ServicesOnly):
    create(services)

    assert storage(services).delete("/buckets/in.c-main").status == 204
    assert code(storage(services).get("/buckets/in.c-main")) == (404, "storage.buckets.notFound")
    assert create(services).status == 201


def test_a_bucket_with_tables_goes_only_by_force(services: ServicesOnly):
    load_table(services, "in.c-main.users", "id\n1\n")

    refused = storage(services).delete("/buckets/in.c-main")
    assert code(refused) == (400, "buckets.deleteNotEmpty")
    assert refused.json["error"] == "Only empty buckets can be deleted. There are 1 tables in the bucket."

    assert storage(services).delete("/buckets/in.c-main?force=True").status == 204
    assert storage(services).get("/tables").json == []


def test_a_bucket_can_be_deleted_by_a_job(services: ServicesOnly):
    load_table(services, "in.c-main.users", "id\n1\n")

    job = storage(services).delete("/buckets/in.c-main?force=1&async=1")
    assert (job.status, job.json["operationName"], job.json["status"]) == (202, "bucketDelete", "waiting")

    ended = storage(services).get(f"/jobs/{job.json['id']}").json
    assert (ended["status"], ended["results"], "error" in ended) == ("success", None, False)
    assert ended["operationParams"] == {"queue": "main", "bucketId": "in.c-main", "force": True}


@pytest.mark.parametrize("query", ["", "?async=1", "?force=true&async=true"])
def test_a_bucket_that_is_not_there_is_not_deleted(services: ServicesOnly, query: str):
    response = storage(services).delete(f"/buckets/in.c-none{query}")

    assert code(response) == (404, "storage.buckets.notFound")
    assert 'bucket "in.c-none" was not found' in response.json["error"]


@pytest.mark.parametrize("bucket_id", ["some-totally-non-existent-bucket", "non.existent.bucket", "in.", "..", "%2e"])
def test_an_invalid_bucket_id_is_not_found(services: ServicesOnly, bucket_id: str):
    assert storage(services).get(f"/buckets/{bucket_id}").status == 404


def test_another_projects_bucket_is_not_there(services: ServicesOnly):
    create(services)
    other = add_project(services)

    for response in (
        storage(services, other).get("/buckets/in.c-main"),
        storage(services, other).delete("/buckets/in.c-main?force=1"),
        storage(services, other).put("/buckets/in.c-main", {"displayName": "x"}),
    ):
        assert code(response) == (404, "storage.buckets.notFound")


def test_a_shared_bucket_is_seen_linked_and_read_by_another_project(services: ServicesOnly):
    load_table(services, "in.c-main.users", "id,name\n1,Ada\n", primary_key=("id",))
    other, mine = add_project(services), services.project.id
    theirs = storage(services, other)
    assert theirs.get("/shared-buckets").json == []

    assert storage(services).post("/buckets/in.c-main/share-organization", {}).status == 202
    [shared] = theirs.get("/shared-buckets?include=metadata").json
    assert (shared["id"], shared["project"]["id"], shared["sharing"]) == ("in.c-main", mine, "organization")
    assert [table["id"] for table in shared["tables"]] == ["in.c-main.users"]

    link = {"name": "linked", "stage": "in", "sourceProjectId": mine, "sourceBucketId": "in.c-main"}
    linked = theirs.post("/buckets", link)
    assert (linked.status, linked.json["isReadOnly"], linked.json["isLinkedBucket"]) == (201, True, True)
    assert linked.json["sourceBucket"]["project"]["id"] == mine
    assert linked.json["backendPath"] == [f"KBC_{mine}", "in.c-main"]
    assert linked.json["rowsCount"] == 1
    assert [table["id"] for table in theirs.get("/tables").json] == ["in.c-linked.users"]
    assert theirs.get("/tables/in.c-linked.users/data-preview").text == '"id","name"\n"1","Ada"\n'
    [by] = storage(services).get("/buckets?include=linkedBuckets").json[0]["linkedBy"]
    assert (by["id"], by["project"]["id"]) == ("in.c-linked", other.caller.project_id)

    assert code(theirs.post("/buckets", {**link, "name": "again"})) == (400, "storage.buckets.alreadyLinked")
    assert theirs.delete("/tables/in.c-linked.users").status == 400
    refused = theirs.post("/buckets/in.c-linked/tables-definition", {"name": "t", "columns": [{"name": "a"}]})
    assert code(refused) == (403, "accessDenied")
    assert refused.json["error"] == "You don't have access to the resource."
    assert code(storage(services).delete("/buckets/in.c-main/share")) == (400, "storage.buckets.validation")

    assert storage(services).delete(f"/buckets/in.c-main/links/{other.caller.project_id}").status == 202
    assert theirs.get("/buckets").json == []
    assert storage(services).delete("/buckets/in.c-main/share").status == 202
    assert code(theirs.post("/buckets", link)) == (400, "storage.bucket.notShared")


def test_a_bucket_can_be_shared_with_some_projects_only(services: ServicesOnly):
    create(services)
    chosen, other = add_project(services, "chosen"), add_project(services, "other")

    share = {"targetProjectIds": [chosen.caller.project_id]}
    assert storage(services).post("/buckets/in.c-main/share-to-projects", share).status == 202

    assert len(storage(services, chosen).get("/shared-buckets").json) == 1
    assert storage(services, other).get("/shared-buckets").json == []
    link = {"name": "x", "sourceProjectId": services.project.id, "sourceBucketId": "in.c-main"}
    assert code(storage(services, other).post("/buckets", link)) == (400, "storage.bucket.notShared")


def test_a_bucket_cannot_be_shared_with_a_project_that_is_not_there(services: ServicesOnly):
    create(services)

    response = storage(services).post("/buckets/in.c-main/share-to-projects", {"targetProjectIds": [10**9]})

    assert code(response) == (400, "storage.buckets.targetProjectIdsAreNotPartOfOrganization")


def test_an_existing_bucket_survives_a_failed_load(services: ServicesOnly):
    create(services, description="mine")

    with pytest.raises(Invalid):
        load_table(services, "in.c-main.users", "id,name\n1\n")
    with pytest.raises(Invalid):
        load_table(services, "in.c-other.users", "id,name\n1\n")

    assert [bucket["id"] for bucket in storage(services).get("/buckets").json] == ["in.c-main"]


def test_projects_that_a_bucket_is_no_longer_shared_with_lose_their_links(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    stays, goes = add_project(services, "Stays"), add_project(services, "Goes")
    mine = storage(services)
    mine.post("/buckets/in.c-main/share-organization", {})
    source = {"sourceProjectId": first_project(services).caller.project_id, "sourceBucketId": "in.c-main"}
    for project in (stays, goes):
        assert storage(services, project).post("/buckets", {"name": "linked", **source}).status == 201

    narrowed = {"targetProjectIds": [stays.caller.project_id]}
    assert mine.post("/buckets/in.c-main/share-to-projects", narrowed).status == 202

    assert storage(services, stays).get("/tables/in.c-linked.users/data-preview").status == 200
    assert storage(services, goes).get("/tables/in.c-linked.users/data-preview").status == 404
    assert storage(services, goes).get("/buckets").json == []
    assert mine.send("PUT", "/buckets/in.c-main/share", b'{"sharing": "specific-projects"}').status == 202
    assert storage(services, stays).get("/buckets/in.c-linked").status == 404
