"""The Manage API: its tokens, and a stack with many projects beside one with few."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

from penstock.web.auth.manage_token import HEADER
from tests.benchmarks.lake.__main__ import open_bench
from tests.benchmarks.lake.bench import seconds
from tests.benchmarks.lines import Line
from tests.benchmarks.stack.requests import TARGET, measure_rate
from tests.benchmarks.stack.work import Office
from tests.support.http import Http

FEW, MANY, TABLES = 10, 1_000, 20
TIMES = 40
Work = Callable[[], Any]


def measure_manage_verify(office: Office) -> Iterator[Line]:
    token = _client(office).headers[HEADER]
    rate = measure_rate(office, "/manage/tokens/verify", HEADER, token)
    yield Line(f"manage/tokens/verify, {rate:.0f} a second", 1000 / rate, 1000 / TARGET, unit="ms")


def measure_projects(office: Office) -> Iterator[Line]:
    """One more project, the list of an organization of ten, and a token verified: with 10 projects and with 1,000.

    By two stacks that are asked in turns, so that whatever else the machine does slows down both.
    """
    with open_bench(office.bench.rounds) as bench, Office(bench) as other:
        few, many = _list_works(other), _list_works(office)
        http = _client(office)
        _add_projects(office, http, _make_organization(http), MANY - FEW)
        for what in few:
            beside, ours = _measure_in_turns(few[what], many[what], office.bench.rounds)
            yield Line(f"{what} with 1,000 projects of 20 tables beside 10", ours, 1.3, beside, unit="ms")


def _client(office: Office) -> Http:
    command = [sys.executable, "-m", "penstock", "manage-tokens", "create", "--user", "admin@penstock.localhost"]
    where = ["--data-dir", str(office.stack.folder)]
    made = subprocess.run([*command, *where], capture_output=True, text=True, check=True, env=dict(os.environ))
    return Http(office.stack.storage.base, None, headers={HEADER: made.stdout.strip()})


def _make_organization(http: Http) -> int:
    return _post(http, "/manage/maintainers/1/organizations", {"name": "bench"})["id"]


def _post(http: Http, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = http.post(path, body)
    assert response.status == 201, response.text
    return response.json


def _list_works(office: Office) -> dict[str, Work]:
    """What is measured, in a stack with few projects so far."""
    http = _client(office)
    organization, spare = _make_organization(http), _make_organization(http)
    _add_projects(office, http, organization, FEW)
    return {
        "create project": partial(_post, http, f"/manage/organizations/{spare}/projects", {"name": "one more"}),
        "list projects": partial(http.get, f"/manage/organizations/{organization}/projects"),
        "verify": partial(http.get, "/manage/tokens/verify"),
    }


def _measure_in_turns(one: Work, other: Work, rounds: int) -> tuple[float, float]:
    """The medians of both, in milliseconds."""
    pairs = [(seconds(one), seconds(other)) for _ in range(TIMES * rounds)]
    first, second = (median(taken) for taken in zip(*pairs, strict=True))
    return 1000 * first, 1000 * second


def _add_projects(office: Office, http: Http, organization: int, count: int) -> None:
    """With tables that are copies of those of the first project: a thousand times as fast as to create them."""
    bucket = office.bucket()
    for number in range(TABLES):
        office.post(f"buckets/{bucket}/tables", {"name": f"t{number}", "dataString": "id,name\n1,Ada\n"})
    path = f"/manage/organizations/{organization}/projects"
    made = [_post(http, path, {"name": f"project {number}"})["id"] for number in range(count)]
    with sqlite3.connect(office.stack.folder / "metadata.sqlite", timeout=60) as database:
        for project in made:
            branch = database.execute("SELECT id FROM storage_branches WHERE project_id = ?", (project,)).fetchone()[0]
            _copy(database, "storage_buckets", f"id = '{bucket}'", project, branch)
            _copy(database, "storage_tables", f"bucket_id = '{bucket}'", project, branch)


def _copy(database: sqlite3.Connection, table: str, which: str, project: int, branch: int) -> None:
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    new = {"project_id": str(project), "branch_id": str(branch), "number": f"-{project}"}
    values = ", ".join(new.get(name, f'"{name}"') for name in columns)
    first = f"project_id = (SELECT min(project_id) FROM {table} WHERE {which})"
    names = ", ".join(f'"{name}"' for name in columns)
    database.execute(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE {which} AND {first}")
