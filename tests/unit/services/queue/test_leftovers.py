"""Folders that jobs left: a worker that starts removes them, and none of them can stop it."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from penstock.runtime.data_folder import remove_job_folder, retry_leftovers
from penstock.runtime.sandboxing import SandboxRule
from penstock.services.queue.worker import Worker, launchers
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.queue.own_components import add_component, create_job, run


@pytest.fixture
def deep(services: ServicesOnly) -> Path:
    """Deeper than Python can call itself, and than a path can be long."""
    folder = services.stack.jobs_folder / "999"
    folder.mkdir(parents=True)
    here = os.open(".", os.O_RDONLY)
    os.chdir(folder)
    for _ in range(1500):
        Path("d" * 50).mkdir()
        os.chdir("d" * 50)
    os.fchdir(here)
    os.close(here)
    return folder


def test_a_worker_starts_on_a_tree_that_is_too_deep_to_be_walked_by_recursion(
    services: ServicesOnly, deep: Path, tmp_path: Path
) -> None:
    add_component(services, tmp_path, "own.test", "")
    job_id = create_job(services, "own.test", configData={"parameters": {}})
    worker = Worker(services.stack, "test", launchers("process", SandboxRule(setting="auto"), services.stack.database))
    queue = services.service("queue")

    thread = threading.Thread(target=worker.run)
    thread.start()
    wait_for(lambda: queue.get(f"/jobs/{job_id}").json["isFinished"] or not thread.is_alive())
    worker.stop()
    thread.join()

    assert queue.get(f"/jobs/{job_id}").json["status"] == "success"
    assert not deep.exists()


def test_a_tree_deeper_than_a_path_is_an_error_with_a_sentence(services: ServicesOnly, tmp_path: Path) -> None:
    script = """
        for _ in range(1500):
            os.mkdir("d" * 50)
            os.chdir("d" * 50)
        """
    add_component(services, tmp_path, "own.test", script)
    job = run(services, "own.test", configData={"parameters": {}})

    assert (job["status"], job["result"]["error"]["type"]) == ("error", "user")
    assert "nested its folders too deeply" in job["result"]["message"]
    assert not (services.stack.jobs_folder / job["id"]).exists()


def test_what_cannot_be_removed_is_moved_aside_and_tried_again(tmp_path: Path) -> None:
    if os.getuid():
        pytest.skip("Mounting needs root.")
    job = tmp_path / "jobs" / "7"
    (job / "m").mkdir(parents=True)
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", job / "m"], capture_output=True).returncode:
        pytest.skip("Mounting is not allowed here.")
    remove_job_folder(job)
    [aside] = (tmp_path / "leftovers").iterdir()

    assert not job.exists()
    assert aside.name.startswith("7-")
    subprocess.run(["umount", aside / "m"], check=True)
    retry_leftovers(tmp_path)
    assert not aside.exists()
