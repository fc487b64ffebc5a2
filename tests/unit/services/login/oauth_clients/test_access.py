"""Tokens of programs: what they open, how they are renewed, and what ends them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import select

from penstock.services.login.store.tokens import Token, tokens
from penstock.services.management.store.members import add_member, change_member, find_member, remove_member
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.login.oauth_clients.asking import (
    allow,
    decide,
    exchange,
    has_access,
    let_in,
    open_page,
    refresh,
    registered,
    send,
    sent_back,
    signed_in,
    storage,
)
from tests.unit.services.login.people import (
    Browser,
    as_person,
    audited,
    log_in,
    management,
    sign_up,
)


def test_a_program_gets_tokens_for_the_project_that_the_person_has_chosen(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client_id, pair = let_in(shared, user=user)
    owner = storage(shared, pair["access_token"]).get("/v2/storage/tokens/verify").json

    assert (pair["token_type"], pair["expires_in"], pair["scope"]) == ("Bearer", 3600, "read write")
    assert (owner["owner"]["id"], owner["admin"]["id"]) == (shared.project.id, user.id)
    entry = audited(shared, "login.authorized")[0]
    assert entry.details["client"] == client_id
    assert (entry.details["project"], entry.details["only_reads"]) == (shared.project.id, False)


def test_tokens_are_stored_as_hashes(shared: ServicesOnly) -> None:
    _, pair = let_in(shared)
    with shared.stack.database.reading() as tx:
        rows = tx.all(select(tokens), into=Token)

    for text in (pair["access_token"], pair["refresh_token"]):
        assert text.rpartition("_")[2] not in repr(rows)


def test_a_token_opens_no_other_project_of_the_user(shared: ServicesOnly) -> None:
    other, user = add_project(shared, "Beside"), sign_up(shared)
    with shared.stack.database.writing() as tx:
        member = find_member(tx, "project", shared.project.id, user.id)
        assert member
        add_member(tx, msgspec.structs.replace(member, owner_id=other.caller.project_id))
    _, pair = let_in(shared, user=user)
    client = as_person(shared, pair["access_token"], "storage", other.caller.project_id)

    assert client.get("/v2/storage/buckets").status == 401


def test_a_refresh_token_is_replaced_and_one_that_comes_again_ends_everything(
    shared: ServicesOnly, later: Callable[..., None]
) -> None:
    client_id, first = let_in(shared, "read")
    second = refresh(shared, client_id, first["refresh_token"]).json
    assert second["refresh_token"] != first["refresh_token"]
    assert second["scope"] == "read", "limits stay"
    assert (
        storage(shared, second["access_token"]).post("/v2/storage/buckets", {"name": "x", "stage": "in"}).status == 403
    )
    later(minutes=1)
    stolen = refresh(shared, client_id, first["refresh_token"])

    assert (stolen.status, stolen.json["error"]) == (400, "invalid_grant")
    assert not has_access(shared, second)
    assert refresh(shared, client_id, second["refresh_token"]).status == 400
    assert audited(shared, "login.tokenReused")


def test_a_refresh_token_is_of_one_client_and_one_resource(shared: ServicesOnly) -> None:
    client_id, pair = let_in(shared)
    other = refresh(shared, registered(shared), pair["refresh_token"])
    resource = refresh(shared, client_id, pair["refresh_token"], resource="https://other.example/mcp")
    elsewhere = management(shared).post("/v1/auth/token/refresh", {"refreshToken": pair["refresh_token"]})

    assert (other.json["error"], resource.json["error"]) == ("invalid_grant", "invalid_target")
    assert elsewhere.status == 400, "there it would lose its limits"
    assert refresh(shared, client_id, pair["refresh_token"]).status == 200


def test_an_access_token_is_short_lived(shared: ServicesOnly, later: Callable[..., None]) -> None:
    client_id, pair = let_in(shared)
    later(minutes=61)

    assert not has_access(shared, pair)
    assert has_access(shared, refresh(shared, client_id, pair["refresh_token"]).json)


def test_who_leaves_the_project_takes_the_program_along(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client_id, pair = let_in(shared, user=user)
    late = allow(signed_in(shared, user), client_id)
    assert has_access(shared, pair)
    with shared.stack.database.writing() as tx:
        remove_member(tx, "project", shared.project.id, user.id)

    assert not has_access(shared, pair)
    assert refresh(shared, client_id, pair["refresh_token"]).json["error"] == "invalid_grant"
    assert "is not a member" in exchange(shared, client_id, late).json["error_description"]


def test_a_role_that_only_reads_limits_the_program_too(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    _, pair = let_in(shared, user=user)
    client, bucket = storage(shared, pair["access_token"]), {"name": "of-a-program", "stage": "in"}
    assert client.post("/v2/storage/buckets", bucket).status == 201
    with shared.stack.database.writing() as tx:
        member = find_member(tx, "project", shared.project.id, user.id)
        assert member
        change_member(tx, msgspec.structs.replace(member, role="readOnly"))

    assert client.post("/v2/storage/buckets", {**bucket, "name": "more"}).status == 403
    assert client.get("/v2/storage/buckets").status == 200


def test_a_program_that_may_only_read_writes_nothing(shared: ServicesOnly) -> None:
    _, pair = let_in(shared, "read")
    client = storage(shared, pair["access_token"])

    assert client.get("/v2/storage/buckets").status == 200
    assert client.post("/v2/storage/buckets", {"name": "x", "stage": "in"}).status == 403
    assert client.get("/v2/storage/tokens/verify").json["admin"]["role"] == "readOnly"


def test_a_program_that_asked_to_read_cannot_be_allowed_to_write(shared: ServicesOnly) -> None:
    browser, client_id = signed_in(shared), registered(shared)
    page = open_page(browser, client_id, scope="read openid")

    assert 'value="write"' not in page.text
    assert decide(browser, page, access="write").status == 400
    code = sent_back(decide(browser, page, access="read"))["code"]
    assert exchange(shared, client_id, code).json["scope"] == "read"


def test_a_program_gets_no_other_tokens_and_does_not_act_as_the_person_elsewhere(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client_id, pair = let_in(shared, user=user)
    token, body = pair["access_token"], {"description": "more"}
    own = storage(shared, token).get("/v2/storage/tokens/verify").json["id"]

    assert as_person(shared, token).post("/v1/auth/personal-tokens", body).status == 401
    assert as_person(shared, token).get("/v1/auth/sessions").status == 401
    assert storage(shared, token).post("/v2/storage/tokens", body).status == 403
    assert storage(shared, token).post(f"/v2/storage/tokens/{own}/refresh").status == 403
    assert as_person(shared, token).get("/manage/tokens/verify").status == 403
    browser = Browser(shared, {"penstock_session": token})
    assert open_page(browser, client_id).status == 303, "it is not a session of a browser"
    me = as_person(shared, token).get("/v1/auth/me").json
    assert [project["id"] for project in me["projects"]] == [shared.project.id]


def test_a_program_ends_its_access(shared: ServicesOnly) -> None:
    client_id, pair = let_in(shared)
    other = send(shared, "/oauth/revoke", token=pair["refresh_token"], client_id=registered(shared))
    assert (other.status, has_access(shared, pair)) == (400, True)
    done = send(shared, "/oauth/revoke", token=pair["refresh_token"], client_id=client_id, token_type_hint="x")

    assert (done.status, has_access(shared, pair)) == (200, False)
    assert send(shared, "/oauth/revoke", token="unknown", client_id=client_id).status == 200
    assert send(shared, "/oauth/revoke", token="unknown", client_id="unknown").status == 401


def test_a_person_sees_the_program_among_the_sign_ins_and_ends_it(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    _, pair = let_in(shared, user=user)
    client = as_person(shared, log_in(shared, user).json["accessToken"])
    (session,) = [each for each in client.get("/v1/auth/sessions").json if each["description"] == "An agent"]
    assert client.delete(f"/v1/auth/sessions/{session['id']}").status == 204

    assert not has_access(shared, pair)
