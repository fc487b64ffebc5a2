"""Members of a project: their tokens, and what changes with their role."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from penstock.foundation import clock
from penstock.foundation.errors import AppError
from penstock.services.management import interface as management
from penstock.services.management.interface import User
from penstock.services.management.models.people import Role
from penstock.services.management.store.members import change_member, remove_member
from penstock.services.storage import interface as storage
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, first_project
from tests.unit.services.members import join, make_user, sign_in
from tests.unit.services.projects.changing import deliver

VERIFY, BUCKETS, TOKENS = "/v2/storage/tokens/verify", "/v2/storage/buckets", "/v2/storage/tokens"
NEW_BUCKET = {"stage": "in", "name": "new"}


def set_role(services: ServicesOnly, project: Project, user: User, role: Role) -> None:
    with services.stack.database.writing() as tx:
        member = management.find_member(tx, "project", project.caller.project_id, user.id)
        assert member
        change_member(tx, msgspec.structs.replace(member, role=role))


def leave(services: ServicesOnly, project: Project, user: User) -> None:
    with services.stack.database.writing() as tx:
        assert remove_member(tx, "project", project.caller.project_id, user.id)


def test_a_token_shows_the_member_that_it_belongs_to(shared: ServicesOnly) -> None:
    project, user = add_project(shared), make_user(shared, "Grace")
    join(shared, project, user, "readOnly")

    token = sign_in(shared, project, user).get(VERIFY).json

    assert {key: token["admin"][key] for key in ("id", "name", "role", "features")} == {
        "id": user.id,
        "name": "Grace",
        "role": "readOnly",
        "features": ["early-preview"],
    }
    assert (token["description"], token["isMasterToken"]) == (user.email, True)
    assert (token["canManageBuckets"], token["canManageTokens"], token["canCreateJobs"]) == (False, False, False)
    assert token["organization"] == {"id": "1"}
    assert token["owner"]["metrics"]["kbc.adminsCount"]["value"] == 1
    assert token["owner"]["isDisabled"] is False


def test_a_changed_role_acts_at_once(shared: ServicesOnly) -> None:
    project, user = add_project(shared), make_user(shared)
    join(shared, project, user, "guest")
    client = sign_in(shared, project, user)

    refused = client.post(BUCKETS, NEW_BUCKET)
    assert refused.status == 403
    assert refused.json["error"] == (
        'Your role in this project is "guest", which may read but not change anything. '
        "Ask an administrator of the project for another one."
    )
    assert client.get(TOKENS).status == 403
    set_role(shared, project, user, "admin")
    assert client.post(BUCKETS, NEW_BUCKET).status == 201
    assert client.get(TOKENS).status == 200
    set_role(shared, project, user, "readOnly")
    assert client.delete(f"{BUCKETS}/in.c-new").status == 403
    assert client.get(TOKENS).status == 200


def test_a_member_has_one_token_in_a_project(shared: ServicesOnly) -> None:
    one, two, user = add_project(shared), add_project(shared), make_user(shared)
    join(shared, one, user, "admin")
    join(shared, two, user, "guest")
    with shared.stack.database.writing() as tx:
        first, again = (storage.ensure_member_token(tx, one.caller.project_id, user) for _ in range(2))
        other = storage.ensure_member_token(tx, two.caller.project_id, user)

    assert first == again != other
    assert sign_in(shared, one, user).post(BUCKETS, NEW_BUCKET).status == 201
    assert sign_in(shared, two, user).post(BUCKETS, NEW_BUCKET).status == 403


def test_who_is_not_a_member_has_no_token(shared: ServicesOnly) -> None:
    user = make_user(shared)
    with shared.stack.database.writing() as tx, pytest.raises(AppError, match="not a member"):
        storage.ensure_member_token(tx, first_project(shared).caller.project_id, user)


def test_the_token_of_a_member_who_leaves_stops_working_at_once_and_is_removed(shared: ServicesOnly) -> None:
    project, user = add_project(shared), make_user(shared)
    join(shared, project, user, "admin")
    client = sign_in(shared, project, user)
    token_id = client.get(VERIFY).json["id"]
    leave(shared, project, user)

    refused = client.get(VERIFY)
    assert (refused.status, refused.json["code"]) == (401, "storage.tokenInvalid")
    assert "not a member of the project any more" in refused.json["error"]
    deliver(shared)
    assert shared.service("storage", project.token).get(f"{TOKENS}/{token_id}").status == 404


def test_a_member_who_comes_back_at_once_keeps_the_token(shared: ServicesOnly) -> None:
    project, user = add_project(shared), make_user(shared)
    join(shared, project, user, "admin")
    client = sign_in(shared, project, user)
    leave(shared, project, user)
    join(shared, project, user, "guest")
    deliver(shared)

    assert client.get(VERIFY).json["admin"]["role"] == "guest"


def test_an_expired_membership_ends_without_a_change(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    project, user = add_project(shared), make_user(shared)
    join(shared, project, user, "admin", clock.now() + timedelta(hours=1))
    client = sign_in(shared, project, user)
    made = client.post(TOKENS, {"description": "of a member for an hour", "canManageBuckets": True}).json
    assert made["expires"], "what it creates does not outlive the membership"
    assert client.get(VERIFY).status == 200
    real = clock.source
    monkeypatch.setattr(clock, "source", lambda: real() + timedelta(hours=2))

    assert client.get(VERIFY).status == 401
    assert shared.service("storage", made["token"]).get(VERIFY).status == 401


def test_a_job_of_a_member_who_may_only_read_now_does_not_run(shared: ServicesOnly) -> None:
    project, user = add_project(shared), make_user(shared)
    join(shared, project, user, "admin")
    token = sign_in(shared, project, user).token or ""
    set_role(shared, project, user, "readOnly")

    refused = shared.service("queue", token).post("/jobs", {"component": "ex-generic-v2", "configData": {}})

    assert refused.status == 403
    assert '"readOnly"' in refused.json["error"]
