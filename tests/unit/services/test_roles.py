"""Every role of a member at every row of every service: what it is answered follows from the row."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.callers import Right
from penstock.services.management.interface import ROLES
from penstock.services.management.models.people import Role
from penstock.web.routing import Route
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.members import add_member_with
from tests.unit.services.world import ROWS, World, in_order, name_of

CLOSED = [row for row in ROWS if row.needs is not Right.PUBLIC and not row.auth]
READ = [row for row in CLOSED if not row.writes]
EXPORTED = {
    *("storage_jobs", "storage_files", "storage_file_tags", "storage_blobs", "storage_events"),
    *("query_jobs", "query_statements", "foundation_sequences"),
    *("billing_entries", "billing_days", "billing_accounts"),
}
"""Tables that rows which only read may add to: an export is a job, and makes a file; a preview is charged."""


@pytest.fixture
def own_world(made_worlds: tuple[Path, World, World], tmp_path: Path) -> Generator[tuple[ServicesOnly, World]]:
    shutil.copytree(made_worlds[0], tmp_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    stack = ServicesOnly(tmp_path / "data")
    yield stack, made_worlds[1].at(stack)
    stack.close()


@pytest.mark.parametrize("role", ["admin", "share"])
def test_an_administrator_is_refused_at_no_row(own_world: tuple[ServicesOnly, World], role: Role) -> None:
    services, world = own_world
    client = add_member_with(services, world.project, role)

    responses = [(row, world.ask(row, client)) for row in in_order(CLOSED)]

    assert [_show(row, response) for row, response in responses if response.status in (401, 403)] == []


@pytest.mark.parametrize("role", ["readOnly", "guest"])
def test_a_role_that_reads_is_refused_at_every_row_that_writes(
    own_world: tuple[ServicesOnly, World], role: Role
) -> None:
    services, world = own_world
    admin, client = (add_member_with(services, world.project, each) for each in ("admin", role))
    expected = {row.handler: world.ask(row, admin).status for row in READ}
    before = _read_state(services)

    responses = [(row, world.ask(row, client)) for row in in_order(CLOSED)]

    wrong = [each for each in responses if not _is_right(*each, role, expected)]
    assert [_show(*each) for each in wrong] == []
    after = _read_state(services)
    assert [name for name in before if before[name] != after[name]] == []


def test_every_role_is_tried() -> None:
    assert set(ROLES) == {"admin", "share", "readOnly", "guest"}
    assert any(row.is_confidential for row in READ)


def _is_right(row: Route, response: Response, role: str, expected: dict[Any, int]) -> bool:
    is_hidden = row.is_confidential or row.needs in (Right.MANAGE_TOKENS, Right.MASTER)
    if row.writes or (role == "guest" and is_hidden):
        return response.status == 403 and f'"{role}"' in str(response.json)
    if role == "guest" and "token_id" in row.parameters:
        return response.status == 403  # it is somebody else's
    return response.status == expected[row.handler]


def _show(row: Route, response: Response) -> str:
    return f"{name_of(row)} {row.path[:25]}: {response.status} {response.text[:200]}"


def _read_state(services: ServicesOnly) -> dict[str, list[Any]]:
    with sqlite3.connect(services.stack.folder / "metadata.sqlite") as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names if name not in EXPORTED}
