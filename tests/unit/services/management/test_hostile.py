"""Hostile names and values in every path, query and body of every row of the Manage API: the response is a sentence."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
import pytest

from penstock.app import list_services
from penstock.web.routing import Route
from tests.support.examples import IS_SOAK, part_of
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services import hostile
from tests.unit.services.management.people import add_person, add_place, new_name

ROWS = [
    row
    for service in list_services()
    if service.id == "management"
    for row in service.routes
    if not row.auth and row.is_documented
]
JSON = {"Content-Type": "application/json"}
EXAMPLES = 4 if IS_SOAK else 2


@pytest.fixture(scope="module")
def boss(shared: ServicesOnly) -> Http:
    return add_person(shared, is_super=True).http


@pytest.fixture(scope="module")
def known(shared: ServicesOnly, boss: Http) -> dict[str, str]:
    place, person = add_place(boss), add_person(shared)
    numbers = {"maintainer_id": place.maintainer, "organization_id": place.organization, "project_id": place.project}
    names = {"user": person.email, "template_id": "demo", "backend_id": "1", "file_storage_id": "1", "feature_id": "2"}
    return {**{name: str(number) for name, number in numbers.items()}, **names}


# What a value does to the SQL of a row differs between the databases.
@pytest.mark.every_twin
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_no_value_breaks_a_row(boss: Http, known: dict[str, str], row: Route) -> None:
    chosen = Random(f"{row.method} {row.path}")
    for name in row.parameters:
        for text in chosen.sample(hostile.draw(hostile.texts), EXAMPLES):
            _check(_send(boss, row, {**known, name: text}))
    for name in _fields(row.query):
        for text in chosen.sample(hostile.draw(hostile.texts), EXAMPLES):
            query = urlencode({name: text}, errors="surrogatepass")
            _check(_send(boss, row, known, query=f"?{query}"))
    for name in _fields(row.body):
        for value in chosen.sample(hostile.draw(hostile.values), EXAMPLES):
            _check(_send(boss, row, known, json.dumps({**_body(), name: value}).encode()))
    for body in part_of(hostile.BODIES, ROWS.index(row), len(hostile.BODIES) // 4) if row.body else ():
        _check(_send(boss, row, known, body))


def _fields(model: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(model)] if model else []


def _body() -> dict[str, Any]:
    """Something for every field that a body may need; others are ignored."""
    name = new_name("hostile")
    return {
        "name": name,
        "email": f"{name}@example.com",
        "feature": "native-types",
        "description": name,
        "title": name,
        "type": "project",
        "limits": [],
        "metadata": [],
        "amount": 1,
        "isDisabled": False,
        "organizationId": 1,
        "storageBackendId": 1,
        "fileStorageId": 1,
        "command": name,
        "code": name,
        "manifestUrl": name,
    }


def _send(
    boss: Http, row: Route, values: dict[str, str], body: bytes | None = None, query: str = ""
) -> tuple[str, Response]:
    filled = {name: quote(values.get(name, "1"), safe="", errors="surrogatepass") for name in row.parameters}
    path = f"{row.template.format(**filled)}{query}"
    sent = body if body is not None else json.dumps(_body()).encode() if row.body else None
    return f"{row.method} {path} {sent!r:.200}", boss.send(row.method, path, sent, JSON)


def _check(sent: tuple[str, Response]) -> None:
    asked, response = sent
    assert response.status < 500, f"{asked}: {response.text}"
    if response.status >= 400:
        assert response.headers["content-type"] == "application/json", asked
        assert response.json["error"], asked
