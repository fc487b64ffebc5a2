"""A service is one folder and one line: the example of CONTRIBUTING.md, added to a stack that was there before."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock import app
from penstock.foundation.database import metadata
from penstock.foundation.events import EventWorker
from penstock.foundation.jobs.worker import Worker
from penstock.foundation.stack import read_format
from penstock.server.names import host_names
from penstock.server.worker_process import make_loops
from penstock.services.management import interface as management
from penstock.web.auth.manage_token import HEADER
from tests.docs.pages import ROOT, read_page
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.vault.test_reactions import create_branch, delete_branch

PACKAGE = "greetings"
FILES = {name: block.text for block in read_page(ROOT / "CONTRIBUTING.md").of("python") if (name := block.file_name)}
LINES = 140


@pytest.fixture
def services(new_data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ServicesOnly]:
    """A stack with one service more than its data folder was made with."""
    for name, text in FILES.items():
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "source")
    known = set(metadata.tables)
    monkeypatch.setattr(app, "SERVICES", (*app.SERVICES, importlib.import_module(f"{PACKAGE}.service").service))
    shutil.copytree(new_data_folder, tmp_path / "data")
    stack = ServicesOnly(tmp_path / "data")
    yield stack
    stack.close()
    for name in set(metadata.tables) - known:
        metadata.remove(metadata.tables[name])
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def run_jobs(services: ServicesOnly) -> None:
    """What worker processes of the stack do, for the new service and for events, until nothing is left."""
    loops = make_loops(services.stack, "w", lambda: "")
    ours = [each for _, each in loops if isinstance(each, EventWorker) or type(each).__module__.startswith(PACKAGE)]
    workers = [each for each in ours if isinstance(each, Worker)]
    assert len(workers) == 2
    while any(worker.run_one() for worker in workers):
        pass


def test_the_whole_service_is_small() -> None:
    assert len(FILES) == 4
    assert sum(len(text.splitlines()) for text in FILES.values()) < LINES


def test_it_is_in_the_index_and_in_the_portal(services: ServicesOnly) -> None:
    index = services.service("storage").get("/v2/storage?exclude=components").json
    portal = services.service("portal")
    [entry] = [each for each in portal.get("/apis.json").json["services"] if each["id"] == PACKAGE]

    assert PACKAGE in {each["id"] for each in index["services"]}
    assert entry["name"] == "Greetings API"
    assert set(portal.get("/specs/greetings.json").json["paths"]["/greetings"]) == {"get", "post"}


def test_its_rows_are_behind_their_right(services: ServicesOnly) -> None:
    made = services.service("storage").post("/v2/storage/tokens", {"description": "limited"}).json["token"]
    nobody, limited, administrator = (services.service(PACKAGE, token) for token in ("", made, None))

    assert [each.get("/greetings").status for each in (nobody, limited, administrator)] == [401, 200, 200]
    wanted = {"name": "Ada"}
    assert [each.post("/greetings", wanted).status for each in (nobody, limited, administrator)] == [401, 403, 204]


def test_its_scope_grants_its_right(services: ServicesOnly) -> None:
    tokens: list[str] = []
    for scope in (f"{PACKAGE}:remove", "oauth:manage"):
        management.check_scopes([scope], app.list_scopes())
        with services.stack.database.writing() as tx:
            tokens.append(management.create_manage_token(tx, "a program", [scope])[1])
    base = services.service(PACKAGE).base
    answers = [Http(base, headers={HEADER: token}).delete("/greetings/all").status for token in tokens]

    assert answers == [204, 403]


def test_its_host_name_is_one_of_the_stack(services: ServicesOnly) -> None:
    name = f"{PACKAGE}.{services.stack.domain}"

    assert name in host_names(services.stack.domain)


def test_nothing_outside_its_folder_is_changed_but_the_list() -> None:
    """The fixture puts it into the list of services and changes nothing else."""
    assert {name.split("/")[0] for name in FILES} == {PACKAGE}


def test_its_table_its_worker_and_its_reaction_work(services: ServicesOnly) -> None:
    storage, greetings = services.service("storage"), services.service(PACKAGE)
    assert greetings.post("/greetings", {"name": "Ada"}).status == 204
    branch = create_branch(storage, "short-lived")
    delete_branch(storage, branch)
    run_jobs(services)

    found = [(each["text"], each["status"]) for each in greetings.get("/greetings").json]
    assert found == [("Hello, Ada!", "success"), (f"Goodbye, {branch}!", "success")]


def test_the_format_of_the_folder_has_grown_by_its_step(services: ServicesOnly, new_data_folder: Path) -> None:
    assert read_format(services.stack.folder) == app.find_schema().format == read_format(new_data_folder) + 1
