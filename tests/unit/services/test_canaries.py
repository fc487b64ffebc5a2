"""A secret that goes in by any way is nowhere in plain text: no route shows it, no event, no log, no file, no backup.

The ways in are `tests/data/secret_places.jsonl`, and every row of every service that takes a body: there a `#` key is
added to each object of the body. A new field of a request that takes any document has to be in the file.
"""

from __future__ import annotations

import base64
import json
import logging
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import pytest
from msgspec import inspect

from penstock.foundation.logging import AsJson, Log
from penstock.server.backups.writing import write_backup
from penstock.services.developer.registry.routes.rows import REPOSITORY as IMAGES
from penstock.web.routing import Route
from tests.support.contents import read_folder
from tests.support.corpora import read_objects
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.models import fields_of
from tests.unit.services.queue.own_components import add_component, claim, execute
from tests.unit.services.world import ROWS, World, Worlds, is_in_branch, name_of, service_of, to_path

PLACES = read_objects("secret_places.jsonl")
TRIED = [place for place in PLACES if place["value"] is not None]
WRITES = [
    row
    for row in ROWS
    if (row.body or row.streams) and row.method != "GET" and not is_in_branch(row) and not row.path.startswith(IMAGES)
]
"""Without those of the registry of images, which stores the bytes of layers as they are."""
LISTS = (
    "/v2/storage/events?limit=10000",
    "/v2/storage/components?include=configuration,rows,state",
    "/v2/storage/components?include=configuration,rows,state&isDeleted=1",
    "/v2/storage/jobs?limit=1000",
)
TELL = """
import base64, urllib.parse
secret = config["parameters"]["#password"]
print("plain", secret)
print("json", json.dumps(config))
print("base64", base64.b64encode(secret.encode()).decode())
print("url", urllib.parse.quote("a b" + secret))
print("error", secret, file=sys.stderr)
(out / "state.json").write_text(json.dumps({"#kept": secret}))
sys.exit(f"ended with {secret}")
"""


class Sent(NamedTuple):
    place: dict[str, Any]
    canary: str
    responses: list[Response]


def make_canary(number: int) -> str:
    """Long, and such that no other text has it; each place has its own, so that it is known where a hit came from."""
    return f"Zq{number:03}canary{number * 7919:08x}Vw"


def send(world: World, place: dict[str, Any], canary: str) -> Response:
    row = find_row(place["row"])
    values = {**world.values(row), **place.get("things", {})}
    value = json.loads(json.dumps(place["value"]).replace("$canary", canary))
    body = {**(world.body(row) or {}), **place.get("more", {}), place["field"]: value}
    return world.ask(row, path=to_path(row, values), body=body)


def send_planted(world: World, row: Route, canary: str) -> list[Response]:
    """A valid body with a secret in each of its objects, but for those whose keys are names of something; if it is
    refused, with one at the top alone."""
    body = world.body(row) or {}
    names = {field.encode_name for field in fields_of(row.body) if isinstance(field.type, inspect.DictType)}
    planted = {key: value if key in names else _planted(value, canary) for key, value in body.items()}
    first = world.ask(row, body={**planted, "#planted": canary})
    return [first] if first.status < 400 else [first, world.ask(row, body={**body, "#planted": canary})]


def _planted(node: Any, canary: str) -> Any:
    if isinstance(node, dict):
        members = {key: _planted(value, canary) for key, value in cast(dict[str, Any], node).items()}
        return {**members, "#planted": canary}
    return [_planted(each, canary) for each in cast(list[Any], node)] if isinstance(node, list) else node


def find_row(name: str) -> Route:
    [row] = [row for row in ROWS if name_of(row) == name and not is_in_branch(row)]
    return row


@pytest.fixture(scope="module")
def log() -> Iterator[list[str]]:
    """Every line that the stack logs, as it is written."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler, ours = Kept(), logging.getLogger("penstock")
    handler.setFormatter(AsJson())
    level = ours.level
    ours.addHandler(handler)
    ours.setLevel(logging.DEBUG)
    yield lines
    ours.removeHandler(handler)
    ours.setLevel(level)


@pytest.fixture(scope="module")
def sent(log: list[str], worlds: Worlds, tmp_path_factory: pytest.TempPathFactory) -> list[Sent]:
    """Through every place, and once through a run whose component tells its secret in every way."""
    Log("tests").info("the canaries are on their way")
    folder = tmp_path_factory.mktemp("own")
    add_component(worlds.services, folder, "own.processor", "", type="processor")
    found = [
        Sent(place, canary, [send(worlds.mine, place, canary)])
        for number, place in enumerate(TRIED, 1)
        for canary in [make_canary(number)]
    ]
    found += [
        Sent({"row": name_of(row), "field": "#planted", "is": "knows no such key"}, canary, responses)
        for number, row in enumerate(WRITES, 200)
        for canary in [make_canary(number)]
        for responses in [send_planted(worlds.mine, row, canary)]
    ]
    canary = make_canary(900)
    run = run_teller(worlds.services, folder, canary)
    return [*found, Sent({"row": "a run", "field": "log"}, canary, [run])]


def run_teller(services: ServicesOnly, folder: Path, canary: str) -> Response:
    add_component(services, folder, "own.teller", TELL)
    job = {"component": "own.teller", "configData": {"parameters": {"#password": canary}}}
    job_id = services.service("queue").post("/jobs", job).json["id"]
    # Those of the places run before it, whatever becomes of them.
    while (claimed := claim(services)).id != int(job_id):
        execute(services, claimed)
    assert execute(services, claimed)["status"] == "error"
    return services.service("queue").get(f"/jobs/{job_id}")


def spellings(canary: str) -> list[bytes]:
    """Plain, and as it looks in base64, wherever it begins there, and in texts of two bytes per character."""
    shifted = [base64.b64encode(b"x" * n + canary.encode())[4:-4] for n in range(3)]
    return [canary.encode(), canary.lower().encode(), quote(canary).encode(), canary.encode("utf-16-le"), *shifted]


MARKS = [b"canary", "canary".encode("utf-16-le"), *(base64.b64encode(part) for part in (b"ana", b"canary", b"nar"))]
"""What the spellings of all canaries have one of: a content with none of them need not be searched for each."""


def hits(sent: list[Sent], content: bytes, where: str) -> list[str]:
    if not any(mark in content for mark in MARKS):
        return []
    return [
        f"{each.place['row']} {each.place['field']} ({each.place.get('is')}) is in {where}"
        for each in sent
        if any(spelling in content for spelling in spellings(each.canary))
    ]


def test_every_field_that_takes_a_document_is_tried() -> None:
    taken = {f"{name_of(row)} {field}" for row in ROWS for field in _documents(row)}
    tried = {f"{place['row']} {place['field']}" for place in PLACES}

    assert taken - tried == set(), "say in tests/data/secret_places.jsonl what a secret in them looks like"


def _documents(row: Route) -> Iterator[str]:
    for field in fields_of(row.body):
        kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        if any(_takes_anything(kind) for kind in kinds):
            yield field.encode_name


def _takes_anything(kind: inspect.Type) -> bool:
    is_object = isinstance(kind, inspect.DictType) and isinstance(kind.value_type, inspect.AnyType)
    return is_object or isinstance(kind, inspect.AnyType)


def test_every_service_that_takes_bodies_is_tried(sent: list[Sent]) -> None:
    taking = {service_of(row) for row in ROWS if row.body or (row.streams and row.method != "GET")}
    tried = {service_of(find_row(each.place["row"])) for each in sent[:-1]}

    assert tried >= taking
    assert "encryption" in tried


def test_every_place_takes_its_secret_or_refuses_it(sent: list[Sent]) -> None:
    broken = [each for each in sent if any(response.status >= 500 for response in each.responses)]
    refused = [each.place["is"] for each in sent[:-1] if each.responses[0].status >= 400]

    assert broken == []
    assert all("knows no such key" in each or "keeps no secret" in each for each in refused), refused


def test_no_answer_shows_it(sent: list[Sent]) -> None:
    found = [
        hit for each in sent for response in each.responses for hit in hits([each], response.body, "its own answer")
    ]

    assert found == []


def test_nothing_that_can_be_read_shows_it(worlds: Worlds, sent: list[Sent]) -> None:
    world, found = worlds.mine, list[str]()
    for row in (row for row in ROWS if row.method == "GET"):
        found += hits(sent, world.ask(row).body, f"GET {row.path}")
    for path in [*LISTS, *_versions(world)]:
        response = world.storage.get(path)
        assert response.status == 200, path
        found += hits(sent, response.body, f"GET {path}")
    for each in world.client(find_row("queue GET /jobs")).get("/jobs?limit=500").json:
        found += hits(sent, json.dumps(each).encode(), f"job {each['id']}")

    assert found == []


def _versions(world: World) -> Iterator[str]:
    configs = f"/v2/storage/components/ex-generic-v2/configs/{world.main['config_id']}"
    yield f"{configs}/versions?include=configuration"
    yield f"{configs}/rows/{world.main['row_id']}/versions?include=configuration"


def test_no_line_of_the_log_shows_it(sent: list[Sent], log: list[str]) -> None:
    assert "on their way" in log[0]
    assert hits(sent, "\n".join(log).encode(), "the log") == []


def test_no_file_of_the_stack_holds_it(worlds: Worlds, sent: list[Sent]) -> None:
    files = read_folder(worlds.services.stack.folder)

    assert [hit for path, content in files.items() for hit in hits(sent, content, str(path))] == []


def test_no_backup_holds_it(worlds: Worlds, sent: list[Sent], tmp_path: Path) -> None:
    target = tmp_path / "backup.tar.gz"
    write_backup(worlds.services.stack.folder, target)
    with tarfile.open(target) as tar:
        members = [(member.name, file.read()) for member in tar if (file := tar.extractfile(member))]

    assert any(name.endswith("metadata.sqlite") for name, _ in members)
    assert [hit for name, content in members for hit in hits(sent, content, f"{name} of the backup")] == []


def test_every_spelling_of_a_canary_has_a_mark() -> None:
    unmarked = [
        spelling
        for number in range(1000)
        for spelling in spellings(make_canary(number))
        if not any(mark in spelling for mark in MARKS)
    ]

    assert unmarked == []


def test_a_plain_text_is_found_where_it_is_kept(worlds: Worlds) -> None:
    """So that the tests above look where things are."""
    canary = make_canary(901)
    world = worlds.mine
    assert world.storage.post("/v2/storage/buckets", {"name": "plain", "description": canary}).status == 201
    plain = Sent({"row": "plain", "field": "description"}, canary, [])

    assert hits([plain], world.storage.get("/v2/storage/buckets").body, "buckets")
    assert [path for path, content in read_folder(worlds.services.stack.folder).items() if hits([plain], content, "")]
