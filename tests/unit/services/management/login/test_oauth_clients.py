"""Programs that register themselves, and the attacks on how a person lets them in."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
import pytest
from sqlalchemy import select

from penstock.services.management.login.authorizing import make_challenge
from penstock.services.management.login.maintenance import remove_expired
from penstock.services.management.login.oauth import clients as registration
from penstock.services.management.login.store.clients import Client, clients
from penstock.services.management.login.store.tokens import Token, tokens
from penstock.services.management.models.people import User
from penstock.services.management.store.members import add_member, change_member, find_member, remove_member
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database
from tests.unit.services.fill import add_project
from tests.unit.services.management.login.people import (
    FORM,
    Browser,
    as_person,
    audited,
    enable_second_factor,
    log_in,
    management,
    sign_up,
)

VERIFIER = "v" * 20 + "-._~" + "0123456789" * 3
CALLBACK = "http://127.0.0.1:54321/callback"
FIELDS = {
    "response_type": "code",
    "redirect_uri": CALLBACK,
    "code_challenge": make_challenge(VERIFIER),
    "code_challenge_method": "S256",
    "state": "a state & more",
}


def register(stack: ServicesOnly, *addresses: str, **fields: Any) -> Response:
    body = {"client_name": "An agent", "redirect_uris": addresses or [CALLBACK], **fields}
    return management(stack).post("/oauth/register", body)


def registered(stack: ServicesOnly, *addresses: str, **fields: Any) -> str:
    response = register(stack, *addresses, **fields)
    assert response.status == 201, response.text
    return response.json["client_id"]


def signed_in(stack: ServicesOnly, user: User | None = None) -> Browser:
    browser = Browser(stack)
    browser.sign_in(user or sign_up(stack))
    return browser


def open_page(browser: Browser, client_id: str, **changes: str) -> Response:
    return browser.open(f"/oauth/authorize?{urlencode({**FIELDS, 'client_id': client_id, **changes})}")


def allow(browser: Browser, client_id: str, access: str = "write", **changes: str) -> str:
    page = open_page(browser, client_id, **changes)
    assert page.status == 200, page.text
    return sent_back(decide(browser, page, access=access))["code"]


def decide(browser: Browser, page: Response, **fields: str) -> Response:
    chosen = {"decision": "allow", "project": str(browser.stack.project.id), "access": "write", **fields}
    return browser.submit(page, "/oauth/authorize", **chosen)


def sent_back(response: Response) -> dict[str, str]:
    assert response.status == 303, response.text
    return {name: values[0] for name, values in parse_qs(urlsplit(response.headers["location"]).query).items()}


def send(stack: ServicesOnly, path: str, **fields: str) -> Response:
    return management(stack).send("POST", path, urlencode(fields).encode(), FORM)


def exchange(stack: ServicesOnly, client_id: str, code: str, **changes: str) -> Response:
    fields = {"grant_type": "authorization_code", "redirect_uri": CALLBACK, "code_verifier": VERIFIER}
    return send(stack, "/oauth/token", **{**fields, "client_id": client_id, "code": code, **changes})


def refresh(stack: ServicesOnly, client_id: str, token: str, **changes: str) -> Response:
    fields = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token, **changes}
    return send(stack, "/oauth/token", **fields)


def let_in(stack: ServicesOnly, access: str = "write", user: User | None = None) -> tuple[str, dict[str, Any]]:
    """A client, and the tokens that it got."""
    client_id = registered(stack)
    response = exchange(stack, client_id, allow(signed_in(stack, user), client_id, access))
    assert response.status == 200, response.text
    return client_id, response.json


def storage(stack: ServicesOnly, token: str) -> Http:
    return as_person(stack, token, "storage")


def has_access(stack: ServicesOnly, pair: dict[str, Any]) -> bool:
    return storage(stack, pair["access_token"]).get("/v2/storage/tokens/verify").status == 200


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


def test_a_person_who_is_not_signed_in_signs_in_first_and_comes_back(shared: ServicesOnly) -> None:
    browser, user = Browser(shared), sign_up(shared)
    first = open_page(browser, registered(shared), state="s" * 1_500)
    form = browser.open(first.headers["location"])
    done = browser.submit(form, "/v1/auth/page/sign-in", email=user.email, password="correct horse battery")
    page = browser.open(done.headers["location"])

    assert (first.status, done.status) == (303, 303)
    assert "<strong>An agent</strong>" in page.text
    assert sent_back(decide(browser, page))["state"] == "s" * 1_500


def test_the_page_says_who_asks_and_cannot_be_framed(shared: ServicesOnly) -> None:
    hostile = "\"><script>alert(1)</script><b a='"
    page = open_page(signed_in(shared), registered(shared, client_name=hostile), state=hostile)

    assert "<script>" not in page.text
    assert "&lt;script&gt;" in page.text
    assert "<strong>127.0.0.1:54321</strong>" in page.text
    assert '<option value="read" selected>' in page.text
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self' http://127.0.0.1:54321;" in policy
    assert page.headers["x-frame-options"] == "DENY"


def test_a_person_may_refuse(shared: ServicesOnly) -> None:
    browser = signed_in(shared)
    back = sent_back(decide(browser, open_page(browser, registered(shared)), decision="deny"))

    assert back == {
        "error": "access_denied",
        "state": "a state & more",
        "iss": f"http://127.0.0.1:{shared.port}/_svc/storage",
    }
    assert audited(shared, "login.denied")[0].details["program"] == "An agent"


def test_a_form_without_the_key_of_the_page_is_refused(shared: ServicesOnly) -> None:
    browser, client_id = signed_in(shared), registered(shared)
    fields = {**FIELDS, "client_id": client_id, "decision": "allow", "project": str(shared.project.id)}
    for key in ({}, {"key": ""}, {"key": "0" * 64}, {"key": "ä"}):
        response = browser.send_form("/oauth/authorize", **fields, **key)
        assert (response.status, "location" in response.headers) == (403, False), response.text


def test_the_key_of_a_page_is_of_one_session_and_one_request(shared: ServicesOnly) -> None:
    victim, attacker = signed_in(shared), signed_in(shared)
    client_id = registered(shared, CALLBACK, "https://other.example/callback")
    page = open_page(attacker, client_id)
    assert decide(victim, page).status == 403

    own = open_page(victim, client_id)
    key = re.findall(r'name="key" value="([0-9a-f]{64})"', own.text)[0]
    changed = {**FIELDS, "client_id": client_id, "redirect_uri": "https://other.example/callback"}
    chosen = {"decision": "allow", "project": str(shared.project.id), "key": key}
    assert victim.send_form("/oauth/authorize", **changed, **chosen).status == 403


def test_a_page_of_another_site_cannot_agree(shared: ServicesOnly) -> None:
    browser = signed_in(shared)
    page = open_page(browser, registered(shared))
    browser.origin = "https://evil.example"

    assert decide(browser, page).status == 403


def test_only_projects_of_the_person_can_be_chosen(shared: ServicesOnly) -> None:
    other, browser = add_project(shared, "Not hers"), signed_in(shared)
    page = open_page(browser, registered(shared))

    assert "Not hers" not in page.text
    for project in (str(other.caller.project_id), "0", "-1", "x"):
        assert decide(browser, page, project=project).status == 400


def test_who_is_in_no_project_has_nothing_to_choose(shared: ServicesOnly) -> None:
    page = open_page(signed_in(shared, sign_up(shared, None)), registered(shared))

    assert (page.status, "is not a member of any project" in page.text) == (200, True)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"redirect_uri": "https://evil.example/"}, "not one of the addresses"),
        ({"redirect_uri": f"{CALLBACK}/more"}, "not one of the addresses"),
        ({"redirect_uri": "http://localhost:54321/callback"}, "not one of the addresses"),
        ({"client_id": "kbc_cl_unknown"}, "is not registered here"),
        ({"response_type": "token"}, "response_type must be"),
        ({"response_type": ""}, "response_type must be"),
        ({"code_challenge_method": "plain"}, "must be S256"),
        ({"code_challenge_method": ""}, "must be S256"),
        ({"code_challenge": ""}, "must be S256"),
        ({"resource": "https://other.example/mcp"}, "There is no resource"),
        ({"resource": "http://["}, "There is no resource"),
        ({"state": "x" * 2_001}, "state"),
    ],
)
def test_a_wrong_request_leads_nowhere(shared: ServicesOnly, changes: dict[str, str], problem: str) -> None:
    browser, client_id = signed_in(shared), registered(shared)
    for response in (
        open_page(browser, **{"client_id": client_id, **changes}),
        open_page(Browser(shared), **{"client_id": client_id, **changes}),
    ):
        assert (response.status, "location" in response.headers) == (400, False), response.text
        assert problem in response.text


def test_the_port_of_the_own_machine_may_differ(shared: ServicesOnly) -> None:
    client_id = registered(shared, "http://127.0.0.1/callback")
    browser, address = signed_in(shared), "http://127.0.0.1:6543/callback"

    assert (
        exchange(shared, client_id, allow(browser, client_id, redirect_uri=address), redirect_uri=address).status == 200
    )


@pytest.mark.parametrize(
    ("changes", "word", "problem"),
    [
        ({"code_verifier": "w" * 43}, "invalid_grant", "another code_verifier"),
        ({"code_verifier": ""}, "invalid_grant", "another code_verifier"),
        ({"code_verifier": make_challenge(VERIFIER)}, "invalid_grant", "another code_verifier"),
        ({"redirect_uri": "http://127.0.0.1:1/callback"}, "invalid_grant", "another redirect_uri"),
        ({"redirect_uri": ""}, "invalid_grant", "another redirect_uri"),
        ({"resource": "https://other.example/mcp"}, "invalid_target", "There is no resource"),
        ({"code": "kbc_ac_unknown"}, "invalid_grant", "is unknown here"),
        ({"grant_type": "password"}, "unsupported_grant_type", "grant_type must be"),
        ({"grant_type": ""}, "unsupported_grant_type", "grant_type must be"),
    ],
)
def test_a_code_is_bound(shared: ServicesOnly, changes: dict[str, str], word: str, problem: str) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    refused = exchange(shared, **{"client_id": client_id, "code": code, **changes})

    assert (refused.status, refused.json["error"]) == (400, word)
    assert problem in refused.json["error_description"]
    assert refused.headers["cache-control"] == "no-store"
    resource = f"http://127.0.0.1:{shared.port}/_svc/mcp/mcp"
    assert exchange(shared, client_id, code, resource=resource).status == 200, "the owner of the code is not disturbed"


def test_a_code_is_of_one_client(shared: ServicesOnly) -> None:
    client_id, other = registered(shared), registered(shared)
    code = allow(signed_in(shared), client_id)

    assert "another client_id" in exchange(shared, other, code).json["error_description"]
    unknown = exchange(shared, "kbc_cl_unknown", code)
    assert (unknown.status, unknown.json["error"]) == (401, "invalid_client")


def test_a_code_that_comes_twice_revokes_what_it_got(shared: ServicesOnly) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    pair = exchange(shared, client_id, code).json
    again = exchange(shared, client_id, code)

    assert (again.status, again.json["error"]) == (400, "invalid_grant")
    assert not has_access(shared, pair)
    assert refresh(shared, client_id, pair["refresh_token"]).json["error"] == "invalid_grant"


def test_a_code_expires(shared: ServicesOnly, later: Callable[..., None]) -> None:
    client_id = registered(shared)
    code = allow(signed_in(shared), client_id)
    later(minutes=6)

    assert "has expired" in exchange(shared, client_id, code).json["error_description"]


def test_a_code_is_not_one_of_another_sign_in(shared: ServicesOnly) -> None:
    """Otherwise it would get tokens for all projects."""
    client_id = registered(shared)
    body = {"clientId": client_id, "redirectUri": CALLBACK, "codeVerifier": VERIFIER}
    code = allow(signed_in(shared), client_id)

    assert management(shared).post("/v1/auth/token", {**body, "code": code}).status == 400


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


def test_a_second_factor_is_asked_for_before_the_page(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    enable_second_factor(shared, user)
    browser = Browser(shared)
    assert "Second factor" in browser.sign_in(user).text

    assert open_page(browser, registered(shared)).status == 303


@on_one_database
@pytest.mark.parametrize(
    "address",
    [
        "http://evil.example/callback",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1@evil.example/",
        "https://user@evil.example/",
        "https://evil.example\\@good.example/",
        "https://good.example/#fragment",
        "https://good.example;script-src *",
        "https://good.example:99999/",
        "https://",
        "//evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "http://127.0.0.1/\r\nSet-Cookie: a=b",
        "",
    ],
)
def test_other_addresses_are_not_registered(shared: ServicesOnly, address: str) -> None:
    refused = register(shared, address)
    assert (refused.status, refused.json["error"]) == (400, "invalid_redirect_uri")

    beside = register(shared, address, "https://good.example/callback")
    assert beside.json["redirect_uris"] == ["https://good.example/callback"], "one that is allowed is enough"


@on_one_database
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"redirect_uris": []},
        {"redirect_uris": "https://good.example"},
        {"redirect_uris": [5]},
        {"redirect_uris": ["https://good.example/" + "x" * 2_000]},
        {"redirect_uris": [f"https://good.example/{number}" for number in range(21)]},
        {"redirect_uris": [CALLBACK], "client_name": "x" * 256},
        {"redirect_uris": [CALLBACK], "grant_types": ["client_credentials"]},
        {"redirect_uris": [CALLBACK], "response_types": ["token"]},
    ],
)
def test_a_registration_is_checked(shared: ServicesOnly, body: dict[str, Any]) -> None:
    refused = management(shared).post("/oauth/register", body)

    assert (refused.status, refused.json["error"]) == (400, "invalid_client_metadata")


@on_one_database
def test_a_large_registration_is_refused(shared: ServicesOnly) -> None:
    body = json.dumps({"redirect_uris": [CALLBACK], "software_statement": "x" * 30_000}).encode()
    refused = management(shared).send("POST", "/oauth/register", body, {"Content-Type": "application/json"})

    assert (refused.status, refused.json["error"]) == (413, "invalid_request")


@on_one_database
def test_a_client_that_wants_a_secret_is_registered_without_one(shared: ServicesOnly) -> None:
    response = register(shared, token_endpoint_auth_method="client_secret_basic", scope="x y").json

    assert response["token_endpoint_auth_method"] == "none"
    assert "client_secret" not in response


def test_the_oldest_client_that_nobody_uses_makes_room(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "MAX_CLIENTS", 2)
    used, _ = let_in(services)
    unused = registered(services)
    newest = registered(services)
    with services.stack.database.reading() as tx:
        known = {client.id for client in tx.all(select(clients), into=Client)}

    assert known == {used, newest}
    assert unused not in known
    allow(signed_in(services), newest)
    full = register(services)
    assert (full.status, "no more are accepted" in full.json["error_description"]) == (429, True)


def test_clients_that_nobody_uses_are_removed(services: ServicesOnly, later: Callable[..., None]) -> None:
    used, _ = let_in(services)
    unused, browser = registered(services), signed_in(services)
    later(hours=11)
    assert open_page(browser, unused).status == 200
    later(hours=14)
    remove_expired(services.stack)

    browser = signed_in(services)
    assert open_page(browser, unused).status == 400
    assert open_page(browser, used).status == 200
    later(days=40)
    remove_expired(services.stack)
    assert open_page(signed_in(services), used).status == 400


def test_one_address_does_not_register_without_end(services_behind_proxy: ServicesOnly) -> None:
    client = management(services_behind_proxy)
    body = {"redirect_uris": [CALLBACK]}

    def send_from(address: str) -> Response:
        client.headers = {"X-Forwarded-For": address}
        return client.post("/oauth/register", body)

    statuses = [send_from("203.0.113.5").status for _ in range(52)]
    assert statuses == [201] * 50 + [429] * 2
    assert send_from("203.0.113.5").json["error"] == "rate_limit_exceeded"
    assert send_from("198.51.100.7").status == 201


def test_the_operator_may_list_the_address_of_a_program(new_data_folder: Path, tmp_path: Path) -> None:
    address = "cursor://anysphere.cursor-mcp/oauth/callback"
    shutil.copytree(new_data_folder, tmp_path / "data")
    with closing(ServicesOnly(tmp_path / "data", login_redirects=[address])) as stack:
        browser = signed_in(stack)
        page = open_page(browser, registered(stack, address, CALLBACK), redirect_uri=address)

        assert "form-action 'self' cursor:;" in page.headers["content-security-policy"]
        assert decide(browser, page).headers["location"].startswith(f"{address}?code=")
