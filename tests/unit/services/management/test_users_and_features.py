"""Users and features through the Manage API."""

from __future__ import annotations

from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_person, add_place, made, new_name, patch, program


def test_a_user_is_found_by_number_and_by_address_and_changes_its_name(shared: ServicesOnly) -> None:
    person = add_person(shared)
    for given in (str(person.id), person.email, person.email.upper()):
        assert person.http.get(f"/manage/users/{given}").json["id"] == person.id

    assert made(person.http.put(f"/manage/users/{person.id}", {"name": "Ada"}), 200)["name"] == "Ada"
    assert person.http.put(f"/manage/users/{person.id}", {"name": ""}).status == 400


def test_a_user_does_not_learn_who_else_there_is(shared: ServicesOnly) -> None:
    person, other = add_person(shared), add_person(shared)
    known, unknown = (person.http.get(f"/manage/users/{given}") for given in (other.email, "nobody@example.com"))

    assert (known.status, unknown.status) == (404, 404)
    assert known.json["error"].replace(other.email, "X") == unknown.json["error"].replace("nobody@example.com", "X")


def test_the_last_super_administrator_stays(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    path, first = f"/manage/users/{person.id}/super-admin", f"admin@{shared.stack.domain}"

    assert made(boss.post(path), 200)["isSuperAdmin"] is True
    assert person.http.get("/manage/storage-backend").status == 200
    assert made(boss.delete(path), 200)["isSuperAdmin"] is False
    assert person.http.get("/manage/storage-backend").status == 403
    for each in [user for user in (first,) if boss.get(f"/manage/users/{user}").json["isSuperAdmin"]]:
        while (response := boss.delete(f"/manage/users/{each}/super-admin")).status == 200:
            raise AssertionError("the last one is gone")
        assert (response.status, "the last one" in response.json["error"]) == (400, True)
        assert boss.delete(f"/manage/users/{each}").status == 400


def test_a_feature_is_created_given_and_deleted(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    name = new_name("feature")
    body = {"name": name, "type": "admin", "title": "Title", "description": "What it is."}
    feature = made(boss.post("/manage/features", body))
    path = f"/manage/features/{feature['id']}"

    assert boss.post("/manage/features", body).status == 400
    assert made(patch(boss, path, {"title": "Other", "canBeManageByAdmin": True}), 200)["title"] == "Other"
    assert made(boss.post(f"/manage/users/{person.id}/features", {"feature": name}), 200)["features"] == [name]
    assert [each["id"] for each in boss.get(f"{path}/admins").json] == [person.id]
    assert boss.delete(path).status == 400
    assert made(boss.delete(f"/manage/users/{person.id}/features/{name}"), 200)["features"] == []
    assert boss.delete(path).status == 204
    assert boss.get(path).status == 404


def test_features_of_projects_are_listed_with_their_projects(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    project = add_place(boss).project
    [built_in] = [each for each in boss.get("/manage/features?type=project").json if each["name"] == "native-types"]
    boss.post(f"/manage/projects/{project}/features", {"feature": "native-types"})

    assert project in [each["id"] for each in boss.get(f"/manage/features/{built_in['id']}/projects").json]
    assert boss.delete(f"/manage/features/{built_in['id']}").status == 400
    assert boss.get("/manage/features?type=global").json == []


def test_who_is_not_a_super_administrator_sees_the_features_that_it_may_change(shared: ServicesOnly) -> None:
    person = add_person(shared)
    names = [each["name"] for each in person.http.get("/manage/features").json]

    assert "native-types" in names
    assert "pay-as-you-go" not in names


def test_a_stack_has_one_backend_and_one_file_storage(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    project = f"/manage/projects/{add_place(boss).project}"
    [backend], [files] = boss.get("/manage/storage-backend").json, boss.get("/manage/file-storage-abs/").json

    assert (backend["backend"], files["provider"], files["isDefault"]) == ("snowflake", "azure", True)
    assert boss.get("/manage/file-storage-s3/").json == []
    assert boss.get("/manage/file-storage-gcs").json == []
    assert made(boss.post(f"/manage/file-storage-abs/{files['id']}/default"), 200) == files
    assert made(boss.post(f"/manage/storage-backend/{backend['id']}/activate"), 200)["id"] == backend["id"]
    assert made(boss.post(f"{project}/storage-backend", {"storageBackendId": backend["id"]}), 200)["backends"]
    assert made(boss.post(f"{project}/file-storage", {"fileStorageId": files["id"]}), 200)["fileStorage"]
    for path in ("storage-backend", "storage-backend/snowflake", "storage-backend/bigquery", "file-storage-s3"):
        refused = boss.post(f"/manage/{path}", {"host": "db.example.com"})
        assert (refused.status, "This stack has one" in refused.json["error"]) == (400, True)
    assert boss.delete(f"/manage/storage-backend/{backend['id']}").status == 400
    assert boss.delete(f"{project}/storage-backend/{backend['id']}").status == 400
    assert boss.post(f"{project}/storage-backend", {"storageBackendId": 77}).status == 404
    assert boss.post("/manage/file-storage-s3/1/default").status == 404


def test_user_interfaces_are_listed_without_a_token(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    assert shared.service("connection", "").get("/manage/ui-apps").json == []
    assert boss.post("/manage/ui-apps", {"manifestUrl": "https://example.com/manifest.json"}).status == 400
    assert boss.delete("/manage/ui-apps/none").status == 404
