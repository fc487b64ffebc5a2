"""Tokens of people on every service: the header X-KBC-ProjectId says which project they open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.foundation import clock
from penstock.services.management.models.people import Member
from penstock.services.management.store.members import add_member, remove_member
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.login.people import add_person, as_person, personal_token, sign_in, sign_up

VERIFY = "/v2/storage/tokens/verify"
ROWS = {
    "storage": "/v2/storage/buckets",
    "queue": "/search/jobs",
    "vault": "/variables",
    "oauth": "/credentials",
    "notification": "/project-subscriptions",
    "scheduler": "/schedules",
    "sync-actions": "/actions?componentId=ex-generic-v2",
    "query": "/api/v1/branches/default/workspaces/1/queries",
    "editor": "/sql/sessions",
}


@pytest.mark.parametrize("service", ROWS)
def test_every_service_knows_the_tokens_of_people(shared: ServicesOnly, service: str) -> None:
    user = sign_up(shared)
    for token in (sign_in(shared, user)["accessToken"], personal_token(shared, user)):
        with_project = as_person(shared, token, service, shared.project.id).get(ROWS[service])
        without = as_person(shared, token, service).get(ROWS[service])
        # That the workspace and the component do not exist is said to those who may ask.
        assert with_project.status in (200, 400, 404), with_project.text
        assert without.status == 401
        assert "the header X-KBC-ProjectId must hold the number of the project" in without.text


def test_the_request_is_that_of_the_member(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    token = personal_token(shared, user)
    client = as_person(shared, token, "storage", shared.project.id)
    found = [client.get(VERIFY).json for _ in range(2)]

    assert found[0] == found[1]
    assert (found[0]["description"], found[0]["owner"]["id"], found[0]["token"]) == (
        user.email,
        shared.project.id,
        token,
    )
    made = client.post("/v2/storage/buckets", {"stage": "in", "name": f"of-{user.id}"})
    assert made.status == 201, made.text


def test_a_token_opens_the_projects_of_its_user_and_no_other(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    other = add_project(shared).caller.project_id
    token = personal_token(shared, user)

    def status(project: object) -> int:
        return as_person(shared, token, "storage", project).get(VERIFY).status

    assert [status(project) for project in (shared.project.id, other, shared.project.id)] == [200, 401, 200]
    refused = as_person(shared, token, "storage", other).get(VERIFY)
    assert refused.json["error"] == f"The token belongs to a user who is not a member of the project {other}."
    assert refused.json["code"] == "storage.tokenInvalid"


def test_two_projects_are_not_mixed_up_in_caches(shared: ServicesOnly) -> None:
    from penstock.foundation import clock
    from penstock.services.management.models.people import Member
    from penstock.services.management.store.members import add_member

    user, other = sign_up(shared), add_project(shared).caller.project_id
    with shared.stack.database.writing() as tx:
        member = Member(level="project", owner_id=other, user_id=user.id, role="readOnly", created=clock.now())
        add_member(tx, member)
    token = personal_token(shared, user)
    for _ in range(2):
        for project in (shared.project.id, other):
            found = as_person(shared, token, "storage", project).get(VERIFY)
            assert found.json["owner"]["id"] == project
    body = {"stage": "in", "name": f"of-{user.id}"}
    assert as_person(shared, token, "storage", other).post("/v2/storage/buckets", body).status == 403
    assert as_person(shared, token, "storage", shared.project.id).post("/v2/storage/buckets", body).status == 201


@pytest.mark.parametrize("project", ["mine", "-1", "0", "<script>", "4 2", "9" * 30, "1;2", "１"])
def test_the_project_must_be_a_number(shared: ServicesOnly, project: str) -> None:
    token = personal_token(shared, sign_up(shared))
    sent = project.encode().decode("latin-1")
    response = as_person(shared, token, "storage", sent).get(VERIFY)

    assert response.status == 401
    assert "<script>" not in response.text


def test_a_token_may_be_limited_to_projects(shared: ServicesOnly) -> None:
    user, other = sign_up(shared), add_project(shared).caller.project_id
    token = personal_token(shared, user, projectIds=[shared.project.id])
    with shared.stack.database.writing() as tx:
        add_member(tx, Member(level="project", owner_id=other, user_id=user.id, created=clock.now()))

    shown = as_person(shared, token).get("/v1/auth/me").json["projects"]
    assert [each["id"] for each in shown] == [shared.project.id]
    assert as_person(shared, token, "storage", shared.project.id).get(VERIFY).status == 200
    refused = as_person(shared, token, "storage", other).get(VERIFY)
    assert (refused.status, refused.json["error"]) == (401, f"The token is limited to other projects than {other}.")


def test_a_token_may_be_limited_to_reading(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client = as_person(shared, personal_token(shared, user, onlyReads=True), "storage", shared.project.id)

    assert client.get("/v2/storage/buckets").status == 200
    refused = client.post("/v2/storage/buckets", {"stage": "in", "name": f"never-{user.id}"})
    assert refused.status == 403
    own = client.get(VERIFY).json["id"]
    assert client.post(f"/v2/storage/tokens/{own}/refresh").status == 403
    queue = as_person(shared, personal_token(shared, user, onlyReads=True), "queue", shared.project.id)
    assert queue.post("/jobs", {"component": "ex-generic-v2", "configData": {}}).status == 403


def test_who_is_removed_from_a_project_is_out_at_once(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client = as_person(shared, personal_token(shared, user), "storage", shared.project.id)
    assert client.get(VERIFY).status == 200
    with shared.stack.database.writing() as tx:
        remove_member(tx, "project", shared.project.id, user.id)

    refused = client.get(VERIFY)
    assert (refused.status, "not a member of the project" in refused.json["error"]) == (401, True)


def test_who_is_no_member_of_anything_opens_nothing(shared: ServicesOnly) -> None:
    user = sign_up(shared, role=None)

    assert as_person(shared, personal_token(shared, user), "storage", shared.project.id).get(VERIFY).status == 401


def test_an_expired_and_a_revoked_token_say_so(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user = sign_up(shared)
    expiring, revoked = personal_token(shared, user, expiresIn=60), personal_token(shared, user)
    clients = [as_person(shared, token, "storage", shared.project.id) for token in (expiring, revoked)]
    assert [client.get(VERIFY).status for client in clients] == [200, 200]
    management = Http(f"http://127.0.0.1:{shared.port}/_svc/management")
    assert management.post("/v1/auth/token/revoke", {"token": revoked}).status == 204
    later(seconds=61)

    answers = [client.get(VERIFY) for client in clients]
    assert [answer.status for answer in answers] == [401, 401]
    assert "has expired" in answers[0].json["error"]
    assert "it was revoked" in answers[1].json["error"]


def test_a_storage_token_beside_a_token_of_a_person_does_not_count(shared: ServicesOnly) -> None:
    headers = {"Authorization": "Bearer kbc_pat_1_0", "X-KBC-ProjectId": "1"}

    assert shared.service("storage").send("GET", VERIFY, headers=headers).status == 401


def test_a_token_of_a_person_may_be_in_the_header_of_storage_tokens(shared: ServicesOnly) -> None:
    token = personal_token(shared, sign_up(shared))
    client = shared.service("storage", token)

    assert client.send("GET", VERIFY, headers={"X-KBC-ProjectId": str(shared.project.id)}).status == 200
    assert client.get(VERIFY).status == 401


def test_refresh_tokens_and_sessions_open_no_project(shared: ServicesOnly) -> None:
    pair = sign_in(shared, sign_up(shared))

    assert as_person(shared, pair["refreshToken"], "storage", shared.project.id).get(VERIFY).status == 401
    assert add_person(shared)


def test_what_a_personal_token_creates_by_the_manage_api_does_not_outlive_it(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    path = f"/manage/projects/{shared.project.id}/tokens"
    signed_in, lasting, expiring = (
        as_person(shared, token)
        for token in (
            sign_in(shared, user)["accessToken"],
            personal_token(shared, user),
            personal_token(shared, user, expiresIn=600),
        )
    )
    made = [http.post(path, {"description": "x"}) for http in (signed_in, lasting, expiring)]
    longer, shorter = (expiring.post(path, {"description": "x", "expiresIn": each}).json for each in (7200, 60))
    bridge = "/manage/internal/auth-bridge/resolve-storage-token"
    subject = {"X-Subject-Token": expiring.headers["Authorization"]}
    resolved = Http(expiring.base, headers=subject).post(bridge, {"projectId": shared.project.id})

    assert [each.status for each in made] == [201, 201, 201], made[2].text
    assert [bool(each.json["expires"]) for each in made] == [False, False, True]
    assert longer["expires"] == made[2].json["expires"]
    assert shorter["expires"] < longer["expires"]
    assert (resolved.status, resolved.json["expiresAt"]) == (200, longer["expires"])


def test_what_a_personal_token_creates_does_not_outlive_it(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    signed_in = as_person(shared, sign_in(shared, user)["accessToken"], "storage", shared.project.id)
    expiring, lasting = (
        as_person(shared, personal_token(shared, user, **fields), "storage", shared.project.id)
        for fields in ({"expiresIn": 3600}, {})
    )
    made = [http.post("/v2/storage/tokens", {"description": "x"}) for http in (expiring, lasting, signed_in)]
    longer = expiring.post("/v2/storage/tokens", {"description": "x", "expiresIn": 7200}).json
    own = f"/v2/storage/tokens/{expiring.get(VERIFY).json['id']}/refresh"
    refreshed = expiring.post(own)

    assert [bool(each.json["expires"]) for each in made] == [True, False, False]
    assert longer["expires"] == made[0].json["expires"]
    assert (refreshed.status, "lives longer" in refreshed.text) == (403, True)
    assert signed_in.post(own).status == 200
