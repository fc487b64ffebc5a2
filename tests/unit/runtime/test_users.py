"""A component is never root, and reaches nothing of its stack: as root and as an ordinary user, with bubblewrap and
without. `tests/data/sandbox/paths.txt` lists what must not be opened."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import pytest

from penstock.runtime.users import choose_user
from tests.support.opening import opening
from tests.support.sandbox import NEEDS_SANDBOX, WITHOUT_NAMESPACES
from tests.support.views import ROOT, give_all, open_to_all, run_python, users

PATHS = ROOT / "tests/data/sandbox/paths.txt"
SANDBOXES = pytest.mark.parametrize("sandbox", ["off", pytest.param("required", marks=NEEDS_SANDBOX)])
USERS = pytest.mark.parametrize("user", users())
IS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")

START = """
import sys
from pathlib import Path
from penstock.runtime.launch import Launch
from penstock.runtime.launchers.local import LocalLauncher
stack, sandbox, script, *more = sys.argv[1:]
folder, cache = Path(stack, "jobs/7/0/1"), Path(stack, "cache/1")
launch = Launch(
    command=(sys.executable, "-c", script, *more), folder=folder, writable=(cache,), hidden=(Path(stack),), project_id=1
)
ended = LocalLauncher(sandbox).start(launch, lambda line: print(line, flush=True)).wait(60)
sys.stderr.write(ended.errors)
sys.exit(ended.exit_code)
"""

OPEN = opening("sys.argv[1:]")


@pytest.fixture
def stack(tmp_path: Path) -> Path:
    """A stack's folder with two jobs, of two projects."""
    folder = tmp_path / "stack"
    for name in ("jobs/7/0/1/in", "jobs/8/0/1", "cache/1", "cache/2", "logs"):
        (folder / name).mkdir(parents=True)
    for name in ("key", "metadata.sqlite", "admin-token", "jobs/8/0/1/config.json", "cache/2/canary"):
        (folder / name).write_text("secret")
    for name in ("jobs/7/0/1/config.json", "jobs/7/0/1/in/table.csv", "cache/1/old"):
        (folder / name).write_text("own")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    open_to_all(tmp_path)
    return folder


def start(stack: Path, user: int, sandbox: str, script: str, *more: str) -> list[str]:
    give_all(stack, user)
    done = run_python(user, START, stack, sandbox, script, *more)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def list_paths(user: int, sandbox: str, stack: Path) -> list[str]:
    holds = {"always", *(["apart"] if sandbox == "required" or not user else [])}
    holds |= {"sandbox"} if sandbox == "required" else set()
    lines = [line.split() for line in PATHS.read_text().splitlines() if not line.startswith("#")]
    return [f"{how} {path.format(stack=stack)}" for how, path, where in lines if where in holds]


def make_environment(folder: str, python: str = sys.executable) -> str:
    """Make a virtual environment in the folder, with the packages of this one, and return its Python."""
    subprocess.run([python, "-m", "venv", "--without-pip", f"{folder}/venv"], check=True)
    (packages,) = Path(folder).glob("venv/lib/*/site-packages")
    (packages / "all.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})")
    return f"{folder}/venv/bin/python"


@NEEDS_SANDBOX
@USERS
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_python_that_is_installed_or_linked_below_tmp_is_found(stack: Path, user: int, is_linked: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as installed:
        Path(installed).chmod(0o755)
        link = Path(installed) / "python3"
        link.symlink_to(Path(sys.executable).resolve())
        python = make_environment(installed, str(link) if is_linked else sys.executable)
        give_all(stack, user)
        done = run_python(user, START, stack, "required", "print(1)", python=python)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@USERS
@SANDBOXES
def test_nothing_on_the_list_can_be_opened(stack: Path, user: int, sandbox: str) -> None:
    paths = list_paths(user, sandbox, stack)
    own = f"read {stack}/jobs/7/0/1/config.json"

    assert start(stack, user, sandbox, OPEN, *paths, own) == [own]


@USERS
@SANDBOXES
def test_a_component_is_an_ordinary_user_without_privileges(stack: Path, user: int, sandbox: str) -> None:
    script = """
import os
print(0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()))
known = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(known["CapEff"].strip(), known["CapPrm"].strip(), known["CapAmb"].strip())
"""
    none = "0" * 16

    assert start(stack, user, sandbox, script) == ["False", f"{none} {none} {none}"]


@USERS
@SANDBOXES
def test_it_reads_its_input_and_the_stack_reads_and_removes_its_output(stack: Path, user: int, sandbox: str) -> None:
    script = """
import os
print(open("in/table.csv").read(), open(os.environ["KBC_DATADIR"] + "config.json").read())
os.mkdir("out"); open("out/table.csv", "w").write("made"); os.chmod("out", 0)
open("/dev/stdout", "w").write("by name\\n")
cache = os.path.join(os.environ["KBC_DATADIR"], "../../../../cache/1")
print(open(cache + "/old").read()); open(cache + "/new", "w").write("kept")
"""
    lines = start(stack, user, sandbox, script)

    assert sorted(lines) == ["by name", "own", "own own"]
    if os.geteuid() == 0:
        assert (stack / "jobs/7/0/1/out/table.csv").read_text() == "made"
        assert (stack / "cache/1/new").read_text() == "kept"


@USERS
@NEEDS_SANDBOX
def test_no_namespaces_can_be_made_inside(stack: Path, user: int) -> None:
    script = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x00020000, 0x40000000): print(libc.unshare(flag))
print(libc.syscall(56 if os.uname().machine == "x86_64" else 220, 0x10000000 | 17, 0, 0, 0, 0))
print(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
print(os.system("true"))
"""
    assert start(stack, user, "required", script) == ["-1"] * 5 + ["0"]


@IS_ROOT
@SANDBOXES
def test_a_file_with_a_second_name_stays_whose_it_is(stack: Path, sandbox: str) -> None:
    os.link(stack / "key", stack / "jobs/7/0/1/in/link")

    assert start(stack, 0, sandbox, "import os; print(os.access('in/link', os.R_OK))") == ["False"]
    assert (stack / "key").stat().st_uid == 0


@IS_ROOT
def test_projects_have_users_of_their_own(stack: Path) -> None:
    assert 0 != choose_user(1) != choose_user(2) != 0
    start(stack, 0, "off", "")
    assert (stack / "jobs/7/0/1/config.json").stat().st_uid == choose_user(1)
    assert (stack / "key").stat().st_uid == 0


def start_without_setuid(stack: Path, sandbox: str) -> subprocess.CompletedProcess[str]:
    dropping = ["setpriv", "--bounding-set", "-setuid", "--inh-caps", "-setuid"]
    execute = "import os, sys; os.execvp(sys.argv[1], sys.argv[1:])"
    return run_python(0, execute, *dropping, sys.executable, "-c", START, stack, sandbox, WHO)


WHO = "import os; print(os.getuid())"


@IS_ROOT
def test_where_the_user_cannot_be_changed_components_run_as_root_unless_a_sandbox_is_required(stack: Path) -> None:
    done = start_without_setuid(stack, "off")

    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


@IS_ROOT
@NEEDS_SANDBOX
def test_where_the_user_cannot_be_changed_and_a_sandbox_is_required_the_way_out_is_told(stack: Path) -> None:
    done = start_without_setuid(stack, "required")

    assert done.stdout == ""
    assert "root lacks the right to change users here (capability SETUID)" in done.stderr
    assert "Run the stack as an ordinary user" in done.stderr


@IS_ROOT
def test_in_a_data_folder_that_other_users_cannot_reach_components_run_as_root_and_say_so(stack: Path) -> None:
    stack.parent.chmod(0o700)
    done = run_python(0, START, stack, "off", WHO)

    assert (done.returncode, done.stderr) == (0, "")
    told, who = done.stdout.splitlines()
    assert told.startswith("This component runs as root, like the stack: other users cannot read")
    assert f"{stack.parent} is closed to them" in told
    assert who == "0"


@IS_ROOT
def test_without_namespaces_a_python_in_roots_home_runs_components_as_root(stack: Path) -> None:
    """As the tests run, not in a view in which all users can read this Python."""
    with tempfile.TemporaryDirectory() as closed:
        command = [*WITHOUT_NAMESPACES, make_environment(closed), "-c", START, str(stack), "auto", WHO]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
