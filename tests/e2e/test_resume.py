"""A run that does not come to its end, as its user sees it: what is kept, what the next run says, and when it goes on.

How exact the results are, whenever a run is killed, is shown in `resume/`.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.requests.journal.folder import A_DAY
from tests.support.api import Api, Response, Seen
from tests.support.command import Finished
from tests.support.patience import PATIENCE
from tests.support.stacks import clean_environment, wait_for

LAST = 8
"""The last record; two make a page."""
KEPT = 3
"""How many pages are answered before the API gets stuck."""


class StuckApi(Api):
    """Gets stuck after three pages, until somebody lets it go on."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = threading.Event()
        self.on("/items", self._page)
        self._server.handle_error = lambda request, client_address: None  # whoever asked may be dead

    def _page(self, seen: Seen) -> Response:
        start = int(seen.params["offset"])
        if start >= 2 * KEPT:
            self.goes_on.wait(PATIENCE)
        return Response.json([{"id": number} for number in range(start + 1, min(start + 2, LAST) + 1)])

    @property
    def is_stuck(self) -> bool:
        return len(self.asked("/items")) > KEPT


@pytest.fixture
def api() -> Generator[StuckApi]:
    with StuckApi() as api:
        yield api
        api.goes_on.set()


class Folder:
    """A data folder, in which the command is run."""

    def __init__(self, path: Path, api: Api, **config: Any) -> None:
        self.path, self.out = path, path / "out"
        (path / "in").mkdir()
        self.write_state({})
        self.write(api, **config)

    def write(self, api: Api, **config: Any) -> None:
        job = {"endpoint": "items", "params": {"at": {"time": "currentStart"}}}
        settings = {"baseUrl": api.url, "pagination": {"method": "offset", "limit": 2}}
        whole = {"parameters": {"api": settings, "config": {"outputBucket": "my", "jobs": [job], **config}}}
        (self.path / "config.json").write_text(json.dumps(whole))

    def write_state(self, state: dict[str, Any]) -> None:
        (self.path / "in" / "state.json").write_text(json.dumps(state))

    def start(self, *options: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "penstock", "extract", "--data-dir", str(self.path), *options],
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *options: str) -> Finished:
        return self.end(self.start(*options))

    def end(self, process: subprocess.Popen[str]) -> Finished:
        stdout, stderr = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in stdout + stderr
        return Finished(self.out, stdout, code=process.returncode, stderr=stderr)

    def stop_in_the_middle(self, api: StuckApi, how: signal.Signals = signal.SIGKILL) -> Finished:
        """Start a run, and stop it when the API is stuck; the API goes on for whoever comes next."""
        process = self.start()
        wait_for(lambda: api.is_stuck)
        os.killpg(process.pid, how)
        stopped = self.end(process)
        api.goes_on.set()
        api.seen.clear()
        return stopped

    @property
    def started(self) -> int:
        return int(self.header["started"])

    @property
    def header(self) -> dict[str, Any]:
        return json.loads((self.out / ".extracting" / "run.json").read_text())

    def change_header(self, **facts: Any) -> None:
        (self.out / ".extracting" / "run.json").write_text(json.dumps({**self.header, **facts}))

    def assert_whole(self) -> None:
        assert names_in(self.out) == {"state.json", "tables"}
        rows = "".join(f'"{number}"\n' for number in range(1, LAST + 1))
        assert (self.out / "tables" / "my.items").read_text() == f'"id"\n{rows}'


def names_in(path: Path) -> set[str]:
    """Besides the report, which every run leaves, a failed one too."""
    return {each.name for each in path.iterdir()} - {"report.json"} if path.exists() else set()


@pytest.fixture
def folder(tmp_path: Path, api: StuckApi) -> Folder:
    return Folder(tmp_path, api)


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_interrupted_is_kept_and_says_how_to_go_on(
    how: signal.Signals, code: int, folder: Folder, api: StuckApi
):
    stopped = folder.stop_in_the_middle(api, how)

    assert stopped.code == code
    assert stopped.lines("INFO") == [
        "The run is not finished. The pages that it has read are stored: run the same command again to resume it, or "
        "add `--fresh` to start over."
    ]
    assert names_in(folder.out) == {".extracting"}
    assert names_in(folder.out / ".extracting") == {"pages", "run.json"}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_same_command_goes_on_where_the_last_one_was(how: signal.Signals, folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api, how)
    started = folder.started

    done = folder.run()

    assert (done.code, done.stderr) == (0, "")
    assert re.search(rf"Resuming the run of .* UTC: {KEPT} of its pages are stored\.", done.log)
    assert api.asked("/items") == [f"at={started}&limit=2&offset={offset}" for offset in (6, 8)]
    assert json.loads((folder.out / "state.json").read_text())["time"]["previousStart"] == started
    folder.assert_whole()


def test_only_its_owner_can_read_what_is_kept(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)

    kept = folder.out / ".extracting"
    assert [path.stat().st_mode & 0o777 for path in (kept, kept / "pages", kept / "run.json")] == [0o700, 0o600, 0o600]


def test_tables_of_an_earlier_run_stay_until_the_run_has_ended(folder: Folder, api: StuckApi):
    (folder.out / "tables").mkdir(parents=True)
    (folder.out / "tables" / "my.items").write_text("old")
    folder.stop_in_the_middle(api)

    assert (folder.out / "tables" / "my.items").read_text() == "old"
    assert folder.run().code == 0
    folder.assert_whole()


def test_a_run_that_fails_by_itself_leaves_nothing(folder: Folder, api: StuckApi):
    api.on("/items", [Response.json([{"id": 1}, {"id": 2}]), Response.json({"message": "gone"}, 410)])

    assert folder.run().code == 1
    assert names_in(folder.out) == set()


def test_a_run_that_goes_on_and_then_fails_leaves_nothing(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    api.on("/items", Response.json({"message": "gone"}, 410))

    assert folder.run().code == 1
    assert names_in(folder.out) == set()


def test_a_second_run_into_the_same_folder_is_refused_and_the_first_one_is_not_disturbed(folder: Folder, api: StuckApi):
    first = folder.start()
    wait_for(lambda: api.is_stuck)

    second = folder.run("--fresh")
    api.goes_on.set()

    assert second.code == 1
    assert second.stderr == f"Another run is writing to '{folder.out}'. Wait for its end, or set another `--out`.\n"
    assert folder.end(first).code == 0
    assert len(api.asked("/items")) == 5
    folder.assert_whole()


def test_fresh_starts_over(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    folder.change_header(started=folder.started - 100)

    done = folder.run("--fresh")

    assert "Resuming" not in done.log
    assert len(api.asked("/items")) == 5
    folder.assert_whole()


def test_another_configuration_starts_over(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    folder.write(api, incrementalOutput=True)

    assert_starts_over(folder, api)


def test_another_state_starts_over(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    folder.write_state({"time": {"previousStart": 1}})

    assert_starts_over(folder, api)


def test_another_version_of_the_program_starts_over(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    folder.change_header(run={**folder.header["run"], "version": "0.0.1"})

    assert_starts_over(folder, api)


def assert_starts_over(folder: Folder, api: StuckApi) -> None:
    done = folder.run()

    assert done.code == 0
    assert (
        "The last run was interrupted, but it had another configuration, state or version: starting over." in done.log
    )
    assert len(api.asked("/items")) == 5
    folder.assert_whole()


def test_what_cannot_be_read_starts_over(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    (folder.out / ".extracting" / "run.json").write_bytes(bytes(100))

    assert folder.run().code == 0
    assert len(api.asked("/items")) == 5
    folder.assert_whole()


def test_a_run_of_yesterday_asks_what_to_do(folder: Folder, api: StuckApi):
    folder.stop_in_the_middle(api)
    folder.change_header(started=folder.started - A_DAY)

    asking = folder.run()

    assert (asking.code, api.asked("/items")) == (1, [])
    assert re.search("was interrupted and is more than a day old. .*`--resume`.*`--fresh`", asking.stderr)
    assert names_in(folder.out / ".extracting") >= {"pages", "run.json"}


@pytest.mark.parametrize(("choice", "requests"), [("--resume", 2), ("--fresh", 5)])
def test_a_run_of_yesterday_does_as_it_is_told(choice: str, requests: int, folder: Folder, api: StuckApi):
    folder.write(api, jobs=[{"endpoint": "items"}])
    folder.stop_in_the_middle(api)
    folder.change_header(started=folder.started - A_DAY)

    assert folder.run(choice).code == 0
    assert len(api.asked("/items")) == requests
    folder.assert_whole()
