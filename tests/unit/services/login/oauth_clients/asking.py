"""A program that registers itself, and the person who lets it in, over HTTP."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from penstock.services.login.authorizing import make_challenge
from penstock.services.management.models.people import User
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    FORM,
    Browser,
    as_person,
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
