"""Hostile texts that a row accepts come back exactly, on both databases; others are refused with a sentence.

The texts are in `tests/data/hostile_texts.jsonl`, the rows and fields those of all services. Each field gets a part of
the texts, and neighbours get others, so that each text is in several fields.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from msgspec import inspect

from penstock.web.routing import Route
from tests.support.corpora import read_lines
from tests.support.examples import IS_SOAK
from tests.support.http import Response
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly
from tests.unit.services import hostile
from tests.unit.services.models import fields_of
from tests.unit.services.world import MANAGE_ROWS, ROWS, TABLES, World, is_in_branch, name_of, service_of

TEXTS_PER_FIELD, STEP = 12 if IS_SOAK else 1, 7
STARTS_JOBS = {"POST /buckets/{bucket_id}/tables", "POST /tables/{table_id}/import"}
CHANGED = set(read_lines("changed_on_the_way.txt"))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[World]:
    folder = tmp_path_factory.mktemp("names") / "data"
    if request.param == "postgresql":
        on_postgresql: tuple[NewStack, World] = request.getfixturevalue("made_world_on_postgresql")
        services = on_postgresql[0].copy(folder)
        yield on_postgresql[1].at(services)
        on_postgresql[0].close(services)
    else:
        made: tuple[Path, World, World] = request.getfixturevalue("made_worlds")
        shutil.copytree(made[0], folder, ignore=shutil.ignore_patterns("*.sock"))
        services = ServicesOnly(folder)
        yield made[1].at(services)
        services.close()


def text_fields() -> list[tuple[Route, str]]:
    return [(row, field) for row in [*ROWS, *MANAGE_ROWS] if _is_tried(row) for field in _texts_of(row)]


def _is_tried(row: Route) -> bool:
    """Those that write at once. Within a branch it is the same handlers."""
    return bool(row.body) and row.status != 202 and name_of(row) not in STARTS_JOBS and not is_in_branch(row)


def _texts_of(row: Route) -> Iterator[str]:
    for field in fields_of(row.body):
        kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        if any(isinstance(kind, inspect.StrType) for kind in kinds):
            yield field.encode_name


FIELDS = text_fields()


# Fields are columns, of which each database has its own.
@pytest.mark.every_twin
@pytest.mark.parametrize(("row", "field"), FIELDS, ids=[f"{name_of(row)} {field}" for row, field in FIELDS])
def test_what_is_accepted_comes_back_exactly(world: World, row: Route, field: str) -> None:
    begin = FIELDS.index((row, field)) * STEP
    texts = [hostile.TEXTS[(begin + number) % len(hostile.TEXTS)] for number in range(TEXTS_PER_FIELD)]

    assert [problem for text in texts if (problem := _try(world, row, field, text))] == []


def test_each_text_is_in_several_fields() -> None:
    assert len(FIELDS) * TEXTS_PER_FIELD > 3 * len(hostile.TEXTS)


def _try(world: World, row: Route, field: str, text: str) -> str | None:
    """What went wrong."""
    sent = world.body(row) or {}
    response = world.ask(row, body={**sent, field: text})
    if response.status >= 500 or (response.status >= 400 and not response.json["error"]):
        return f"{text!r}: {response.status} {response.text}"
    # An empty text is in many places the same as none.
    if response.status >= 300 or not text or f"{name_of(row)} {field}" in CHANGED:
        return None
    shown = [response, *_read_again(world, row, response)]
    other = [each.text[:500] for each in shown if each.status >= 400 or _kept(each, field, text) not in (text, None)]
    return f"{text!r}: {other}" if other else None


def _kept(response: Response, field: str, text: str) -> Any:
    """What is in the field now; None if the response does not show it."""
    document = response.json if response.body else None
    return document.get(field) if isinstance(document, dict) else None


def _read_again(world: World, row: Route, response: Response) -> Iterator[Response]:
    """The thing that was written, as the row shows it that is there to read it."""
    paths = {each.path for each in TABLES[service_of(row)] if each.method == "GET"}
    below = [path for path in paths if path.startswith(f"{row.path}/{{") and path.count("/") == row.path.count("/") + 1]
    if row.method == "PUT" and row.path in paths:
        yield world.client(row).get(world.fill(row))
    elif row.method == "POST" and below and isinstance(response.json, dict) and "id" in response.json:
        yield world.client(row).get(f"{world.fill(row)}/{quote(str(response.json['id']), safe='')}")
