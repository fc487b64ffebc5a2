"""Every role of a member at every row of every service: what it is answered follows from the row."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from sqlalchemy import select

from penstock.foundation.callers import Right
from penstock.foundation.database import metadata
from penstock.services.management.interface import ROLES
from penstock.services.management.models.people import Role
from penstock.services.storage.store.workspaces import workspaces
from penstock.web.routing import Route
from tests.support.examples import IS_SOAK, part_of
from tests.support.http import Response
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly
from tests.unit.services.members import add_member_with
from tests.unit.services.world import BRANCH, ROWS, World, in_order, name_of, with_some_twins, without_twins

CLOSED = [row for row in ROWS if row.needs is not Right.PUBLIC and not row.auth]
ALONE = without_twins(CLOSED)
"""For one of two roles that are much the same, and for PostgreSQL: roles are compared with what a row declares."""
READ = [row for row in CLOSED if not row.writes]
FOR_READERS = {
    *("POST /v2/storage/workspaces", "DELETE /v2/storage/workspaces/{workspace_id}"),
    *("POST /sql/sessions", "DELETE /sql/sessions/{session_id}"),
    "POST /api/v1/queries/{job_id}/cancel",
}
"""Rows that write, and that roles which read may send for what is their own: here only the first of each pair is."""
RUN_QUERY = "/sql/sessions/{session_id}/run-query"
OF_READERS = ("storage_workspaces", "editor_sessions")
"""Tables to which those rows add."""
SHARING = [row for row in in_order(CLOSED) if row.needs is Right.SHARE_BUCKETS]
MOST = [*SHARING, *(row for row in with_some_twins(CLOSED) if row.needs is not Right.SHARE_BUCKETS)]
EXPORTED = {
    *("storage_jobs", "storage_files", "storage_file_tags", "storage_blobs", "storage_events"),
    *("query_jobs", "query_statements", "foundation_sequences"),
    *("billing_entries", "billing_days", "billing_accounts"),
}
"""Tables that rows which only read may add to: an export is a job, and makes a file; a query is charged."""


@pytest.fixture(scope="module")
def world_on_postgresql(
    made_world_on_postgresql: tuple[NewStack, World], tmp_path_factory: pytest.TempPathFactory
) -> Generator[tuple[ServicesOnly, World]]:
    """For tests that are refused: it is shared by them."""
    made, world = made_world_on_postgresql
    services = made.copy(tmp_path_factory.mktemp("roles") / "data")
    yield services, world.at(services)
    made.close(services)


@pytest.mark.parametrize(
    ("role", "rows"), [("admin", MOST), ("share", [*SHARING, *part_of(ALONE, 0)])], ids=["admin", "share"]
)
def test_an_administrator_is_refused_at_no_row_but_those_that_share_buckets(
    own_world: tuple[ServicesOnly, World], role: Role, rows: list[Route]
) -> None:
    services, world = own_world
    client = add_member_with(services, world.project, role)

    responses = [(row, world.ask(row, client)) for row in in_order(rows)]

    refused = [(row, response) for row, response in responses if response.status in (401, 403)]
    expected = SHARING if role == "admin" else []
    assert [row for row, _ in refused] == expected, [_show(*each) for each in refused]
    assert all(f'"{role}"' in str(response.json) for _, response in refused)


def test_an_administrator_of_the_organization_shares_buckets(own_world: tuple[ServicesOnly, World]) -> None:
    services, world = own_world
    client = add_member_with(services, world.project, "admin", of_organization=True)

    responses = [(row, world.ask(row, client)) for row in SHARING]

    assert [_show(*each) for each in responses if each[1].status in (401, 403)] == []


@pytest.mark.parametrize(("role", "rows"), [("readOnly", MOST), ("guest", ALONE)], ids=["readOnly", "guest"])
def test_a_role_that_reads_is_refused_at_every_row_that_writes(
    own_world: tuple[ServicesOnly, World], role: Role, rows: list[Route]
) -> None:
    _check_reads_only(*own_world, role, rows)


@pytest.mark.parametrize("role", ["readOnly", "guest"] if IS_SOAK else ["guest"])
def test_a_role_that_reads_is_refused_on_postgresql_too(
    world_on_postgresql: tuple[ServicesOnly, World], role: Role
) -> None:
    _check_reads_only(*world_on_postgresql, role, ALONE)


def test_who_shares_buckets_is_the_same_on_postgresql(world_on_postgresql: tuple[ServicesOnly, World]) -> None:
    services, world = world_on_postgresql
    plain = add_member_with(services, world.project, "admin")
    others = [
        add_member_with(services, world.project, "share"),
        add_member_with(services, world.project, "admin", of_organization=True),
    ]

    for row in SHARING:
        assert world.ask(row, plain).status == 403
        assert {world.ask(row, each).status for each in others}.isdisjoint({401, 403})


def _check_reads_only(services: ServicesOnly, world: World, role: Role, rows: list[Route]) -> None:
    admin, client = (add_member_with(services, world.project, each) for each in ("admin", role))
    expected = {row.handler: world.ask(row, admin).status for row in rows if not row.writes}
    before, workspaces_before = _read_state(services), _list_workspaces(services)

    responses = [(row, world.ask(row, client)) for row in in_order(rows)]

    wrong = [each for each in responses if not _is_right(*each, role, expected)]
    assert [_show(*each) for each in wrong] == []
    after = _read_state(services)
    assert [name for name in before if before[name] != after[name] and name not in OF_READERS] == []
    assert all(set(before[name]) <= set(after[name]) for name in OF_READERS)
    assert {use_case for _, use_case in _list_workspaces(services) - workspaces_before} == {"reader"}


def test_every_role_is_tried() -> None:
    assert set(ROLES) == {"admin", "share", "readOnly", "guest"}
    assert any(row.is_confidential for row in READ)


def test_rows_that_write_and_are_open_to_roles_that_read_are_these() -> None:
    paths = {f"{row.method} {row.path.replace(BRANCH, '')}" for row in CLOSED if row.is_for_readers}
    assert paths == FOR_READERS


def _is_right(row: Route, response: Response, role: str, expected: dict[Any, int]) -> bool:
    is_hidden = row.is_confidential or row.needs in (Right.MANAGE_TOKENS, Right.MASTER)
    if row.is_for_readers and row.method == "POST" and not set(row.parameters) - {"branch"}:
        return response.status == 201
    if row.writes or (role == "guest" and is_hidden):
        return response.status == 403 and f'"{role}"' in str(response.json)
    if row.path == RUN_QUERY or (role == "guest" and "token_id" in row.parameters):
        return response.status == 403  # it is somebody else's
    return response.status == expected[row.handler]


def _show(row: Route, response: Response) -> str:
    return f"{name_of(row)} {row.path[:25]}: {response.status} {response.text[:200]}"


def _list_workspaces(services: ServicesOnly) -> set[tuple[int, str]]:
    with services.stack.database.reading() as tx:
        return {(row.id, row.use_case) for row in tx.connection.execute(select(workspaces))}


def _read_state(services: ServicesOnly) -> dict[str, list[Any]]:
    tables = [table for table in metadata.sorted_tables if table.name not in EXPORTED]
    with services.stack.database.reading() as tx:
        return {each.name: sorted(map(repr, tx.connection.execute(select(each)))) for each in tables}
