"""Projects through the Manage API: created, changed, given features, limits and tokens, deleted and restored."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.services.management import interface as management
from penstock.services.storage import interface as storage
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.management.people import add_person, add_place, made, new_name, patch, program
from tests.unit.services.projects.changing import deliver

BUCKET, MODELS = "/v2/storage/buckets/in.c-shared", "/api/v1/repository/semantic-model"


def test_a_new_project_works_at_once(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = "/manage/organizations/1/projects"
    project = made(boss.post(path, {"name": "New", "dataRetentionTimeInDays": 3}))

    assert (project["name"], project["type"], project["dataRetentionTimeInDays"]) == ("New", "production", 3)
    assert project["organization"]["id"] == 1
    assert (project["rowsCount"], project["dataSizeBytes"]) == (0, 0)
    wanted = {"description": "mine", "canManageBuckets": True, "canManageTokens": True, "expiresIn": 3600}
    token = made(boss.post(f"/manage/projects/{project['id']}/tokens", wanted))
    assert token["expires"]
    storage = shared.service("storage", token["token"])
    assert storage.get("/v2/storage/tokens/verify").json["owner"]["id"] == project["id"]
    assert storage.post("/v2/storage/buckets", {"name": "main", "stage": "in"}).status == 201
    assert storage.get("/v2/storage/tokens").status == 200


def test_a_token_of_the_manage_api_has_the_given_permissions_and_no_others(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{shared.project.id}/tokens"
    shared.service("storage").post("/v2/storage/buckets", {"name": "given", "stage": "in"})
    rights = {"bucketPermissions": {"in.c-given": "read"}, "componentAccess": ["ex-generic-v2"]}

    token = made(boss.post(path, {"description": "little", **rights}))

    storage = shared.service("storage", token["token"])
    assert [each["id"] for each in storage.get("/v2/storage/buckets").json] == ["in.c-given"]
    assert storage.post("/v2/storage/buckets", {"name": "more", "stage": "in"}).status == 403
    assert storage.get("/v2/storage/tokens").status == 403
    for wrong in ({"bucketPermissions": {"in.c-none": "read"}}, {"bucketPermissions": {"in.c-given": "own"}}):
        assert boss.post(path, {"description": "wrong", **wrong}).status == 400
    assert boss.post(path, {}).status == 400


def test_the_creator_of_a_project_is_its_administrator(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    place = add_place(boss)
    boss.post(f"/manage/organizations/{place.organization}/users", {"id": person.id})

    project = made(person.http.post(f"/manage/organizations/{place.organization}/projects", {"name": "Mine"}))

    [member] = person.http.get(f"/manage/projects/{project['id']}/users").json
    assert (member["id"], member["role"]) == (person.id, "admin")
    assert project["metrics"]["kbc.adminsCount"]["value"] == 1


def test_a_project_shows_what_its_tables_hold(shared: ServicesOnly) -> None:
    load_table(shared, "in.c-counted.people", "id,name\n1,Ada\n2,Bob\n")
    boss = program(shared, "super")

    project = boss.get(f"/manage/projects/{shared.project.id}").json
    [backend] = boss.get("/manage/storage-backend").json

    assert project["rowsCount"] >= 2
    assert project["dataSizeBytes"] > 0
    assert backend["stats"]["rowsCount"] >= project["rowsCount"]
    assert backend["stats"]["projectsCount"] == sum(
        len(each["projects"]) for each in boss.get("/manage/organizations").json
    )


def test_a_project_is_changed_field_by_field(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{add_place(boss).project}"
    wanted = {"name": "Renamed", "type": "demo", "timezone": "Europe/Prague", "billedMonthlyPrice": 12.5}
    changes = {"expirationDays": 5, "hasTryModeOn": "1", "dataRetentionTimeInDays": 1, "defaultBackend": "snowflake"}

    changed = made(boss.put(path, {**wanted, **changes}), 200)

    assert {name: changed[name] for name in wanted} == wanted
    assert (changed["hasTryModeOn"], changed["dataRetentionTimeInDays"]) == ("1", 1)
    assert changed["expires"]
    assert boss.put(path, {"expirationDays": 0}).json["expires"] is None


WRONG_CHANGES: list[dict[str, Any]] = [
    {"type": "unknown"},
    {"defaultBackend": "oracle"},
    {"timezone": "Mars/Olympus"},
    {"name": ""},
    {"expirationDays": -1},
    {"dataRetentionTimeInDays": "many"},
]


@pytest.mark.parametrize("wrong", WRONG_CHANGES, ids=str)
def test_a_wrong_change_is_refused_with_a_sentence(shared: ServicesOnly, wrong: dict[str, Any]) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{shared.project.id}"
    before = boss.get(path).json

    response = boss.put(path, wrong)

    assert response.status == 400
    assert len(response.json["error"]) > 20
    assert boss.get(path).json == before


def test_limits_are_set_and_removed_by_super_administrators(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{add_place(boss).project}"
    limits = [{"name": "kbc.adminsCount", "value": 5}, {"name": "storage.rows", "value": 2.5}]

    shown = made(boss.post(f"{path}/limits", {"limits": limits}), 200)["limits"]

    assert shown == {each["name"]: each for each in limits}
    assert boss.delete(f"{path}/limits/storage.rows").status == 204
    assert list(boss.get(path).json["limits"]) == ["kbc.adminsCount"]
    assert boss.delete(f"{path}/limits/storage.rows").status == 404
    for wrong in ([{"name": "x", "value": -1}], [{"name": "", "value": 1}], [{"value": 1}]):
        assert boss.post(f"{path}/limits", {"limits": wrong}).status == 400


def test_a_project_is_disabled_and_enabled(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{add_place(boss).project}"

    shown = made(
        boss.post(f"{path}/disabled", {"isDisabled": True, "disableReason": "unpaid", "estimatedEndTime": "+1 hour"}),
        200,
    )

    assert shown["isDisabled"] is True
    assert shown["disabled"]["reason"] == "unpaid"
    assert shown["disabled"]["estimatedEndTime"]
    assert "disabled" not in made(boss.post(f"{path}/disabled", {"isDisabled": False}), 200)
    assert boss.post(f"{path}/disabled", {"isDisabled": True, "estimatedEndTime": "whenever"}).status == 400


def test_a_project_moves_to_another_organization_of_the_caller(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    here, there = add_place(boss), add_place(boss)
    path = f"/manage/projects/{here.project}/organizations"
    boss.post(f"/manage/organizations/{here.organization}/users", {"id": person.id})

    assert person.http.post(path, {"organizationId": there.organization}).status == 404
    boss.post(f"/manage/organizations/{there.organization}/users", {"id": person.id})
    moved = made(person.http.post(path, {"organizationId": there.organization}), 200)

    assert moved["organization"]["id"] == there.organization
    assert boss.post(path, {"organizationId": 999_999}).status == 404


def test_what_projects_of_an_organization_share_ends_when_one_moves(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    here, there = add_place(boss), add_place(boss)
    beside = made(boss.post(f"/manage/organizations/{here.organization}/projects", {"name": "beside"}))["id"]
    owner, reader, stranger = (_open(shared, number) for number in (here.project, beside, there.project))
    made(owner["storage"].post("/v2/storage/buckets", {"stage": "in", "name": "shared"}))
    foreign = owner["storage"].post(f"{BUCKET}/share-to-projects", {"targetProjectIds": [there.project]})
    made(owner["storage"].post(f"{BUCKET}/share-organization", {}), 202)
    link = {"stage": "in", "name": "link", "sourceProjectId": here.project, "sourceBucketId": "in.c-shared"}
    made(reader["storage"].post("/v2/storage/buckets", link))
    made(owner["metastore"].post(MODELS, {"data": {"name": "Shop"}, "scope": "organization"}))
    assert (foreign.status, "not part of this organization" in foreign.text) == (400, True)
    assert len(reader["metastore"].get(f"{MODELS}/organization").json["data"]) == 1
    made(boss.post(f"/manage/projects/{here.project}/organizations", {"organizationId": there.organization}), 200)
    deliver(shared)

    assert reader["storage"].get("/v2/storage/buckets/in.c-link").status == 404
    assert reader["metastore"].get(f"{MODELS}/organization").json["data"] == []
    assert len(stranger["metastore"].get(f"{MODELS}/organization").json["data"]) == 1


def _open(services: ServicesOnly, project_id: int) -> dict[str, Http]:
    with services.stack.database.writing() as tx:
        token = storage.create_admin_token(tx, project_id, "administrator")
    return {name: services.service(name, token) for name in ("storage", "metastore")}


def test_features_of_a_project_must_exist_and_some_are_for_super_administrators(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    path = f"/manage/projects/{add_place(boss).project}"
    boss.post(f"{path}/users", {"email": person.email})

    assert "native-types" in made(person.http.post(f"{path}/features", {"feature": "native-types"}))["features"]
    assert person.http.delete(f"{path}/features/native-types").status == 204
    assert "native-types" not in boss.get(path).json["features"]
    assert person.http.post(f"{path}/features", {"feature": "pay-as-you-go"}).status == 403
    unknown = boss.post(f"{path}/features", {"feature": "no-such"})
    assert (unknown.status, '"no-such" is not a feature' in unknown.json["error"]) == (400, True)


def test_credits_add_up_in_a_project_that_pays_as_it_goes(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{add_place(boss).project}"
    boss.post(f"{path}/features", {"feature": "pay-as-you-go"})

    first = made(boss.post(f"{path}/credits", {"amount": 10.5, "description": "bought"}))
    made(boss.post(f"{path}/credits", {"amount": -0.5, "description": "taken back"}))

    assert (first["creditsAmount"], first["description"]) == (10.5, "bought")
    assert boss.get(path).json["payAsYouGo"] == {"purchasedCredits": 10}
    assert boss.post(f"{path}/credits", {"amount": 1}).status == 400


def test_a_template_gives_its_features_to_new_projects(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    here = "/manage/project-templates/demo/features"
    made(boss.post(here, {"feature": "native-types"}))
    assert [each["name"] for each in boss.get(here).json] == ["native-types"]

    project = made(boss.post("/manage/organizations/1/projects", {"name": new_name("demo"), "type": "demo"}))

    assert "native-types" in project["features"]
    assert project["expires"]
    assert boss.delete(f"{here}/native-types").status == 204
    assert boss.get(here).json == []
    assert boss.get("/manage/project-templates/none").status == 404
    assert boss.post("/manage/organizations/1/projects", {"name": "x", "type": "none"}).status == 400


def test_a_deleted_project_can_be_restored_until_it_is_purged(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    project = add_place(boss).project
    boss.post(f"/manage/projects/{project}/users", {"email": person.email})

    assert person.http.delete(f"/manage/projects/{project}").status == 204
    assert person.http.get(f"/manage/projects/{project}").status == 404
    assert boss.get(f"/manage/projects/{project}").status == 404
    assert project in [each["id"] for each in boss.get("/manage/deleted-projects").json]
    assert boss.get(f"/manage/deleted-projects/{project}").json["isDeleted"] is True

    assert boss.delete(f"/manage/deleted-projects/{project}").status == 204
    assert person.http.get(f"/manage/projects/{project}").status == 200
    assert boss.delete(f"/manage/deleted-projects/{project}").status == 404

    boss.delete(f"/manage/projects/{project}")
    purged = made(boss.post(f"/manage/deleted-projects/{project}/purge"), 200)
    assert list(purged) == ["commandExecutionId"]
    assert boss.get(f"/manage/deleted-projects/{project}").json["isPurged"] is True
    assert boss.delete(f"/manage/deleted-projects/{project}").status == 400


def test_the_command_purges_as_the_row_does(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    project = add_place(boss).project
    boss.delete(f"/manage/projects/{project}")

    done = made(boss.post("/manage/commands", {"command": "purge-deleted-project", "parameters": [str(project)]}), 200)

    assert done["commandExecutionId"] == f"purge-deleted-project-{project}"
    assert boss.get(f"/manage/deleted-projects/{project}").json["isPurged"] is True
    unknown = boss.post("/manage/commands", {"command": "format-disk"})
    assert (unknown.status, "purge-deleted-project" in unknown.json["error"]) == (400, True)
    assert boss.post("/manage/commands", {"command": "purge-deleted-project"}).status == 404


def test_every_change_of_access_is_in_the_audit_log(shared: ServicesOnly) -> None:
    from penstock.foundation import audit

    boss, person = program(shared, "super"), add_person(shared)
    project = add_place(boss).project
    path = f"/manage/projects/{project}"
    boss.post(f"{path}/users", {"email": person.email, "role": "guest"})
    patch(boss, f"{path}/users/{person.id}", {"role": "admin"})
    boss.delete(f"{path}/users/{person.id}")
    boss.post(f"{path}/invitations", {"email": f"{new_name('guest')}@example.com"})
    boss.post(f"{path}/tokens", {"description": "logged"})

    with shared.stack.database.reading() as tx:
        found = audit.list_entries(tx, audit.AuditFilter(project_id=project))
    assert [each.event for each in reversed(found)] == [
        "project.created",
        "member.added",
        "member.updated",
        "member.removed",
        "invitation.created",
        "token.created",
    ]
    assert {each.actor for each in found} == {"a program"}


def test_the_first_project_has_a_super_administrator(shared: ServicesOnly) -> None:
    with shared.stack.database.reading() as tx:
        user = management.find_user_by_email(tx, f"admin@{shared.stack.domain}")
        assert user
        assert user.is_super_admin
        levels = [(each.level, each.owner_id) for each in management.list_memberships(tx, user.id)]
    assert levels == [("maintainer", 1), ("organization", 1), ("project", shared.project.id)]


def test_try_mode_is_switched_by_a_boolean_in_any_spelling_and_by_nothing_else(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    path = f"/manage/projects/{add_place(boss).project}"

    assert [boss.put(path, {"hasTryModeOn": value}).json["hasTryModeOn"] for value in ("1", 0, True)] == ["1", "0", "1"]
    refused = boss.put(path, {"hasTryModeOn": "maybe"})
    assert (refused.status, "hasTryModeOn" in refused.json["error"]) == (400, True), refused.text
