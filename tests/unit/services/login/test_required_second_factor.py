"""Organizations that require a second factor: members without one may only set one up."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from penstock.services.management.models.people import User
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import as_person, enable_second_factor, log_in, sign_in, sign_up
from tests.unit.services.management.people import Place, add_person, add_place, made, patch

REQUIRED = "requires a second factor, and you have none"


class World(NamedTuple):
    stack: ServicesOnly
    boss: Http
    place: Place
    user: User
    token: str
    """Of the user, a member of the project."""

    def in_project(self, path: str = "/v2/storage/buckets") -> Response:
        return as_person(self.stack, self.token, "storage", self.place.project).get(path)

    def manage(self, path: str) -> Response:
        return as_person(self.stack, self.token).get(path)

    def require(self, *, is_on: bool = True) -> None:
        path = f"/manage/organizations/{self.place.organization}"
        assert made(patch(self.boss, path, {"mfaRequired": is_on}), 200)["mfaRequired"] is is_on


@pytest.fixture
def world(shared: ServicesOnly) -> World:
    boss = add_person(shared, "boss", is_super=True).http
    place, user = add_place(boss), sign_up(shared, None)
    assert boss.post(f"/manage/projects/{place.project}/users", {"email": user.email}).status == 204
    return World(shared, boss, place, user, sign_in(shared, user)["accessToken"])


def test_a_member_without_a_second_factor_gets_a_sentence_and_may_only_set_one_up(world: World) -> None:
    assert world.in_project().status == 200
    world.require()

    for refused in (world.in_project(), world.manage(f"/manage/projects/{world.place.project}")):
        assert (refused.status, REQUIRED in refused.json["error"]) == (403, True)
        assert "POST /v1/auth/second-factor" in refused.json["error"]
        assert refused.json["code"] == "management.secondFactorRequired"
    assert world.manage("/v1/auth/me").json["mfaEnabled"] is False
    assert log_in(world.stack, world.user).status == 200

    enable_second_factor(world.stack, world.user, world.token)
    assert (world.in_project().status, world.manage(f"/manage/projects/{world.place.project}").status) == (200, 200)
    assert world.manage("/v1/auth/me").json["mfaEnabled"] is True


def test_whoever_removes_the_second_factor_is_refused_at_once(world: World) -> None:
    _, codes = enable_second_factor(world.stack, world.user, world.token)
    world.require()
    assert world.in_project().status == 200

    removed = as_person(world.stack, world.token).post("/v1/auth/second-factor/remove", {"code": codes[0]})
    assert (removed.status, world.in_project().status) == (204, 403)
    world.require(is_on=False)
    assert world.in_project().status == 200


def test_it_holds_for_tokens_of_the_member_in_the_project_and_for_the_bridge(world: World) -> None:
    """A member's Storage token is known once an administrator has refreshed it."""
    number = int(world.in_project("/v2/storage/tokens/verify").json["id"])
    path = f"/manage/projects/{world.place.project}/tokens"
    admin = made(world.boss.post(path, {"description": "admin", "canManageTokens": True, "canManageBuckets": True}))
    with world.stack.stack.database.writing() as tx:
        from penstock.services.storage.operations.authentication import get_caller
        from penstock.services.storage.operations.tokens import refresh_token

        token = refresh_token(tx, get_caller(tx, world.place.project, number), str(number)).text
    storage = Http(world.stack.service("storage").base, token)
    assert storage.get("/v2/storage/buckets").status == 200
    world.require()

    assert (storage.get("/v2/storage/buckets").status, REQUIRED in storage.get("/v2/storage/buckets").text) == (
        403,
        True,
    )
    bridge = Http(storage.base, None, headers={"X-Subject-Token": f"Bearer {world.token}"})
    path = "/manage/internal/auth-bridge/resolve-storage-token"
    refused = bridge.post(path, {"projectId": world.place.project})
    assert (refused.status, REQUIRED in refused.json["error"]) == (403, True)
    program = Http(storage.base, admin["token"])
    assert program.get("/v2/storage/buckets").status == 200, "programs have no second factor"


def test_other_organizations_and_super_administrators_are_not_concerned(world: World) -> None:
    other = add_place(world.boss)
    path = f"/manage/projects/{other.project}/users"
    assert world.boss.post(path, {"email": world.user.email}).status == 204
    world.require()

    assert as_person(world.stack, world.token, "storage", other.project).get("/v2/storage/buckets").status == 200
    assert world.boss.get(f"/manage/organizations/{world.place.organization}").status == 200


def test_a_member_of_the_organization_is_concerned_too(world: World) -> None:
    path = f"/manage/organizations/{world.place.organization}"
    assert world.boss.post(f"{path}/users", {"email": world.user.email}).status == 201
    assert world.manage(path).status == 200
    world.require()

    refused = world.manage(path)
    assert (refused.status, REQUIRED in refused.json["error"]) == (403, True)


def test_every_view_of_a_user_says_whether_it_has_a_second_factor(world: World) -> None:
    enable_second_factor(world.stack, world.user, world.token)
    path = f"/manage/organizations/{world.place.organization}/users"
    added = world.boss.post(path, {"email": world.user.email}).json
    listed = [each for each in world.boss.get(path).json if each["id"] == world.user.id]
    changed = world.boss.put(f"/manage/users/{world.user.email}", {"name": "Anna"}).json
    verified = world.manage("/manage/tokens/verify").json["user"]

    assert [each["mfaEnabled"] for each in (added, *listed, changed, verified)] == [True] * 4
    assert world.boss.get("/manage/tokens/verify").json["user"]["mfaEnabled"] is False
