"""Programs that register themselves: with which addresses, how large, and how many."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from penstock.services.login.oauth import clients as registration
from penstock.services.login.service import remove_expired
from penstock.services.login.store.clients import Client, clients
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database
from tests.unit.services.login.oauth_clients.asking import (
    CALLBACK,
    allow,
    decide,
    let_in,
    open_page,
    register,
    registered,
    signed_in,
)
from tests.unit.services.login.people import (
    management,
)


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
