"""Stacks for tests: a whole one as a process, or the services alone in this process."""

from __future__ import annotations

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from uvicorn.server import ServerState

from penstock.app import build_app, open_from, outbound_policy
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE
from penstock.server.first_project import FirstProject, ensure_project
from penstock.server.sockets import open_sockets
from penstock.services.storage.worker import Worker
from penstock.settings import Settings
from tests.support.compiled import share_statements
from tests.support.http import Http
from tests.support.patience import PATIENCE
from tests.support.server import ServerInThread
from tests.support.syncing import leave_out_syncs_of

PENSTOCK = [sys.executable, "-m", "penstock"]
ONE_WORKER = ("--workers", "1")
"""For stacks whose test needs no second one: to start a worker takes a second of processor time."""
ALL_THREADS = {"PENSTOCK_LAKE_THREADS": "", "PENSTOCK_SQL_THREADS": ""}
"""For stacks that are measured, or have large tables: as many threads as without a setting."""

_STARTED: list[subprocess.Popen[str]] = []


def kill_all() -> None:
    """Stacks of tests that failed before they stopped them; called by pytest, since xdist ends without `atexit`."""
    for process in _STARTED:
        process.kill()


def wait_for(is_so: Callable[[], Any], seconds: float = PATIENCE, longest_pause: float = 0.05) -> Any:
    """The first true answer; a test that waits too long fails here. Pauses grow with the wait: most ask a stack, and
    other tests need the processors."""
    since, pause = time.monotonic(), 0.005
    while (waited := time.monotonic() - since) < seconds:
        if response := is_so():
            return response
        time.sleep(pause)
        pause = min(2 * pause, max(longest_pause, min(waited / 10, 0.25)))
    raise AssertionError(f"It did not happen within {seconds} seconds.")


class RunningStack:
    """`penstock up` as a process of its own."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        port: int = 0,
        program: Sequence[str] = PENSTOCK,
        variables: Mapping[str, str] = {},
    ) -> None:
        """Without the sample, unless a test says otherwise: most count jobs or tables."""
        self.folder = folder
        self.process = subprocess.Popen(
            [*program, "up", "--data-dir", str(folder), "--port", str(port), "--json", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**clean_environment(), "PENSTOCK_SAMPLE": "false", **variables},
        )
        _STARTED.append(self.process)
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"The stack did not start: {self.process.communicate()[1]}")
        self.greeting: dict[str, Any] = json.loads(line)
        self._errors: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()
        self.storage = Http(self.greeting["storageUrl"], self.greeting["token"])
        self.queue = Http(self.greeting["queueUrl"], self.greeting["token"])
        self.portal = Http(self.greeting["portalUrl"])

    @property
    def errors(self) -> str:
        return "".join(self._errors)

    def start_job(self, config: str, **fields: Any) -> str:
        response = self.queue.post("/jobs", {"mode": "run", "component": "ex-generic-v2", "config": config, **fields})
        assert response.status == 201, response.text
        return response.json["id"]

    def job(self, job_id: str) -> dict[str, Any]:
        return self.queue.get(f"/jobs/{job_id}").json

    def finish_job(self, job_id: str, seconds: float = PATIENCE) -> dict[str, Any]:
        # A job takes seconds.
        wait_for(lambda: self.job(job_id)["isFinished"], seconds, longest_pause=0.25)
        return self.job(job_id)

    def run_job(self, config: str, **fields: Any) -> dict[str, Any]:
        return self.finish_job(self.start_job(config, **fields))

    def configure(self, parameters: dict[str, Any], config_id: str, **fields: Any) -> None:
        wanted = {"name": config_id, "configurationId": config_id, "configuration": {"parameters": parameters}}
        response = self.storage.post("/v2/storage/components/ex-generic-v2/configs", {**wanted, **fields})
        assert response.status == 201, response.text

    def events(self, job_id: str) -> list[dict[str, Any]]:
        """Oldest first."""
        return self.storage.get(f"/v2/storage/events?runId={job_id}&limit=10000").json[::-1]

    def rows(self, table_id: str) -> list[list[str]]:
        preview = self.storage.get(f"/v2/storage/tables/{table_id}/data-preview?limit=1000&format=json").json
        return [[cell["value"] for cell in row] for row in preview["rows"]]

    def rows_count(self, table_id: str) -> int:
        return self.storage.get(f"/v2/storage/tables/{table_id}").json["rowsCount"]

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def _listen(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self._errors.append(line)


def run_copy(made: Path, folder: Path, *flags: str, variables: Mapping[str, str] = {}) -> RunningStack:
    """`penstock up` on a copy of a data folder: to make a new one takes a third of a start. Stacks on copies of one
    folder have the same token."""
    shutil.copytree(made, folder)
    return RunningStack(folder, *flags, variables=variables)


@contextmanager
def second_worker(stack: RunningStack, *flags: str, **variables: str) -> Generator[None]:
    """`penstock worker` beside the workers of a stack; its log is `beside.log`."""
    process = subprocess.Popen(
        [*PENSTOCK, "worker", "--name", "beside", "--data-dir", str(stack.folder), *flags],
        stdin=subprocess.DEVNULL,
        env={**clean_environment(), **variables},
    )
    try:
        yield
    finally:
        process.terminate()
    assert process.wait(PATIENCE) == 0


class ServicesOnly:
    """The services of a stack on a real socket, in this process; Storage's worker is a thread of it, the queue has
    none."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        # Their tables are small, and other tests need the processors.
        usual: dict[str, Any] = {"data_dir": str(folder), "lake_threads": 1, "sql_threads": 1}
        self.settings = Settings(**{**usual, **settings})
        sockets = open_sockets("loopback", 0)
        self.port: int = sockets[0].getsockname()[1]
        self.stack: Stack = open_from(self.settings, outbound_policy(self.settings, f"127.0.0.1:{self.port}"))
        share_statements(self.stack.database)
        leave_out_syncs_of(self.stack.database)
        self._worker = Worker(self.stack, "tests")
        self.stack = msgspec.structs.replace(self.stack, notify_workers=self._wake)
        self.project: FirstProject = ensure_project(self.stack)
        self._server = ServerInThread(build_app(self.settings, self.stack), sockets)
        self._chores = threading.Thread(target=self._worker.run, daemon=True)
        self._chores.start()

    def _wake(self, service_id: str) -> None:
        if service_id == STORAGE:
            self._worker.wake()

    @property
    def server(self) -> ServerState:
        """Its connections, and the requests that it is at."""
        return self._server.server_state

    def service(self, name: str, token: str | None = None) -> Http:
        """A service by path, as the project's administrator unless a token is given."""
        return Http(f"http://127.0.0.1:{self.port}/_svc/{name}", self.project.token if token is None else token)

    def by_host(self, host: str, token: str | None = None) -> Http:
        return Http(f"http://127.0.0.1:{self.port}", token, host=host)

    def of(self, project: FirstProject) -> ServicesOnly:
        """The same stack, as another project of it sees it."""
        seen = copy.copy(self)
        seen.project = project
        return seen

    def close(self) -> None:
        self._server.stop()
        self.stop_worker()
        self.stack.close()

    def stop_worker(self) -> None:
        """From here on Storage's jobs wait."""
        self._worker.stop()
        self._chores.join()


def clean_environment() -> dict[str, str]:
    """Without settings of whoever runs the tests. They keep all processors busy, wait for jobs, and have
    small tables."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PENSTOCK_") and not name.lower().endswith("_proxy")
    }
    ours = {"PENSTOCK_COMPONENT_NICENESS": "0", "PENSTOCK_LAKE_THREADS": "1", "PENSTOCK_SQL_THREADS": "1"}
    return {**clean, **ours}
