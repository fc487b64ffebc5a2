"""A component is published from a folder, and runs on a worker that never saw the folder."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.stacks import (
    ONE_WORKER,
    PENSTOCK,
    RunningStack,
    clean_environment,
    run_copy,
    second_worker,
    wait_for,
)

COMPONENT = "acme.ex-squares"
TABLE = "in.c-acme-ex-squares-main.squares"


@pytest.fixture(scope="module")
def stack(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[RunningStack]:
    running = run_copy(new_data_folder, tmp_path_factory.mktemp("publishing") / "data", *ONE_WORKER)
    yield running
    running.stop()


def penstock(*words: str, folder: Path) -> str:
    done = subprocess.run(
        [*PENSTOCK, *words], cwd=folder, env=clean_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def publish(stack: RunningStack, folder: Path, tag: str, power: int) -> dict[str, Any]:
    """A version that raises numbers to a power."""
    manifest = json.loads((folder / "component.json").read_text())
    (folder / "component.json").write_text(json.dumps({**manifest, "tag": tag}))
    main = (folder / "main.py").read_text().replace("number * number", f"number ** {power}")
    (folder / "main.py").write_text(main.replace("number ** 2", f"number ** {power}"))
    made = penstock("components", "publish", ".", "--json", "--data-dir", str(stack.folder), folder=folder)
    return json.loads(made)


def test_a_published_component_runs_where_its_folder_never_was(stack: RunningStack, tmp_path: Path) -> None:
    penstock("components", "init", COMPONENT, folder=tmp_path)
    folder = tmp_path / "ex-squares"
    tested = subprocess.run([PENSTOCK[0], "-m", "unittest"], cwd=folder, capture_output=True, check=False)
    assert tested.returncode == 0, tested.stderr
    first = publish(stack, folder, "1.0.0", 2)
    second = publish(stack, folder, "2.0.0", 3)
    shutil.rmtree(folder)
    assert (first["version"], second["version"]) == (1, 2)

    place = f"/v2/storage/components/{COMPONENT}/configs"
    wanted = {"name": "main", "configurationId": "main", "configuration": {"parameters": {"count": 3}}}
    assert stack.storage.post(place, wanted).status == 201
    cache = tmp_path / "cache-of-another-machine"
    with beside(stack, cache):
        newest = run(stack)
        pinned = run(stack, tag="1.0.0")
        rows = sorted(map(tuple, stack.rows(TABLE)))
        penstock("components", "rollback", COMPONENT, "1", "--data-dir", str(stack.folder), folder=tmp_path)
        back = run(stack)

    assert [job["tag"] for job in (newest, pinned, back)] == ["2.0.0", "1.0.0", "1.0.0"]
    assert rows == [("1", "1"), ("2", "4"), ("3", "9")]
    assert [path for path in cache.iterdir() if path.is_dir()], "the other machine has unpacked it"
    listed = penstock("components", "versions", COMPONENT, "--data-dir", str(stack.folder), folder=tmp_path)
    assert [line.split()[:2] for line in listed.splitlines()[1:]] == [["3", "1.0.0"], ["2", "2.0.0"], ["1", "1.0.0"]]


def run(stack: RunningStack, **wish: Any) -> dict[str, Any]:
    job = stack.run_job("main", component=COMPONENT, **wish)
    assert job["status"] == "success", job["result"]
    return job


@contextmanager
def beside(stack: RunningStack, cache: Path) -> Generator[None]:
    """A second worker, with a cache of its own, which gets every job: the one of the stack has a long one."""
    parameters = {"operation": "sleep", "timeout": 600}
    long = stack.queue.post(
        "/jobs", {"component": "keboola.runner-config-test", "mode": "run", "configData": {"parameters": parameters}}
    ).json["id"]
    wait_for(lambda: stack.job(long)["status"] == "processing")
    with second_worker(stack, PENSTOCK_COMPONENT_CACHE=str(cache)):
        yield
    stack.queue.post(f"/jobs/{long}/kill")
    assert stack.finish_job(long)["status"] == "terminated"
