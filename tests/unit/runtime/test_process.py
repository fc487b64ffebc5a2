"""A component's process: heard line by line, ended with everything that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from penstock.runtime import process as module
from penstock.runtime.process import ERROR_LINES, LINE_BYTES, Ended, Process, python_command
from tests.support.stacks import wait_for


def start(folder: Path, script: str, lines: list[str] | None = None, **environment: str) -> Process:
    collect = lines.append if lines is not None else lambda _line: None
    return Process([sys.executable, "-c", script], folder, environment, collect)


def run(folder: Path, script: str, lines: list[str] | None = None, **environment: str) -> Ended:
    ended = start(folder, script, lines, **environment).wait(30)
    assert ended
    return ended


def is_alive(pid: int) -> bool:
    """Whether it still runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_every_line_is_heard_in_order(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, "for n in range(5000): print('line', n)", lines)

    assert lines == [f"line {number}" for number in range(5000)]


def test_a_line_is_heard_as_soon_as_it_is_written(tmp_path: Path) -> None:
    lines: list[str] = []
    process = start(tmp_path, "import time; print('first', flush=True); time.sleep(60)", lines)
    wait_for(lambda: lines)

    assert lines == ["first"]
    assert process.wait(0.01) is None
    process.stop()
    assert process.wait(30)


def test_blank_lines_and_line_ends_are_left_out(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, r"import sys; sys.stdout.buffer.write(b'a\r\n\n\nb \n\xff\xfe\nlast')", lines)

    assert lines == ["a", "b ", "\ufffd\ufffd", "last"]


def test_a_line_without_end_comes_in_pieces(tmp_path: Path) -> None:
    lines: list[str] = []
    run(tmp_path, f"print('x' * {LINE_BYTES * 3})", lines)

    assert "".join(lines) == "x" * LINE_BYTES * 3
    assert max(map(len, lines)) <= LINE_BYTES


@pytest.mark.parametrize("code", [0, 1, 2, 137])
def test_the_exit_code_is_told(tmp_path: Path, code: int) -> None:
    assert run(tmp_path, f"raise SystemExit({code})").exit_code == code


def test_a_component_that_is_killed_has_the_code_of_its_signal(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; os.kill(os.getpid(), 9)").exit_code == 137
    assert run(tmp_path, "import os; os.kill(os.getpid(), 11)").exit_code == 139


def test_the_last_lines_on_standard_error_are_kept(tmp_path: Path) -> None:
    ended = run(tmp_path, "import sys\nfor n in range(1000): print('e', n, file=sys.stderr)\nraise SystemExit(1)")

    assert ended.errors.splitlines() == [f"e {number}" for number in range(1000 - ERROR_LINES, 1000)]


def test_much_on_both_outputs_does_not_block(tmp_path: Path) -> None:
    script = "import sys\nfor n in range(20000): print('o' * 50); print('e' * 50, file=sys.stderr)"
    lines: list[str] = []

    assert run(tmp_path, script, lines).exit_code == 0
    assert len(lines) == 20_000


def test_the_environment_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_TOKEN", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    lines: list[str] = []
    run(tmp_path, "import os; print(os.getcwd()); [print(name) for name in os.environ]", lines, KBC_RUNID="7")

    assert Path(lines[0]).resolve() == tmp_path.resolve()
    assert "KBC_RUNID" in lines
    assert not {"PENSTOCK_TOKEN", "AWS_SECRET_ACCESS_KEY"} & set(lines)


def test_nothing_open_is_inherited_and_standard_input_is_empty(tmp_path: Path) -> None:
    script = "import os, sys; print(sorted(map(int, os.listdir('/proc/self/fd')))[:4]); print(repr(sys.stdin.read()))"
    lines: list[str] = []
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        run(tmp_path, script, lines)

    assert lines[0] == "[0, 1, 2, 3]"
    assert lines[1] == "''"


GRANDCHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(120)"])
print(child.pid, flush=True)
"""


def test_stopping_ends_what_the_component_started(tmp_path: Path) -> None:
    lines: list[str] = []
    process = start(tmp_path, f"{GRANDCHILD}time.sleep(120)", lines)
    pid = int(wait_for(lambda: lines)[0])
    began = time.monotonic()
    process.stop()
    process.stop()

    ended = process.wait(30)
    assert ended
    assert ended.exit_code == 137
    wait_for(lambda: not is_alive(pid))
    assert time.monotonic() - began < 10


def test_what_a_component_leaves_running_ends_with_it(tmp_path: Path) -> None:
    lines: list[str] = []
    ended = run(tmp_path, GRANDCHILD, lines)

    assert ended.exit_code == 0
    wait_for(lambda: not is_alive(int(lines[0])))


def test_what_a_component_set_free_does_not_hold_up_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process in a session of its own is not ended with the component, and keeps its output open."""
    monkeypatch.setattr(module, "DRAIN_SECONDS", 0.2)
    lines: list[str] = []
    began = time.monotonic()
    ended = run(tmp_path, GRANDCHILD.replace("])\nprint", "], start_new_session=True)\nprint"), lines)

    assert (ended.exit_code, len(lines)) == (0, 1)
    assert time.monotonic() - began < 20
    os.kill(int(lines[0]), signal.SIGKILL)


def test_a_component_that_ignores_signals_is_stopped(tmp_path: Path) -> None:
    script = "import signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nprint('up', flush=True)\n"
    lines: list[str] = []
    process = start(tmp_path, f"{script}time.sleep(120)", lines)
    wait_for(lambda: lines)
    process.stop()

    assert process.wait(30)


WORKER = """
import sys, time
from pathlib import Path
from penstock.runtime.process import Process
component = "import os, time; print(os.getpid(), flush=True); time.sleep(120)"
Process([sys.executable, "-c", component], Path(sys.argv[1]), {}, lambda line: print(line, flush=True))
time.sleep(120)
"""


def test_a_component_ends_when_its_worker_is_killed(tmp_path: Path) -> None:
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert worker.stdout
    pid = int(worker.stdout.readline())
    assert is_alive(pid)
    worker.send_signal(signal.SIGKILL)
    worker.wait()

    wait_for(lambda: not is_alive(pid), 10)
    worker.stdout.close()


def test_a_module_is_run_apart_from_the_folder_it_is_started_in() -> None:
    command = python_command("penstock", ["extract"])

    assert command == [sys.executable, "-I", "-m", "penstock", "extract"]


def test_a_component_without_a_program_ends_with_an_error(tmp_path: Path) -> None:
    ended = Process(["/no/such/program"], tmp_path, {}, lambda _line: None).wait(30)

    assert ended
    assert ended.exit_code != 0
    assert "/no/such/program" in ended.errors
