"""Who gets in without a token, and where a token works. What rows answer to wrong ones: test_authorization.py."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import pytest

from penstock.app import list_services
from penstock.foundation.callers import Right
from tests.support.corpora import read_lines
from tests.support.stacks import ServicesOnly
from tests.unit.services.wrong_tokens import wrong_tokens

ROWS = [(service.id, row) for service in list_services() for row in service.routes]
OPEN = {f"{name} {row.method} {row.path}" for name, row in ROWS if row.needs is Right.PUBLIC}


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
    yield Stacks(here, there, wrong_tokens(here, there.project.token))
    here.close()
    there.close()


def test_only_these_routes_are_open() -> None:
    assert set(read_lines("public_routes.txt")) == OPEN


def test_a_token_works_only_in_its_own_stack(stacks: Stacks) -> None:
    here, there = stacks.here, stacks.there

    assert there.service("storage", there.project.token).get("/v2/storage/tokens/verify").status == 200
    response = there.service("storage", here.project.token).get("/v2/storage/tokens/verify")
    assert (response.status, response.json["error"]) == (401, "Invalid access token")


@pytest.mark.parametrize("kind", ["malformed", "revoked", "expired", "of another stack"])
def test_an_open_route_does_not_look_at_the_token(stacks: Stacks, kind: str) -> None:
    token = stacks.tokens[kind]

    assert stacks.here.service("storage", token).get("/v2/storage").status == 200
    assert stacks.here.service("portal", token).get("/apis.json").status == 200


def test_within_a_branch_a_component_is_not_open(stacks: Stacks) -> None:
    storage = stacks.here.service("storage", token="")

    assert storage.get("/v2/storage/components/ex-generic-v2").status == 200
    assert storage.get("/v2/storage/branch/default/components/ex-generic-v2").status == 401
