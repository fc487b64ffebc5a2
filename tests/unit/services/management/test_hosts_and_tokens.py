"""Where the Manage API answers, and what it says of a token."""

from __future__ import annotations

import pytest

from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_person, add_place, client, made, patch, program


def test_it_answers_on_the_connection_host_and_on_its_own_by_name_and_by_path(shared: ServicesOnly) -> None:
    token = program(shared, "super").headers[HEADER]
    domain = shared.stack.domain
    places = [
        *(shared.by_host(f"{label}.{domain}") for label in ("connection", "management")),
        *(shared.service(name, "") for name in ("connection", "storage", "management")),
    ]
    for place in places:
        there = Http(place.base, None, place.host, {HEADER: token})
        for path in ("/manage/tokens/verify", "/manage/tokens/verify/", "/manage/project-templates/"):
            assert there.get(path).status == 200, (place, path)


def test_paths_of_storage_that_only_look_alike_stay_those_of_storage(shared: ServicesOnly) -> None:
    there = shared.service("storage")

    assert there.get("/v2/storage/tokens/verify").status == 200
    assert there.get("/management").status == 404
    assert there.get("/v1/authority").status == 404


def test_the_service_is_in_the_index_and_its_document_in_the_portal(shared: ServicesOnly) -> None:
    listed = {each["id"]: each["url"] for each in shared.service("storage").get("/v2/storage").json["services"]}

    assert "management" in listed
    assert "/manage/projects/{project_id}" in shared.service("portal", "").get("/specs/management.json").text


def test_a_token_of_a_program_says_what_it_may_do(shared: ServicesOnly) -> None:
    info = program(shared, "super", "oauth:manage").get("/manage/tokens/verify").json

    assert info["type"] == "super"
    assert info["scopes"] == ["oauth:manage", "super"]
    assert info["description"] == "a program"
    assert "user" not in info


def test_a_token_of_a_user_says_whose_it_is(shared: ServicesOnly) -> None:
    person = add_person(shared, is_super=True)
    info = person.http.get("/manage/tokens/verify").json

    assert info["type"] == "admin"
    assert info["creator"]["id"] == person.id
    assert info["user"] == {
        "id": person.id,
        "name": person.email.partition("@")[0],
        "email": person.email,
        "mfaEnabled": False,
        "features": [],
        "canAccessLogs": False,
        "isSuperAdmin": True,
    }


@pytest.mark.parametrize("token", [None, "", "manage-1-wrong", "kbc_pat_unknown"])
def test_a_wrong_token_is_refused_with_a_sentence(shared: ServicesOnly, token: str | None) -> None:
    response = client(shared, token).get("/manage/tokens/verify")

    assert response.status == 401
    assert response.json["error"]
    assert response.headers["content-type"] == "application/json"


def test_the_token_of_a_removed_user_stops_working(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    assert person.http.get("/manage/tokens/verify").status == 200

    assert boss.delete(f"/manage/users/{person.email}").status == 204

    assert person.http.get("/manage/tokens/verify").status == 401
    assert boss.get(f"/manage/users/{person.email}").status == 404


def test_a_service_gets_a_storage_token_for_a_member_and_for_nobody_else(shared: ServicesOnly) -> None:
    boss, person, stranger = program(shared, "super"), add_person(shared), add_person(shared)
    project = add_place(boss).project
    boss.post(f"/manage/projects/{project}/users", {"email": person.email})
    path, headers = "/manage/internal/auth-bridge/resolve-storage-token", {}
    for user in (person, stranger):
        headers[user.id] = {"X-Subject-Token": f"Bearer {user.http.headers[HEADER]}"}

    there = shared.service("connection", "")
    answer = made(Http(there.base, None, headers=headers[person.id]).post(path, {"projectId": project}), 200)

    assert answer["projectId"] == project
    assert answer["userId"] == str(person.id)
    verified = shared.service("storage", answer["storageToken"]).get("/v2/storage/tokens/verify").json
    assert (verified["id"], verified["owner"]["id"]) == (answer["tokenId"], project)
    assert answer["tokenDetail"] == verified
    assert Http(there.base, None, headers=headers[stranger.id]).post(path, {"projectId": project}).status == 404
    assert there.post(path, {"projectId": project}).status == 401


def test_a_token_of_the_bridge_follows_the_role_of_its_member_and_ends_with_the_membership(
    shared: ServicesOnly,
) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    project = add_place(boss).project
    users = f"/manage/projects/{project}/users"
    boss.post(users, {"email": person.email})
    path, headers = (
        "/manage/internal/auth-bridge/resolve-storage-token",
        {"X-Subject-Token": person.http.headers[HEADER]},
    )
    bridge = Http(shared.service("connection", "").base, None, headers=headers)
    storage = shared.service("storage", made(bridge.post(path, {"projectId": project}), 200)["storageToken"])
    buckets = "/v2/storage/buckets"
    assert storage.post(buckets, {"name": "one", "stage": "in"}).status == 201
    assert storage.get("/v2/storage/tokens/verify").json["admin"]["id"] == person.id

    assert patch(boss, f"{users}/{person.id}", {"role": "readOnly"}).status == 200
    assert storage.post(buckets, {"name": "two", "stage": "in"}).status == 403
    assert [each["name"] for each in storage.get(buckets).json] == ["c-one"]
    assert boss.delete(f"{users}/{person.id}").status == 204
    assert storage.get(buckets).status == 401
