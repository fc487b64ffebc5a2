"""A newcomer's first job on every kind of machine: users, sandboxes and Pythons. Run by `make test-machines`.

Each environment is set up from a copy of this checkout as `make up` does it, so its packages come from their registry,
or from the cache of the installer. An ordinary user cannot read a Python in root's home: these three are not cells.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from penstock.foundation.files.removal import remove_tree
from penstock.runtime.users import FIRST
from tests.support.sandbox import NEEDS_SANDBOX, WITHOUT_NAMESPACES
from tests.support.stacks import RunningStack, wait_for
from tests.support.views import NOBODY, ROOT

IS_ROOT = os.geteuid() == 0
SYSTEM = Path("/usr/bin/python3")
PYTHON = "keboola.python-transformation-v2"
UNCOPIED = (".git", ".venv", ".penstock", "node_modules", "__pycache__", ".pytest_cache", ".hypothesis", ".ruff_cache")
HIDE_ENSUREPIP = "raise ImportError('hidden')"
WHO = "import os; print('user', os.getuid())"


class Environment(NamedTuple):
    folder: Path
    is_closed: bool
    """Whether other users cannot read it."""


def has_system_python() -> bool:
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return SYSTEM.exists() and not subprocess.run([SYSTEM, "-c", check], check=False).returncode


NEEDS = {
    "python in /usr": pytest.mark.skipif(not has_system_python(), reason="this machine has no Python 3.11 in /usr"),
    "python in root's home": pytest.mark.skipif(not IS_ROOT, reason="only root has a home that others cannot read"),
    "no ensurepip": pytest.mark.skipif(not has_system_python(), reason="this machine has no Python 3.11 in /usr"),
    "root": pytest.mark.skipif(not IS_ROOT, reason="only root can be root"),
    "user": (),
    "bubblewrap of the system": pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
    "bubblewrap of the package": NEEDS_SANDBOX,
    "no namespaces": (),
}
CELLS = [
    pytest.param(python, user, sandbox, marks=[mark for part in (python, user, sandbox) if (mark := NEEDS[part])])
    for python in ("python in /usr", "python in root's home", "no ensurepip")
    for user in ("root", "user")
    for sandbox in ("bubblewrap of the system", "bubblewrap of the package", "no namespaces")
    if (python, user) != ("python in root's home", "user")
]


@pytest.fixture(scope="module")
def environment(request: pytest.FixtureRequest) -> Generator[Environment]:
    top = Path(tempfile.mkdtemp(prefix="machine-"))
    is_closed = request.param == "python in root's home"
    top.chmod(0o700 if is_closed else 0o755)
    checkout = top / "checkout"
    shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(*UNCOPIED), symlinks=True)
    variables = dict(os.environ)
    if request.param == "no ensurepip":
        (top / "hidden/ensurepip").mkdir(parents=True)
        (top / "hidden/ensurepip/__init__.py").write_text(HIDE_ENSUREPIP)
        variables["PYTHONPATH"] = str(top / "hidden")
    python = sys.executable if is_closed else SYSTEM
    set_up = ["make", f"PYTHON={Path(python).resolve()}", ".venv/run"]
    done = subprocess.run(set_up, cwd=checkout, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    yield Environment(checkout, is_closed)
    remove_tree(top)


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def user(request: pytest.FixtureRequest) -> int:
    return 0 if request.param == "root" else NOBODY if IS_ROOT else os.geteuid()


@pytest.fixture
def stack(environment: Environment, sandbox: str, user: int) -> Generator[RunningStack]:
    folder = Path(tempfile.mkdtemp(prefix="stack-"))
    folder.chmod(0o755)
    (folder / "programs").mkdir()
    variables = {"PENSTOCK_SAMPLE": "true", "PENSTOCK_WORKERS": "1", "HOME": str(folder)}
    if sandbox == "bubblewrap of the package":
        variables["PATH"] = str(link_programs(folder / "programs"))
    without = WITHOUT_NAMESPACES if sandbox == "no namespaces" else []
    if user and IS_ROOT:
        os.chown(folder, user, user)
        without = [*without, "setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"]
    program = [*without, str(environment.folder / ".venv/bin/penstock")]
    stack = RunningStack(folder / "data", program=program, variables=variables)
    yield stack
    stack.stop()
    remove_tree(folder)


def link_programs(folder: Path) -> Path:
    """Link all programs of this machine's PATH but bwrap."""
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).iterdir() if Path(place).is_dir() else ():
            if program.name != "bwrap" and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    assert shutil.which("bwrap", path=str(folder)) is None
    return folder


def run_script(stack: RunningStack, script: str) -> tuple[dict[str, Any], list[str]]:
    blocks = [{"name": "Block", "codes": [{"name": "Code", "script": [script]}]}]
    job = stack.run_job("", component=PYTHON, configData={"parameters": {"blocks": blocks}})
    return job, [event["message"] for event in stack.events(job["id"])]


@pytest.mark.parametrize(("environment", "user", "sandbox"), CELLS, indirect=True)
def test_the_sample_has_250_rows_and_a_script_runs(
    stack: RunningStack, environment: Environment, sandbox: str, user: int
) -> None:
    wait_for(lambda: stack.queue.get("/jobs?status=success").json)
    job, messages = run_script(stack, WHO)

    assert stack.rows_count("in.c-sample.customers") == 250
    assert job["status"] == "success", job["result"]
    assert any("without a sandbox" in message for message in messages) == (sandbox == "no namespaces")
    (number,) = [int(message.removeprefix("user ")) for message in messages if message.startswith("user ")]
    if user or (sandbox == "no namespaces" and environment.is_closed):
        assert number == user
    else:
        assert number >= FIRST
