"""Every standing with every row of the Manage API: what a row answers follows from the right that it declares.

The rows are those of the route table, so a new one is tried by itself. Each is asked with a body that nobody would
take: whoever may not is refused before, and whoever may is told what is wrong with it, or is answered.
"""

from __future__ import annotations

import pytest

from penstock.app import list_services
from penstock.foundation.callers import AnyRight, Right
from penstock.web.routing import Route
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import (
    Person,
    Place,
    add_person,
    add_place,
    client,
    made,
    patch,
    program,
)

ROWS = [
    row
    for service in list_services()
    if service.id == "management"
    for row in service.routes
    if row.path.startswith("/manage") and not row.auth
]
NO_JSON = b"not even json"
UNKNOWN, REFUSED = 404, 403

ABOVE = {"member of the maintainer", "member of the organization"}
INSIDE = {"admin", "guest", "readOnly", "share"}
OPEN, CLOSED = "open", "closed"
"""Whether members above may administer what is below: `allowAutoJoin`."""

READERS: dict[AnyRight, set[str]] = {
    Right.MAINTAINER: {"member of the maintainer"},
    Right.READ_ORGANIZATION: ABOVE,
    Right.MANAGE_ORGANIZATION: ABOVE,
    Right.READ_PROJECT: ABOVE | INSIDE,
    Right.READ_MEMBERS: ABOVE | INSIDE,
    Right.MANAGE_PROJECT: ABOVE | INSIDE,
    Right.SAME_USER: {"same user"},
}
"""Who is told that the object exists. Everybody else is told that it does not."""
MANAGERS: dict[AnyRight, dict[str, set[str]]] = {
    Right.MANAGE_ORGANIZATION: {OPEN: ABOVE, CLOSED: {"member of the organization"}},
    Right.READ_MEMBERS: dict.fromkeys((OPEN, CLOSED), (ABOVE | INSIDE) - {"guest"}),
    Right.MANAGE_PROJECT: {OPEN: ABOVE | {"admin", "share"}, CLOSED: {"admin", "share"}},
}
"""Who may, where not everybody who may read may."""

TRIED = [row for row in ROWS if row.method != "DELETE" or "{" in row.path]
BELOW = [row for row in TRIED if READERS.get(row.needs, set()) >= ABOVE]
"""Rows about an organization or a project."""
FIRSTS = [next(row for row in TRIED if row.needs is right) for right in {row.needs: None for row in TRIED}]
"""One of each right."""


class Cast:
    """A place, and people with every standing towards it."""

    def __init__(self, services: ServicesOnly, kind: str) -> None:
        self.boss = program(services, "super")
        self.place = add_place(self.boss)
        self.subject = add_person(services)
        self.people: dict[str, Http] = {
            "super administrator": add_person(services, is_super=True).http,
            "program with the scope super": self.boss,
            "stranger": add_person(services).http,
            "same user": self.subject.http,
            "member of another project": self._member_of(services, add_place(self.boss), "admin").http,
            "program with another scope": program(services, "oauth:manage"),
            "nobody": client(services, None),
        }
        for level, number in (("maintainer", self.place.maintainer), ("organization", self.place.organization)):
            person = add_person(services)
            made(self.boss.post(f"/manage/{level}s/{number}/users", {"id": person.id}))
            self.people[f"member of the {level}"] = person.http
        for role in INSIDE:
            self.people[role] = self._member_of(services, self.place, role).http
        patch(self.boss, f"/manage/organizations/{self.place.organization}", {"allowAutoJoin": kind == OPEN})

    def _member_of(self, services: ServicesOnly, place: Place, role: str) -> Person:
        person = add_person(services)
        self.boss.post(f"/manage/projects/{place.project}/users", {"email": person.email, "role": role})
        return person

    def fill(self, row: Route) -> str:
        ours = {
            "maintainer_id": self.place.maintainer,
            "organization_id": self.place.organization,
            "project_id": self.place.project,
            "user": self.subject.id if row.needs in (Right.SAME_USER, Right.SUPER) else "nobody@example.com",
            "template_id": "demo",
        }
        return row.template.format(**{name: ours.get(name, 987_654_321) for name in row.parameters})


@pytest.fixture(scope="module")
def opened(shared: ServicesOnly) -> Cast:
    return Cast(shared, OPEN)


@pytest.fixture(scope="module")
def closed(shared: ServicesOnly) -> Cast:
    return Cast(shared, CLOSED)


def test_every_row_declares_a_right_that_is_tried_here() -> None:
    known = {Right.PUBLIC, Right.TOKEN, Right.USER, Right.SUPER, *READERS}

    assert {row.needs for row in ROWS} <= known
    assert [row.path for row in ROWS if row.needs is Right.PUBLIC] == ["/manage/ui-apps"]


@pytest.mark.parametrize("row", TRIED, ids=[f"{row.method} {row.path}" for row in TRIED])
def test_a_row_lets_in_whom_its_right_names_and_nobody_else(opened: Cast, row: Route) -> None:
    assert _find_wrong(opened, row, OPEN) == []


@pytest.mark.parametrize(
    "row",
    [row for row in TRIED if row in BELOW or row in FIRSTS],
    ids=lambda row: f"{row.method} {row.path}",
)
def test_so_it_does_where_members_above_do_not_administer_what_is_below(closed: Cast, row: Route) -> None:
    assert _find_wrong(closed, row, CLOSED) == []


def _find_wrong(people: Cast, row: Route, kind: str) -> list[str]:
    path, found = people.fill(row), list[str]()
    for who, http in people.people.items():
        if _is_let_in(row, who, kind) and (row.method != "GET" and not row.body):
            continue  # it would be done: the tests of each resource do that
        response = http.send(row.method, path, NO_JSON if row.body else None, {"Content-Type": "application/json"})
        if not _is_expected(row, who, kind, response.status):
            found.append(f"{who}: {response.status} {response.text[:200]}")
    return found


def _is_let_in(row: Route, who: str, kind: str) -> bool:
    return _expected_refusal(row, who, kind) is None


def _is_expected(row: Route, who: str, kind: str, status: int) -> bool:
    refusal = _expected_refusal(row, who, kind)
    if refusal is not None:
        return status == refusal
    # Let in: answered, told that the body is not JSON, or that what is inside of the object is not there.
    return status == 400 if row.body else status in (200, 404)


def _expected_refusal(row: Route, who: str, kind: str) -> int | None:
    if row.needs is Right.PUBLIC:
        return None
    if who == "nobody":
        return 401
    is_super = who in ("super administrator", "program with the scope super")
    if row.needs is Right.TOKEN or (is_super and row.needs is not Right.USER):
        return None
    if row.needs is Right.USER:
        return REFUSED if who.startswith("program") else None
    if row.needs is Right.SUPER or who == "program with another scope":
        return REFUSED
    if who not in READERS[row.needs] or (who == "member of the organization" and row.needs is Right.MAINTAINER):
        return UNKNOWN
    managers = MANAGERS.get(row.needs, {}).get(kind, READERS[row.needs])
    return None if who in managers else REFUSED
