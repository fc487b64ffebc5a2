"""`penstock new`: from a URL to a file that runs."""

from __future__ import annotations

import json
import os
import pty
from collections.abc import Generator
from pathlib import Path
from signal import SIGINT
from subprocess import PIPE, Popen
from threading import Event

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, clean_environment
from tests.unit.cli.conftest import Penstock

RECORDS = [{"id": n, "name": f"Item {n}", "tags": ["a"]} for n in range(1, 131)]
TOKEN = "tok-1234567890"


def _respond(seen: Seen) -> Response:
    if seen.headers.get("authorization") != f"Bearer {TOKEN}":
        return Response.json({"message": "unauthorized"}, 401)
    start, size = int(seen.params.get("offset", "0")), min(int(seen.params.get("limit", "50")), 50)
    page = {"offset": start, "limit": size, "total": len(RECORDS), "items": RECORDS[start : start + size]}
    return Response.json({**page, "token": TOKEN})


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/v1/items", _respond)
        yield api


def test_the_file_that_is_written_runs_as_it_is(penstock_process: Penstock, api: Api, tmp_path: Path) -> None:
    done = penstock_process("new", f"{api.url}/v1/items", "-H", f"Authorization: Bearer {TOKEN}")

    assert done.stderr == ""
    assert done.returncode == 0
    assert "read all 130 records" in done.stdout
    assert "items_tags: 130 rows" in done.stdout
    assert TOKEN not in done.stdout
    assert (tmp_path / "127.0.0.1.json").stat().st_mode & 0o777 == 0o600

    assert penstock_process("extract", "127.0.0.1.json").returncode == 0
    assert len((tmp_path / "out" / "tables" / "items").read_text().splitlines()) == 131


def test_a_file_is_not_overwritten_without_force(penstock: Penstock, api: Api, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("mine")
    call = ("new", f"{api.url}/v1/items", "-H", f"Authorization: Bearer {TOKEN}", "--output", "mine.json")

    refused = penstock(*call)
    assert refused.returncode == 1
    assert refused.stderr == "mine.json exists. Name another file with --output, or overwrite it with --force.\n"
    assert api.seen == []

    assert penstock(*call, "--force").returncode == 0
    assert "api" in json.loads((tmp_path / "mine.json").read_text())["parameters"]


def test_json_holds_the_findings_without_secrets(penstock: Penstock, api: Api, tmp_path: Path) -> None:
    (tmp_path / "command").write_text(f"curl {api.url}/v1/items -H 'Authorization: Bearer {TOKEN}'")

    done = penstock("new", "--curl", "command", "--json", "--requests", "15")
    document = json.loads(done.stdout)

    assert TOKEN not in done.stdout + done.stderr
    assert document["requests"] == len(api.seen) <= 15
    assert {"records", "pagination", "authentication"} <= {finding["subject"] for finding in document["findings"]}
    assert document["tables"][0]["name"] == "items"
    assert [path.name for path in tmp_path.glob("*.json")] == ["127.0.0.1.json"]


def test_an_openapi_document_gives_a_choice(penstock: Penstock, api: Api, tmp_path: Path) -> None:
    list_of = {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}}
    paths = {f"/{name}": {"get": {"summary": f"All {name}", "responses": list_of}} for name in ("items", "users")}
    (tmp_path / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))

    listed = penstock("new", f"{api.url}/v1", "--openapi", "openapi.json")
    assert listed.returncode == 1
    assert listed.stdout.split() == ["/items", "All", "items", "/users", "All", "users"]
    assert listed.stderr == "There are 2 endpoints that return lists. Choose one with --endpoint.\n"

    header = ("-H", f"Authorization: Bearer {TOKEN}")
    assert (
        penstock("new", f"{api.url}/v1", "--openapi", "openapi.json", "--endpoint", "/items", *header).returncode == 0
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name the URL of a list: penstock new https://api.example.com/orders"),
        (
            ("api.example.com/x",),
            "api.example.com/x is not a valid address. Write it with http:// or https:// in front.",
        ),
        (("--curl", "nothing"), "nothing cannot be read: No such file or directory."),
        (("http://127.0.0.1:1/x", "--har", "x"), "Give either a URL or --har, which holds the address."),
        (("http://127.0.0.1:1/x", "--endpoint", "/x"), "--endpoint chooses among the endpoints of --openapi or --har."),
        (("http://127.0.0.1:1/x", "--requests", "0"), "--requests must be at least 1."),
    ],
)
def test_mistakes_are_one_sentence(penstock: Penstock, arguments: tuple[str, ...], message: str) -> None:
    done = penstock("new", *arguments)

    assert (done.returncode, done.stderr) == (1, f"{message}\n")


def test_an_address_that_does_not_respond_is_one_sentence(penstock: Penstock, tmp_path: Path) -> None:
    done = penstock("new", "http://127.0.0.1:1/x")

    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_nothing_behind(api: Api, tmp_path: Path) -> None:
    def respond(seen: Seen) -> Response:
        asked.set()
        ended.wait(PATIENCE)
        return Response.json([])

    asked, ended, folder = Event(), Event(), tmp_path / "tmp"
    folder.mkdir()
    api.on("/slow", respond)
    environment = {**clean_environment(), "TMPDIR": str(folder)}
    process = Popen([*PENSTOCK, "new", f"{api.url}/slow"], cwd=tmp_path, env=environment, stderr=PIPE, text=True)
    assert asked.wait(PATIENCE)
    process.send_signal(SIGINT)
    _out, complaint = process.communicate(timeout=PATIENCE)
    ended.set()

    assert (process.returncode, complaint) == (130, "Interrupted.\n")
    assert [path for path in tmp_path.rglob("*") if path != folder] == []


def test_on_a_terminal_the_endpoint_is_asked_for(api: Api, tmp_path: Path) -> None:
    list_of = {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {}}}}}}
    paths = {path: {"get": {"responses": list_of}} for path in ("/users", "/items")}
    (tmp_path / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    ours, theirs = pty.openpty()
    call = [*PENSTOCK, "new", f"{api.url}/v1", "--openapi", "openapi.json", "-H", f"Authorization: Bearer {TOKEN}"]
    process = Popen(call, cwd=tmp_path, env=clean_environment(), stdin=theirs, stdout=theirs, stderr=PIPE)
    os.write(ours, b"2\n")
    process.communicate(timeout=PATIENCE)
    os.close(ours)
    os.close(theirs)

    assert process.returncode == 0
    assert {seen.path for seen in api.seen} == {"/v1/items"}
