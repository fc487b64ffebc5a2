"""Hostile names and values, in every path parameter, query parameter and body field of every row of every service.

Whatever is sent, nothing breaks: the response is a sentence, what others have stays as it is, no name becomes a path.
Every second place gets one of the values, and the places beside it others; in `make soak` each gets more of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
import pytest
from hypothesis import strategies as st

from penstock.services.storage.models.blobs import ENDPOINT
from penstock.web.routing import Route
from tests.support.examples import IS_SOAK, part_of
from tests.support.files import prepare, to_write
from tests.support.http import Response
from tests.unit.services import hostile
from tests.unit.services.world import JSON, ROWS, World, Worlds, in_order, is_in_branch, name_of, to_path
from tests.unit.web import raw

EXAMPLES, EXAMPLES_INSIDE, EXAMPLES_OF_JOBS = (3, 2, 1) if IS_SOAK else (1, 1, 1)
PARTS = 8
"""Each row gets two of sixteen parts of a path, and three of twenty bodies: what reads them is the same for all."""
Place = tuple[str | int, ...]
WAITS_FOR_JOBS = {
    *("POST /buckets/{bucket_id}/tables", "POST /tables/{table_id}/import", "sync-actions POST /actions"),
}
WITHOUT_BRANCH = [row for row in in_order(ROWS) if not is_in_branch(row)]
WITHIN_BRANCH = [row for row in in_order(ROWS) if is_in_branch(row)]
NUMBERS = {row.handler: number for number, row in enumerate(WITHOUT_BRANCH)}
"""Of each row, by which it gets its part of the values."""
KNOWN_PLACES = {
    "actions",
    "archives",
    "cache",
    "format",
    "key",
    "admin-token",
    "lake",
    "files",
    "images",
    "jobs",
    "logs",
    "backups",
    "open.lock",
    "backup.lock",
    "upkeep.lock",
    "locks",
    "workspaces",
}
DEFECT = "storage.internalError"
BLOB_NAMES = [text for text in hostile.TEXTS if len(text) < 1000 and text.isascii()]


def each(rows: Iterable[Route]) -> pytest.MarkDecorator:
    rows = list(rows)
    return pytest.mark.parametrize("row", rows, ids=[f"{name_of(row)} {row.path}" for row in rows])


@pytest.fixture(scope="module", autouse=True)
def _nothing_else_is_touched(worlds: Worlds) -> Any:
    """After everything below: the other project is as it was, no job met a defect, and no file is where it should not
    be."""
    before = worlds.theirs.look()
    yield
    after = worlds.theirs.look()
    assert [path for path in before if before[path] != after[path]] == []
    _check_jobs(worlds.mine)
    _check_folder(worlds.services.stack.folder)


@each(WITHOUT_BRANCH)
def test_no_value_breaks_a_row(worlds: Worlds, row: Route) -> None:
    senders = {"path": _send_parameter, "query": _send_query, "body": _send_field}
    for kind, name in _tried(row):
        for value in _deal()[row.method, row.path, kind, name][: EXAMPLES_OF_JOBS if _is_slow(row) else EXAMPLES]:
            _check(senders[kind](worlds.mine, row, name, value), f"{row.method} {row.path}, {name} = {value!r}"[:400])


@each(row for row in WITHOUT_BRANCH if row.body)
def test_no_value_inside_a_body_breaks_a_row(worlds: Worlds, row: Route) -> None:
    for path in _inner_places(worlds.mine.body(row)):
        place = ".".join(map(str, path))
        _try(
            row,
            place,
            hostile.values,
            lambda value, path=path: _send_inside(worlds.mine, row, path, value),
            examples=EXAMPLES_INSIDE,
        )


@pytest.mark.parametrize(("name", "fields"), hostile.FOUND, ids=[name for name, _ in hostile.FOUND])
def test_what_broke_a_row_once_does_not_break_it_again(worlds: Worlds, name: str, fields: dict[str, Any]) -> None:
    [row] = [row for row in WITHOUT_BRANCH if name_of(row) == name]
    response = worlds.mine.ask(row, body={**(worlds.mine.body(row) or {}), **fields})

    _check(response, f"{name} {fields}")


@each(WITHIN_BRANCH)
def test_no_branch_breaks_a_row(worlds: Worlds, row: Route) -> None:
    # All else is done by the same handlers as without a branch.
    _try(row, "branch", hostile.texts, lambda value: _send_parameter(worlds.mine, row, "branch", value))


@each(row for row in WITHOUT_BRANCH if row.body)
def test_no_body_breaks_a_row(worlds: Worlds, row: Route) -> None:
    path = worlds.mine.fill(row)
    for number, body in part_of(list(enumerate(hostile.BODIES)), NUMBERS[row.handler], PARTS):
        for kind in ("application/json", hostile.KINDS[(number + len(path)) % len(hostile.KINDS)]):
            response = worlds.mine.client(row).send(row.method, path, body, {"Content-Type": kind})
            _check(response, f"{name_of(row)} {kind} {body[:80]!r}")


@each(row for row in WITHOUT_BRANCH if row.query)
def test_no_query_breaks_a_row(worlds: Worlds, row: Route) -> None:
    path = worlds.mine.fill(row)
    for query in part_of(hostile.QUERIES, NUMBERS[row.handler]):
        response = worlds.mine.client(row).send(row.method, f"{path.partition('?')[0]}?{query}")
        _check(response, f"{name_of(row)} {query}")


@each(row for row in WITHOUT_BRANCH if row.parameters)
def test_no_segment_of_a_path_breaks_a_row(worlds: Worlds, row: Route) -> None:
    for number, segment in part_of(list(enumerate(hostile.SEGMENTS)), NUMBERS[row.handler], PARTS):
        name = row.parameters[number % len(row.parameters)]
        values = {**worlds.mine.values(row), name: "SEGMENT"}
        path = to_path(row, values).replace("SEGMENT", segment)
        response = worlds.mine.client(row).send(row.method, path, b"{}" if row.body else None, JSON)
        _check(response, f"{row.method} {path}")


@pytest.mark.parametrize(
    "path", [b"\xff\xfe", b"../../../key", b"//", b"a\x00b", b"%", b"./tokens", b"tokens/../buckets"]
)
def test_no_bytes_of_a_request_line_break_it(worlds: Worlds, path: bytes) -> None:
    token = b"X-StorageApi-Token: " + worlds.mine.project.token.encode() + b"\r\n"
    response = raw.get(worlds.services.port, b"127.0.0.1", b"/_svc/storage/v2/storage/" + path, token)

    assert 400 <= response.status < 500


@pytest.mark.parametrize("name", BLOB_NAMES)
def test_no_name_breaks_the_blob_endpoint(worlds: Worlds, name: str) -> None:
    container = to_write(prepare(worlds.mine.storage, "file.csv"))
    for method in part_of(("GET", "HEAD", "PUT"), BLOB_NAMES.index(name)):
        for place in (container.name, name):
            path = f"/{ENDPOINT}/{quote(place, safe='')}/{quote(name)}?{container.signature}"
            response = worlds.mine.storage.send(method, path, b"bytes" if method == "PUT" else None)
            _check_blob(response, method)
        for comp in ("block", "blocklist", name):
            asked = urlencode({"comp": comp, "blockid": name, "sig": name})
            response = container.send(method, name or "b", b"<BlockList><Latest>", comp=comp, blockid=name)
            _check_blob(response, method)
            _check_blob(worlds.mine.storage.send(method, f"/{ENDPOINT}/{container.name}/b?{asked}"), method)


@cache
def _deal() -> dict[tuple[str, str, str, str], list[Any]]:
    """What is sent to each place of a row. The corpus comes first, so that each of its values is sent to some row."""
    texts, values = cycle(hostile.deck(hostile.texts)), cycle(hostile.deck(hostile.values))
    return {
        (row.method, row.path, kind, name): list(islice(values if kind == "body" else texts, EXAMPLES))
        for row in WITHOUT_BRANCH
        for kind, name in _tried(row)
    }


def _tried(row: Route) -> list[tuple[str, str]]:
    return part_of(_places_of(row), NUMBERS[row.handler], 2)


def _places_of(row: Route) -> list[tuple[str, str]]:
    names = {"path": row.parameters, "query": _fields(row.query), "body": _fields(row.body)}
    return [(kind, name) for kind in names for name in names[kind]]


def _is_slow(row: Route) -> bool:
    return row.status == 202 or name_of(row) in WAITS_FOR_JOBS


def _try(
    row: Route, field: str, strategy: st.SearchStrategy[Any], send: Callable[[Any], Response], examples: int = EXAMPLES
) -> None:
    """A few values from the corpus and beside it; which ones depends on the row and the field, and on nothing else."""
    chosen = Random(f"{row.method} {row.path} {field}")
    for value in chosen.sample(hostile.deck(strategy), EXAMPLES_OF_JOBS if _is_slow(row) else examples):
        _check(send(value), f"{row.method} {row.path}, {field} = {value!r}"[:400])


def _send_parameter(world: World, row: Route, name: str, value: str) -> Response:
    marked = to_path(row, {**world.values(row), name: "PARAMETER"})
    path = marked.replace("PARAMETER", quote(value, safe="", errors="surrogatepass"))
    return world.ask(row, path=path)


def _send_query(world: World, row: Route, name: str, value: str) -> Response:
    path = world.fill(row).partition("?")[0]
    return world.ask(row, path=f"{path}?{urlencode({name: value}, errors='surrogatepass')}")


def _send_field(world: World, row: Route, name: str, value: Any) -> Response:
    return world.ask(row, body={**(world.body(row) or {}), name: value})


def _send_inside(world: World, row: Route, path: Place, value: Any) -> Response:
    body = world.body(row) or {}
    inner: Any = body
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return world.ask(row, body=body)


def _inner_places(document: Any, above: Place = ()) -> Iterator[Place]:
    """Where there is a value below the fields of a body."""
    steps = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for step, value in steps:
        if above:
            yield (*above, step)
        yield from _inner_places(value, (*above, step))


def _fields(model: Any) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(model)] if model else []


def _check(response: Response, asked: str) -> None:
    assert response.status < 500 or response.status == 501, f"{asked}: {response.status} {response.text}"
    if response.status >= 400:
        assert response.headers["content-type"] == "application/json", asked
        # Services write one error, the registry of images a list of them.
        is_told = isinstance(response.json, list) or response.json.get("error") or response.json.get("errors")
        assert is_told, f"{asked}: {response.text}"
        assert "Traceback" not in response.text


def _check_blob(response: Response, method: str) -> None:
    assert response.status < 500, response.text
    if response.status >= 400 and method != "HEAD":
        is_ours = response.headers["content-type"] == "application/xml"
        assert is_ours or response.json["code"] == "notFound", response.text


def _check_jobs(world: World) -> None:
    jobs = world.storage.get("/v2/storage/jobs?limit=1000").json
    failed = [job for job in jobs if job["status"] == "error" and job["error"]["code"] == DEFECT]
    assert [(job["operationName"], job["operationParams"], job["error"]["message"]) for job in failed] == []


def _check_folder(folder: Path) -> None:
    """Everything is in a place that is known, under a name that the stack has made up itself."""
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        assert parts[0] in KNOWN_PLACES or parts[0].startswith("metadata.sqlite"), path
        assert all(re.fullmatch(r"[A-Za-z0-9_.=-]+", part) and part not in ("..", "people") for part in parts), path
        assert not path.is_symlink()
