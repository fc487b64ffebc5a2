"""A whole stack as root and as an ordinary user, with bubblewrap and without: what its jobs can do is the same, and
what they must not do is refused. `tests/data/sandbox/paths.txt` lists what they must not open."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from penstock.foundation.files.removal import remove_tree
from tests.support.nasty_trees import TREES
from tests.support.opening import opening
from tests.support.sandbox import NEEDS_SANDBOX, WITHOUT_NAMESPACES
from tests.support.stacks import PENSTOCK, RunningStack, wait_for
from tests.support.views import ROOT, as_user, give_all, users

pytestmark = pytest.mark.faults

PYTHON, DISK_MEGABYTES = "keboola.python-transformation-v2", 20
PATHS = ROOT / "tests/data/sandbox/paths.txt"
OTHERS = ("jobs/8/0/1/config.json", "cache/2/canary", "logs/old.log")
"""Files of others in the data folder."""

MAKE = "open('out/tables/made.csv', 'w').write('id\\n1\\n2\\n')"
FILL = """
import time
with open("out/files/big", "wb") as file:
    while True:
        file.write(b"x" * 100_000)
        time.sleep(0.001)
"""


class Place(NamedTuple):
    stack: RunningStack
    user: int
    has_sandbox: bool


@pytest.fixture(scope="module", params=["no bubblewrap", pytest.param("bubblewrap", marks=NEEDS_SANDBOX)])
def sandbox(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=users())
def place(request: pytest.FixtureRequest, sandbox: str) -> Generator[Place]:
    user: int = request.param
    # Not below the folder of pytest, which every other run of it closes to other users again.
    folder = Path(tempfile.mkdtemp(prefix="users-"))
    data = folder / "data"
    folder.chmod(0o755)
    give_all(folder, user)
    variables = {"PENSTOCK_JOB_DISK_MEGABYTES": str(DISK_MEGABYTES), "PENSTOCK_WORKERS": "1", "HOME": str(folder)}
    without = WITHOUT_NAMESPACES if sandbox == "no bubblewrap" else []
    stack = RunningStack(data, program=as_user(user, *without, *PENSTOCK), variables=variables)
    add_others(data, user)
    yield Place(stack, user, sandbox == "bubblewrap")
    stack.stop()
    remove_tree(folder)


def add_others(data: Path, user: int) -> None:
    """What another job and another project have, with the rights that the stack gives such files."""
    for name in OTHERS:
        above = data / Path(name).parts[0]
        above.mkdir(exist_ok=True)
        folder, mode = (data / name).parent, above.stat().st_mode
        folder.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("of others")
        (data / name).chmod(0o600)
        for path in folder.relative_to(data).parents:
            if path.parts[1:]:
                (data / path).chmod(0o700)
        above.chmod(mode)
        give_all(above, user)


def run(stack: RunningStack, script: str, **storage: Any) -> dict[str, Any]:
    blocks = [{"name": "Block", "codes": [{"name": "Code", "script": [script]}]}]
    return stack.run_job("", component=PYTHON, configData={"parameters": {"blocks": blocks}, "storage": storage})


def messages(stack: RunningStack, job: dict[str, Any]) -> list[str]:
    return [event["message"] for event in stack.events(job["id"])]


def list_paths(place: Place) -> list[str]:
    holds = {"always"} | ({"apart", "sandbox"} if place.has_sandbox else set() if place.user else {"apart"})
    lines = [line.split() for line in PATHS.read_text().splitlines() if not line.startswith("#")]
    return [f"{how} {path.format(stack=place.stack.folder)}" for how, path, where in lines if where in holds]


def test_a_transformation_makes_a_table(place: Place) -> None:
    output = {"tables": [{"source": "made.csv", "destination": "out.c-main.made"}]}
    job = run(place.stack, MAKE, output=output)

    assert job["status"] == "success", job["result"]
    assert sorted(place.stack.rows("out.c-main.made")) == [["1"], ["2"]]


def test_it_opens_nothing_on_the_list(place: Place) -> None:
    paths = list_paths(place)
    script = opening(json.dumps(paths), "opened ") + 'print("tried all")\n'
    job = run(place.stack, script)
    said = messages(place.stack, job)

    assert "tried all" in "\n".join(said), job["result"]
    assert [line for line in said if "opened" in line] == []
    assert paths


def test_a_job_that_fills_its_share_of_the_disk_is_ended(place: Place) -> None:
    job = run(place.stack, FILL)

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert f"may use {DISK_MEGABYTES} MB" in job["result"]["message"]


@pytest.mark.parametrize("tree", TREES[:1] + TREES[4:5], ids=lambda tree: tree.name)
def test_what_a_job_leaves_behind_is_removed_and_the_next_one_runs(place: Place, tree: Any) -> None:
    job = run(place.stack, tree.source)

    assert job["status"] in ("success", "error")
    following = run(place.stack, "print('next')")
    assert following["status"] == "success", following["result"]
    wait_for(lambda: not (place.stack.folder / "jobs" / job["id"]).exists())


def test_a_missing_sandbox_is_said(place: Place) -> None:
    job = run(place.stack, "pass")

    assert any("sandbox" in line.lower() or "bubblewrap" in line for line in messages(place.stack, job)) != (
        place.has_sandbox
    )
