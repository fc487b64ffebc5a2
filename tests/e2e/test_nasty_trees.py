"""Whatever a job leaves in its data folder: its end is recorded, the folder is gone, and the next job runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import penstock
from penstock.foundation.files.removal import remove_tree
from tests.support.nasty_trees import CANNOT, TREES, Tree
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for

pytestmark = pytest.mark.faults

OWN = "own.trees"
SCRIPT = """
import json, os
os.chdir(os.environ["KBC_DATADIR"])
source = json.load(open("config.json"))["parameters"]["script"]
os.mkdir("mess")
os.chdir("mess")
exec(source)
"""
SOURCES = Path(penstock.__file__).parents[1]
NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
PYTHON = f"/usr/bin/python3.{sys.version_info.minor}"


def for_everybody() -> list[str]:
    """Penstock with the system's Python: that of the tests may be where only its owner can read."""
    command = [PYTHON, "-m", "penstock"]
    tried = [*AS_NOBODY, *command, "--version"]
    if os.getuid() or subprocess.run(tried, env=with_packages(), capture_output=True).returncode:
        pytest.skip("Running programs as another user needs root and a Python that everybody can read.")
    return command


def with_packages() -> dict[str, Any]:
    """Not the standard library of the Python that runs the tests: the system's has its own."""
    ours = [path for path in sys.path if "site-packages" in path]
    return {**clean_environment(), "PYTHONPATH": ":".join([*ours, str(SOURCES)]), "HOME": "/"}


@pytest.fixture(scope="module", params=["sandbox", "no sandbox", "another user"])
def stack(request: pytest.FixtureRequest) -> Generator[RunningStack]:
    """One worker, so that the next job shows that it is there."""
    folder = Path(tempfile.mkdtemp(prefix="trees-"))
    folder.chmod(0o755)
    component = folder / "component"
    component.mkdir()
    (component / "main.py").write_text(SCRIPT)
    known = {"id": OWN, "name": "Trees", "type": "application", "command": ["python", "main.py"]}
    (component / "component.json").write_text(json.dumps(known))
    program, sandbox = PENSTOCK, "auto" if request.param == "sandbox" else "off"
    variables = {"PENSTOCK_SANDBOX": sandbox, "PENSTOCK_WORKERS": "1"}
    if request.param != "sandbox":
        program, variables = for_everybody(), with_packages() | variables
    if request.param == "another user":
        program = [*AS_NOBODY, *program]
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", folder], check=True)
    running = RunningStack(folder / "data", program=program, variables=variables)
    added = [*program, "components", "add", str(component), "--data-dir", str(running.folder)]
    subprocess.run(added, check=True, env=clean_environment() | variables)
    yield running
    running.stop()
    unmount(folder)
    remove_tree(folder)


def unmount(folder: Path) -> None:
    for line in reversed(Path("/proc/mounts").read_text().splitlines()):
        if line.split()[1].startswith(f"{folder}/"):
            subprocess.run(["umount", "--lazy", line.split()[1]], check=True)


def run(stack: RunningStack, script: str) -> dict[str, Any]:
    return stack.run_job("", component=OWN, configData={"parameters": {"script": script}})


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_no_tree_stops_the_worker(stack: RunningStack, tree: Tree) -> None:
    job = run(stack, tree.source)
    if CANNOT in job["result"]["message"]:
        pytest.skip("The tree cannot be made here.")

    assert job["status"] in ("success", "error")
    assert run(stack, "pass")["status"] == "success"
    assert "does not stay up" not in stack.errors
    wait_for(lambda: not (stack.folder / "jobs" / job["id"]).exists())
    aside = [path.name for path in (stack.folder / "leftovers").glob(f"{job['id']}-*")]
    assert len(aside) == tree.may_stay
    assert ("it was moved aside" in stack.errors) >= tree.may_stay
