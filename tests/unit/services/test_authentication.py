"""Who gets in: every row of every table that asks for a token, with every kind of wrong one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import pytest

from penstock.app import SERVICES
from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.web.routing import Route
from tests.support.http import Answer, Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.wrong_tokens import INVALID, SENTENCES, wrong_tokens

ROWS = [(service.id, row) for make in SERVICES for service in [make()] for row in service.routes]
# Those of Storage are in storage/test_authorization.py: there they are asked for things that exist.
CLOSED = [(name, row) for name, row in ROWS if row.needs is not Right.PUBLIC and name != STORAGE]
OPEN = {(name, row.method, row.path) for name, row in ROWS if row.needs is Right.PUBLIC}


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


def ask(services: ServicesOnly, name: str, row: Route, token: str | None) -> Answer:
    path = re.sub(r"\{\w+\}", "1", row.path.replace("{branch}", "default").replace("{component_id}", "ex-generic-v2"))
    client = Http(f"http://127.0.0.1:{services.port}/_svc/{name}", token)
    body = b"not even json" if row.body else None
    return client.send(row.method, path, body, {"Content-Type": "application/json"})


@pytest.mark.parametrize(("name", "row"), CLOSED, ids=[f"{name} {row.method} {row.path}" for name, row in CLOSED])
def test_a_closed_route_refuses_every_wrong_token(stacks: Stacks, name: str, row: Route) -> None:
    for kind, token in stacks.tokens.items():
        answer = ask(stacks.here, name, row, token)
        assert answer.status == answer.json["code"] == 401, kind
        assert answer.json["error"] == SENTENCES.get(kind, INVALID), kind


def test_only_these_routes_are_open() -> None:
    assert {
        ("storage", "GET", "/v2/storage"),
        ("storage", "GET", "/"),
        ("storage", "GET", "/v2/storage/components/{component_id}"),
        # Here the signature in the address is the proof; test_blobs.py alters it in every way.
        ("storage", "GET", "/penstock.blob.core.windows.net/{container}/{blob:path}"),
        ("storage", "PUT", "/penstock.blob.core.windows.net/{container}/{blob:path}"),
        ("queue", "GET", "/"),
        ("queue", "GET", "/health-check"),
        ("vault", "GET", "/"),
        ("vault", "GET", "/health-check"),
        ("vault", "POST", "/health-check"),
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
