"""Who gets in: every row of every table that asks for a token, with every kind of wrong one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from penstock.app import SERVICES
from penstock.foundation import clock
from penstock.foundation.callers import Right
from penstock.web.routing import Route
from tests.support.http import Answer, Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

ROWS = [(service.id, row) for make in SERVICES for service in [make()] for row in service.routes]
CLOSED = [(name, row) for name, row in ROWS if row.needs is not Right.PUBLIC]
OPEN = {(name, row.method, row.path) for name, row in ROWS if row.needs is Right.PUBLIC}

MISSING = {"error": "Access token must be set"}
INVALID = {"error": "Invalid access token"}
EXPIRED = {"error": "The access token has expired."}


class Stacks(NamedTuple):
    here: ServicesOnly
    there: ServicesOnly
    tokens: dict[str, str | None]


@pytest.fixture(scope="module")
def stacks(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Stacks]:
    """Two stacks side by side, and a token of every kind that the first must refuse."""
    folder = tmp_path_factory.mktemp("stacks")
    shutil.copytree(new_data_folder, folder / "here")
    here, there = ServicesOnly(folder / "here"), ServicesOnly(folder / "there")
    yield Stacks(here, there, wrong_tokens(here, there))
    here.close()
    there.close()


def wrong_tokens(here: ServicesOnly, there: ServicesOnly) -> dict[str, str | None]:
    storage = here.service("storage")
    project, number, secret = here.project.token.split("-")
    revoked = storage.post("/v2/storage/tokens", {"canManageBuckets": True}).json
    storage.delete(f"/v2/storage/tokens/{revoked['id']}")
    foreign = add_project(here).token.split("-")
    return {
        "none": None,
        "empty": "",
        "malformed": "nonsense",
        "malformed: secret only": secret,
        "malformed: spaces inside": f"{project} - {number} - {secret}",
        "malformed: capitals": f"{project}-{number}-{secret.upper()}",
        "malformed: longer": here.project.token + "0",
        "malformed: huge ids": f"{'9' * 30}-{'9' * 30}-{secret}",
        "unknown: id": f"{project}-999999-{secret}",
        "unknown: project": f"999999-{number}-{secret}",
        "unknown: secret": f"{project}-{number}-{'0' * 60}",
        "revoked": revoked["token"],
        "expired": expired_token(here),
        "of another project, with our number": f"{project}-{foreign[1]}-{foreign[2]}",
        "of ours, with another's number": f"{foreign[0]}-{number}-{secret}",
        "of another stack": there.project.token,
    }


def expired_token(services: ServicesOnly) -> str:
    before, clock.source = clock.source, lambda: before() - timedelta(hours=1)
    try:
        return services.service("storage").post("/v2/storage/tokens", {"expiresIn": 60}).json["token"]
    finally:
        clock.source = before


def ask(services: ServicesOnly, name: str, row: Route, token: str | None) -> Answer:
    path = re.sub(r"\{\w+\}", "1", row.path.replace("{branch}", "default").replace("{component_id}", "ex-generic-v2"))
    client = Http(f"http://127.0.0.1:{services.port}/_svc/{name}", token)
    body = b"not even json" if row.body else None
    return client.send(row.method, path, body, {"Content-Type": "application/json"})


@pytest.mark.parametrize(("name", "row"), CLOSED, ids=[f"{name} {row.method} {row.path}" for name, row in CLOSED])
def test_a_closed_route_refuses_every_wrong_token(stacks: Stacks, name: str, row: Route) -> None:
    for kind, token in stacks.tokens.items():
        answer = ask(stacks.here, name, row, token)
        expected = MISSING if kind in ("none", "empty") else EXPIRED if kind == "expired" else INVALID
        assert answer.status == 401, kind
        assert answer.json["error"] == expected["error"], kind
        if name == "storage":
            assert answer.json.get("code") == (None if expected is MISSING else "storage.tokenInvalid"), kind
            assert answer.json.keys() - {"code"} == {"error", "status", "exceptionId"}
        else:
            assert answer.json["code"] == 401


def test_only_these_routes_are_open() -> None:
    assert {
        ("storage", "GET", "/v2/storage"),
        ("storage", "GET", "/"),
        ("storage", "GET", "/v2/storage/components/{component_id}"),
        ("queue", "GET", "/"),
        ("queue", "GET", "/health-check"),
        ("portal", "GET", "/"),
        ("portal", "GET", "/apis.json"),
        ("portal", "GET", "/specs/{file}"),
        ("portal", "GET", "/portal.js"),
        ("sample", "GET", "/"),
        ("sample", "GET", "/customers"),
        ("sample", "GET", "/customers/{customer_id}/orders"),
        ("sample", "GET", "/orders"),
        ("sample", "GET", "/products"),
        ("sample", "GET", "/products.csv"),
        ("sample", "GET", "/products.ndjson"),
        ("sample", "POST", "/products/search"),
    } == OPEN


def test_a_token_works_only_in_its_own_stack(stacks: Stacks) -> None:
    here, there = stacks.here, stacks.there

    assert there.service("storage", there.project.token).get("/v2/storage/tokens/verify").status == 200
    answer = there.service("storage", here.project.token).get("/v2/storage/tokens/verify")
    assert (answer.status, answer.json["error"]) == (401, "Invalid access token")


@pytest.mark.parametrize("kind", ["malformed", "revoked", "expired", "of another stack"])
def test_an_open_route_does_not_look_at_the_token(stacks: Stacks, kind: str) -> None:
    token = stacks.tokens[kind]

    assert stacks.here.service("storage", token).get("/v2/storage").status == 200
    assert stacks.here.service("portal", token).get("/apis.json").status == 200


def test_within_a_branch_a_component_is_not_open(stacks: Stacks) -> None:
    storage = stacks.here.service("storage", token="")

    assert storage.get("/v2/storage/components/ex-generic-v2").status == 200
    assert storage.get("/v2/storage/branch/default/components/ex-generic-v2").status == 401
