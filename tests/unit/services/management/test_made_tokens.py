"""Tokens that a member has made for programs: who made them is kept, and they can be revoked with the membership."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import STORAGE, Person, Place, add_person, add_place, made, program


class World(NamedTuple):
    services: ServicesOnly
    boss: Http
    place: Place
    ann: Person
    """An administrator of the project."""

    @property
    def members(self) -> str:
        return f"/manage/projects/{self.place.project}/users"

    def make(self, http: Http, description: str) -> dict[str, Any]:
        body = {"description": description, "canManageTokens": True, "canManageBuckets": True}
        return made(http.post(f"/manage/projects/{self.place.project}/tokens", body))

    def with_token(self, token: dict[str, Any]) -> Http:
        return Http(self.services.service(STORAGE).base, token["token"])


@pytest.fixture
def world(shared: ServicesOnly) -> World:
    boss = program(shared, "super")
    place, ann = add_place(boss), add_person(shared, "ann")
    found = World(shared, boss, place, ann)
    assert boss.post(found.members, {"email": ann.email, "role": "admin"}).status == 204
    return found


def test_a_token_of_the_manage_api_says_who_has_made_it(world: World) -> None:
    token = world.make(world.ann.http, "a program of Ann")
    shown = world.with_token(token).get(f"/v2/storage/tokens/{token['id']}").json

    assert shown["creatorToken"]["description"] == world.ann.email


def test_removing_a_member_lists_and_revokes_what_she_made(world: World) -> None:
    of_others, direct = world.make(world.boss, "of others"), world.make(world.ann.http, "direct")
    body = {"description": "made with it", "canManageBuckets": True}
    second = made(world.with_token(direct).post("/v2/storage/tokens", body))
    removed = world.boss.delete(f"{world.members}/{world.ann.email}?revokeTokens=true")

    assert removed.status == 200, removed.text
    assert [each["description"] for each in removed.json["tokens"]] == ["direct", "made with it"]
    assert removed.json["areTokensRevoked"] is True
    statuses = [world.with_token(each).get("/v2/storage/tokens/verify").status for each in (direct, second, of_others)]
    assert statuses == [401, 401, 200]


def test_what_she_made_is_listed_and_kept_if_that_is_asked_for(world: World) -> None:
    token = world.make(world.ann.http, "kept")
    removed = world.boss.delete(f"{world.members}/{world.ann.id}?revokeTokens=false")

    assert (removed.status, removed.json["areTokensRevoked"]) == (200, False)
    assert [each["id"] for each in removed.json["tokens"]] == [token["id"]]
    assert world.with_token(token).get("/v2/storage/tokens/verify").status == 200


def test_without_the_parameter_the_response_is_empty(world: World) -> None:
    world.make(world.ann.http, "kept")
    removed = world.boss.delete(f"{world.members}/{world.ann.id}")

    assert (removed.status, removed.body) == (204, b"")
    assert world.boss.delete(f"{world.members}/{world.ann.id}?revokeTokens=maybe").status in (400, 404)


def test_tokens_that_she_made_in_other_projects_stay(world: World) -> None:
    other = add_place(world.boss)
    path = f"/manage/projects/{other.project}"
    assert world.boss.post(f"{path}/users", {"email": world.ann.email}).status == 204
    token = made(world.ann.http.post(f"{path}/tokens", {"description": "elsewhere"}))
    removed = world.boss.delete(f"{world.members}/{world.ann.id}?revokeTokens=true")

    assert removed.json["tokens"] == []
    assert world.with_token(token).get("/v2/storage/tokens/verify").status == 200


def test_the_specification_has_the_response_with_a_list_and_the_empty_one(shared: ServicesOnly) -> None:
    document = shared.service("portal").get("/specs/management.json").json
    row = document["paths"]["/manage/projects/{project_id}/users/{user}"]["delete"]
    listed = row["responses"]["200"]["content"]["application/json"]["schema"]

    assert listed == {"$ref": "#/components/schemas/RemovedMember"}
    assert "content" not in row["responses"]["204"]
    assert set(document["components"]["schemas"]["RemovedMember"]["properties"]) == {"tokens", "areTokensRevoked"}
