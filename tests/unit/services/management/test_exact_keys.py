"""Answers that generated clients decode strictly have exactly the keys of `tests/data/management_keys.json`.

`keys` are those for clients that refuse others, by their User-Agent; `more` are those that all others get besides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_person, add_place, made, new_name, patch

LINES = json.loads((Path(__file__).parents[3] / "data" / "management_keys.json").read_text())
STRICT, OTHER = "OpenAPI-Generator/1.0.0/go", "penstock-tests"


@pytest.fixture(scope="module")
def things(shared: ServicesOnly) -> dict[str, Any]:
    """One of everything, so that no list is empty; the clients of a super administrator and of one who asks."""
    boss, asker = add_person(shared, is_super=True), add_person(shared)
    place = add_place(boss.http)
    maintainer, organization, project = (
        f"/manage/maintainers/{place.maintainer}",
        f"/manage/organizations/{place.organization}",
        f"/manage/projects/{place.project}",
    )
    for owner in (maintainer, organization, project):
        made(boss.http.post(f"{owner}/invitations", {"email": f"{new_name('key')}@example.com"}))
        made(boss.http.post(f"{owner}/metadata", {"metadata": [{"key": "a", "value": "b"}]}))
    made(boss.http.post(f"/manage/users/{boss.id}/metadata", {"metadata": [{"key": "a", "value": "b"}]}))
    made(boss.http.post(f"{organization}/users", {"id": asker.id}))
    made(patch(boss.http, organization, {"allowAutoJoin": False}), 200)
    made(asker.http.post(f"{project}/request-access", {}))
    return {
        "maintainer_id": place.maintainer,
        "organization_id": place.organization,
        "project_id": place.project,
        "user": boss.id,
        "boss": boss.http,
        "asker": asker.http,
    }


@pytest.mark.every_twin
@pytest.mark.parametrize("agent", [STRICT, OTHER])
@pytest.mark.parametrize("line", LINES, ids=[line["row"] for line in LINES])
def test_an_answer_has_exactly_these_keys(things: dict[str, Any], line: dict[str, Any], agent: str) -> None:
    known: dict[str, Any] = {**things, **(_delete_two(things["boss"]) if "deleted" in str(line) else {})}
    by: Http = known[line.get("by", "boss")]
    client = Http(by.base, None, headers={HEADER: by.headers[HEADER], "User-Agent": agent})
    method, path = line["row"].split(" ")
    body = (
        json.loads(json.dumps(line["body"]).replace("$also_deleted", str(known.get("also_deleted"))))
        if "body" in line
        else None
    )

    response = client.send(
        method,
        path.format(**known),
        json.dumps(body).encode() if body else None,
        {"Content-Type": "application/json"},
    )

    assert response.status in (200, 201), response.text
    assert response.headers["content-type"] == "application/json"
    items = response.json if isinstance(response.json, list) else [response.json]
    assert items
    expected = {*line["keys"], *(line.get("more", []) if agent == OTHER else [])}
    assert [set(item) for item in items] == [expected] * len(items)


def _delete_two(boss: Http) -> dict[str, int]:
    numbers = [add_place(boss).project for _ in range(2)]
    for number in numbers:
        boss.delete(f"/manage/projects/{number}")
    return dict(zip(("deleted", "also_deleted"), numbers, strict=True))
