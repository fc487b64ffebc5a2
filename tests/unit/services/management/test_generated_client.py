"""The generated client of the official Go SDK decodes our responses.

The SDK is not installed here. `tests/data/management_models.json` holds what its package `management` was generated
from: the type of every field that it decodes, and the calls with the bodies that it sends, where numbers and booleans
are often strings. `_problems` applies the rules of Go's decoder: null is valid for every type, and a value of another
type is an error. In a strict model every field is required unless its name ends with `?`, and unknown fields are
an error, also in nested objects.

One call is left out: the client decodes the projects of an organization as one object, although they are a list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_person, add_place, made, new_name

DATA = json.loads((Path(__file__).parents[3] / "data" / "management_models.json").read_text())
CALLS: list[dict[str, Any]] = DATA["calls"]
STRICT, LOOSE = DATA["strict"], DATA["loose"]
KINDS: dict[str, Any] = {"number": (int, float), "string": str, "boolean": bool, "object": dict, "any": object}


@pytest.fixture(scope="module")
def things(shared: ServicesOnly) -> dict[str, Any]:
    """One of everything, so that no list is empty, and the clients of three people."""
    boss, asker, guest = add_person(shared, is_super=True), add_person(shared, is_super=True), add_person(shared)
    place, other, deleted, also = (add_place(boss.http) for _ in range(4))
    levels = {"maintainer": place.maintainer, "organization": place.organization, "project": place.project}
    invitations = {
        f"{level}_invitation": made(boss.http.post(f"/manage/{level}s/{owner}/invitations", {"email": guest.email}))[
            "id"
        ]
        for level, owner in levels.items()
    }
    for each in (deleted, also):
        boss.http.delete(f"/manage/projects/{each.project}")
    feature = {"name": new_name("feature"), "type": "admin", "title": "Feature", "description": "Feature"}
    return {
        **levels,
        **invitations,
        "other_project": other.project,
        "deleted": deleted.project,
        "also_deleted": also.project,
        "request": made(asker.http.post(f"/manage/projects/{place.project}/request-access", {}))["id"],
        "feature": feature["name"],
        "feature_id": made(boss.http.post("/manage/features", feature))["id"],
        "boss": boss.email,
        "asker_id": asker.id,
        "member": add_person(shared).email,
        "clients": {"boss": boss.http, "asker": asker.http, "guest": guest.http},
    }


def test_every_response_is_decoded(things: dict[str, Any]) -> None:
    """In one test, since calls use what those before them made."""
    assert [problem for line in CALLS for problem in _call(things, line)] == []


def test_every_model_is_decoded_by_a_call() -> None:
    known, used = {**STRICT, **LOOSE}, set[str]()
    found = {_name(line["decodes"]) for line in CALLS}
    while found - used:
        used |= found
        found = {_name(kind) for name in used if name in known for kind in known[name].values()}

    assert known.keys() - used == set()


def _call(things: dict[str, Any], line: dict[str, Any]) -> list[str]:
    by: Http = things["clients"][line.get("by", "boss")]
    client = Http(by.base, None, headers={HEADER: by.headers[HEADER], "User-Agent": "OpenAPI-Generator/1.0.0/go"})
    method, path = line["call"].split(" ")
    known = {**things, "new": new_name("new")}
    body = json.dumps(_filled(line["body"], known)).encode() if "body" in line else None
    response = client.send(method, path.format(**known), body, {"Content-Type": "application/json"} if body else {})
    if response.status not in (200, 201, 204):
        return [f"{line['call']}: {response.status} {response.text}"]
    if not line["decodes"]:
        return []
    if not response.json and not line.get("may_be_empty"):
        return [f"{line['call']}: empty"]
    is_json = response.headers["content-type"] == "application/json"
    found = list(_problems(response.json, line["decodes"], "$")) if is_json else ["not JSON"]
    return [f"{line['call']}: {problem}" for problem in found]


def _filled(value: Any, known: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, known) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, known) for item in value]
    return value.format(**known) if isinstance(value, str) else value


def _name(kind: Any) -> str:
    return kind[0] if isinstance(kind, list) else kind


def _problems(value: Any, kind: Any, where: str, *, is_strict: bool = False) -> Iterator[str]:
    if value is None:
        return
    if isinstance(kind, list):
        yield from _list_problems(value, kind[0], where, is_strict=is_strict)
    elif kind in KINDS:
        if not isinstance(value, KINDS[kind]) or (kind == "number" and isinstance(value, bool)):
            yield f"{where} is {value!r} and not a valid {kind}"
    elif not isinstance(value, dict):
        yield f"{where} is {value!r} and not an object"
    else:
        yield from _object_problems(value, kind, where, is_strict=is_strict or kind in STRICT)


def _list_problems(value: Any, kind: str, where: str, *, is_strict: bool) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{where} is {value!r} and not a list"
        return
    for number, item in enumerate(value):
        yield from _problems(item, kind, f"{where}[{number}]", is_strict=is_strict)


def _object_problems(value: dict[str, Any], model: str, where: str, *, is_strict: bool) -> Iterator[str]:
    fields = {name.removesuffix("?"): kind for name, kind in {**STRICT, **LOOSE}[model].items()}
    if is_strict:
        yield from (f"{where} has the unknown key {name}" for name in value.keys() - fields.keys())
    if model in STRICT:
        yield from (
            f"{where} does not have the key {name}"
            for name in STRICT[model]
            if name.rstrip("?") not in value and not name.endswith("?")
        )
    for name in value.keys() & fields.keys():
        yield from _problems(value[name], fields[name], f"{where}.{name}", is_strict=is_strict)
