"""A component as a process: with and without a sandbox it finds the same things, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from penstock.runtime import isolation
from penstock.runtime.gelf import Listener, Record
from penstock.runtime.isolation import find_bubblewrap
from penstock.runtime.launch import DEFAULT_LIMITS, Launch, Limits, ProcessExit, Reason
from penstock.runtime.launchers.local import LocalLauncher, SandboxMissing
from penstock.runtime.process import Process
from tests.support.sandbox import NEEDS_SANDBOX, bubblewrap_missing
from tests.support.stacks import wait_for
from tests.support.views import open_to_all

SOON = 60
"""Seconds: more than a busy machine needs, and less than the scripts here would run."""
BOTH = pytest.mark.parametrize("sandbox", ["off", pytest.param("required", marks=NEEDS_SANDBOX)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder in a stack's folder, with neighbours."""
    for path in ("stack/jobs/7/data", "stack/jobs/8/data"):
        (tmp_path / path).mkdir(parents=True, mode=0o700)
    for path in ("stack/metadata.sqlite", "stack/key", "stack/jobs/8/data/config.json", "beside"):
        (tmp_path / path).write_text("secret")
    open_to_all(tmp_path)
    return tmp_path / "stack/jobs/7/data"


def start(folder: Path, script: str, lines: list[str], sandbox: str, limits: Limits = DEFAULT_LIMITS) -> Process:
    launch = Launch(
        command=(sys.executable, "-c", script),
        folder=folder,
        environment={"KBC_RUNID": "7"},
        limits=limits,
        hidden=(folder.parents[2],),
    )
    return LocalLauncher(sandbox).start(launch, lines.append)


def run(folder: Path, script: str, lines: list[str], sandbox: str, limits: Limits = DEFAULT_LIMITS) -> ProcessExit:
    ended = start(folder, script, lines, sandbox, limits).wait(SOON)
    assert ended
    return ended


@BOTH
def test_a_component_has_a_home_and_temporary_files_that_go_with_it(folder: Path, sandbox: str) -> None:
    script = """
import os, tempfile
for name in ("HOME", "TMPDIR", "KBC_DATADIR", "KBC_RUNID"): print(os.environ[name])
open(os.path.expanduser("~/note"), "w").write("x"); print(tempfile.NamedTemporaryFile().name)
open("/tmp/penstock-note", "w").close(); os.remove("/tmp/penstock-note")
open("out.csv", "w").write("a"); print(os.getcwd())
"""
    lines: list[str] = []
    ended = run(folder, script, lines, sandbox)
    home, scratch, data, run_id, temporary, here = lines

    assert ended == ProcessExit(exit_code=0, output="\n".join(lines))
    assert (data, run_id, here) == (f"{folder}/", "7", str(folder))
    assert Path(home).is_relative_to(folder)
    assert Path(temporary).is_relative_to(scratch)
    assert [path.name for path in folder.iterdir()] == ["out.csv"]
    assert (folder / "out.csv").stat().st_mode & 0o777 == 0o600


@BOTH
def test_penstock_itself_runs(folder: Path, sandbox: str) -> None:
    launch = Launch(command=(sys.executable, "-I", "-m", "penstock", "--version"), folder=folder)
    ended = LocalLauncher(sandbox).start(launch, print).wait(SOON)

    assert ended
    assert ended.exit_code == 0
    assert ended.output


@BOTH
def test_exit_codes_signals_and_missing_programs_are_told(folder: Path, sandbox: str) -> None:
    assert run(folder, "raise SystemExit(3)", [], sandbox).exit_code == 3
    assert run(folder, "import os; os.kill(os.getpid(), 11)", [], sandbox).exit_code == 139
    ended = LocalLauncher(sandbox).start(Launch(command=("/no/such/program",), folder=folder), print).wait(SOON)
    assert ended
    assert ended.exit_code
    assert "/no/such/program" in ended.errors


LEAVES_CHILDREN = """
import os, signal, subprocess, sys, time
sleep = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(99)"
for is_free in (False, True):
    child = subprocess.Popen([sys.executable, "-c", sleep], start_new_session=is_free, stdout=subprocess.PIPE)
    child.stdout.readline()
if not os.fork():
    if not os.fork(): os.setsid(); time.sleep(99)
    os._exit(0)
os.wait()
"""


def find_processes(folder: Path) -> list[str]:
    """Those whose environment names the folder."""
    found: list[str] = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += [file.parent.name] if str(folder).encode() in file.read_bytes() else []
        except OSError:
            continue
    return found


@BOTH
def test_children_are_not_left_behind(folder: Path, sandbox: str) -> None:
    ended = run(folder, LEAVES_CHILDREN, [], sandbox)

    assert (ended.exit_code, ended.errors) == (0, "")
    assert not find_processes(folder)


@BOTH
def test_stopping_ends_children_that_do_not_want_to_a_second_after_they_were_asked(folder: Path, sandbox: str) -> None:
    lines: list[str] = []
    hold = (
        "signal.signal(15, lambda *_: print('asked', flush=True)); print('up', flush=True)\nwhile True: time.sleep(9)"
    )
    process = start(folder, LEAVES_CHILDREN + hold, lines, sandbox)
    wait_for(lambda: lines)
    began = time.monotonic()
    process.stop()
    ended = process.wait(SOON)

    assert DEFAULT_LIMITS.grace_seconds == 1
    assert DEFAULT_LIMITS.grace_seconds <= time.monotonic() - began < SOON
    assert ended
    assert ended.reason is Reason.STOPPED
    assert "asked" in lines
    assert not find_processes(folder)


@BOTH
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "import os, time\nfor n in range(500):\n    if not os.fork(): time.sleep(99)\ntime.sleep(99)",
            Reason.PROCESSES,
        ),
        ("import time; block = bytearray(200_000_000); time.sleep(99)", Reason.MEMORY),
        ("import time; time.sleep(99)", Reason.TIMEOUT),
    ],
)
def test_limits_hold(folder: Path, sandbox: str, script: str, reason: Reason) -> None:
    limits = Limits(processes=100, memory_megabytes=120, timeout_seconds=2)

    assert run(folder, script, [], sandbox, limits).reason is reason
    assert not find_processes(folder)


@BOTH
def test_a_hundred_megabytes_of_log_and_a_binary_log_are_survived(folder: Path, sandbox: str) -> None:
    script = """
import sys
for _ in range(100): sys.stdout.buffer.write((b"x" * 9_999 + b"\\n") * 100)
sys.stdout.buffer.write(bytes(range(256)) * 4000)
sys.stderr.buffer.write(bytes(range(256)) * 4000)
"""
    sizes: list[int] = []
    launch = Launch(command=(sys.executable, "-c", script), folder=folder)
    ended = LocalLauncher(sandbox).start(launch, lambda line: sizes.append(len(line))).wait(SOON)

    assert ended
    assert ended.exit_code == 0
    assert sum(sizes) > 99_000_000
    assert len(ended.output) + len(ended.errors) < 500_000
    assert "\0" not in ended.output + ended.errors


@BOTH
def test_a_component_can_send_records_to_its_own_port(folder: Path, sandbox: str) -> None:
    script = """
import json, os, socket
with socket.create_connection((os.environ["KBC_LOGGER_ADDR"], int(os.environ["KBC_LOGGER_PORT"]))) as connection:
    for text in ("one", "two"):
        record = {"host": "h", "level": 6, "timestamp": 1, "short_message": text}
        connection.sendall(json.dumps(record).encode() + bytes(1))
"""
    heard: list[Record] = []
    with Listener("tcp", heard.append) as listener:
        environment = {"KBC_LOGGER_ADDR": listener.address[0], "KBC_LOGGER_PORT": str(listener.address[1])}
        launch = Launch(command=(sys.executable, "-c", script), folder=folder, environment=environment)
        LocalLauncher(sandbox).start(launch, print).wait(SOON)

    assert [record.short_message for record in heard] == ["one", "two"]


WORKER = """
import sys, time
from pathlib import Path
from penstock.runtime.launch import Launch
from penstock.runtime.launchers.local import LocalLauncher
launch = Launch(command=(sys.executable, "-c", sys.argv[3]), folder=Path(sys.argv[1]))
LocalLauncher(sys.argv[2]).start(launch, lambda line: print(line, flush=True))
time.sleep(120)
"""


@BOTH
def test_everything_ends_when_the_worker_is_killed(folder: Path, sandbox: str) -> None:
    script = LEAVES_CHILDREN + "print('up', flush=True); time.sleep(99)"
    command = [sys.executable, "-c", WORKER, str(folder), sandbox, script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout
        assert worker.stdout.readline() == "up\n"
        assert find_processes(folder)
        worker.kill()

    wait_for(lambda: not find_processes(folder), 10)


@BOTH
def test_a_data_folder_behind_a_link_is_found(folder: Path, sandbox: str) -> None:
    link = folder.parents[3] / "link"
    link.symlink_to(folder.parents[2])
    launch = Launch(
        command=(sys.executable, "-c", "import os; open(os.environ['KBC_DATADIR'] + 'made', 'w')"),
        folder=link / "jobs/7/data",
        hidden=(link, folder / "no-such-file"),
    )
    ended = LocalLauncher(sandbox).start(launch, print).wait(SOON)

    assert ended == ProcessExit(exit_code=0)
    assert (folder / "made").exists()


def test_a_sandbox_that_is_required_and_missing_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bubblewrap_missing(tmp_path, monkeypatch):
        with pytest.raises(SandboxMissing, match="Install the package bubblewrap"):
            LocalLauncher("required")
        LocalLauncher("auto")


@NEEDS_SANDBOX
def test_a_bubblewrap_that_may_not_work_here_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    sandbox = find_bubblewrap.__wrapped__()

    assert isolation.list_programs()[0] == str(tmp_path / "bwrap")
    assert sandbox
    assert sandbox.program == isolation.list_programs()[1]
