"""Guards are forks of one server for each process that starts components."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from penstock.runtime.launch import ProcessExit
from penstock.runtime.process import KILLED, Process
from tests.support.stacks import wait_for

SOON = 60


def start(folder: Path, script: str, lines: list[str], descriptors: list[int] | None = None) -> Process:
    return Process([sys.executable, "-c", script], folder, {}, lines.append, descriptors=descriptors or [])


def find_server() -> int:
    """Find the server of this process: its only child that has guards."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    (server,) = [pid for pid in children if "guard_server" in Path(f"/proc/{pid}/cmdline").read_text()]
    return int(server)


def test_a_server_that_was_killed_is_replaced_and_what_it_has_started_goes_on(tmp_path: Path) -> None:
    lines: list[str] = []
    running = start(tmp_path, "import time; print('on', flush=True); time.sleep(60)", lines)
    wait_for(lambda: lines)
    first = find_server()
    os.kill(first, 9)
    wait_for(lambda: "Z" in Path(f"/proc/{first}/stat").read_text().rpartition(")")[2])

    assert start(tmp_path, "print('again')", lines).wait(SOON) == ProcessExit(exit_code=0, output="again")
    assert find_server() != first
    running.stop()
    ended = running.wait(SOON)
    assert ended
    assert (ended.reason, ended.output) == ("stopped", "on")


def test_a_guard_that_was_killed_ends_the_run(tmp_path: Path) -> None:
    lines: list[str] = []
    running = start(tmp_path, "import os, time; print(os.getppid(), flush=True); time.sleep(60)", lines)
    wait_for(lambda: lines)
    os.kill(int(lines[0]), 9)

    ended = running.wait(SOON)
    assert ended
    assert (ended.exit_code, ended.reason) == (KILLED, "")


@pytest.mark.parametrize("number", [3, 4, 5, 9, 200])
def test_descriptors_keep_their_numbers(tmp_path: Path, number: int) -> None:
    """Also where the server has another one under that number. A child of the tests', which has not much open."""
    script = f"""
import os, sys
from pathlib import Path
from penstock.runtime.process import Process
reading, writing = os.pipe()
os.write(writing, b"content")
os.close(writing)
if reading != {number}:
    os.dup2(reading, {number})
    os.close(reading)
script = "import os; print(os.read({number}, 100))"
print(Process([sys.executable, "-c", script], Path("."), {{}}, print, descriptors=[{number}]).wait(60))
"""
    lines: list[str] = []
    ended = start(tmp_path, script, lines).wait(SOON)

    assert ended
    assert (ended.exit_code, lines[0]) == (0, "b'content'"), ended.errors


def test_many_threads_start_programs_at_a_time(tmp_path: Path) -> None:
    def run(number: int) -> list[str]:
        lines: list[str] = []
        assert start(tmp_path, f"print({number} * 'x')", lines).wait(SOON) is not None
        return lines

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(1, 25))) == [["x" * number] for number in range(1, 25)]


def test_a_large_environment_arrives_whole(tmp_path: Path) -> None:
    """Larger than what the socket takes at a time."""
    lines: list[str] = []
    variables = {f"NAME_{number}": "x" * 100_000 for number in range(10)}
    script = "import os; print(sum(len(value) for name, value in os.environ.items() if name.startswith('NAME_')))"
    Process([sys.executable, "-c", script], tmp_path, variables, lines.append).wait(SOON)

    assert lines == ["1000000"]


def test_a_nul_character_is_refused_and_not_taken_for_the_end_of_a_word(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="NUL"):
        Process([sys.executable, "-c", "pass"], tmp_path, {"NAME": "a\0PATH=/"}, print)
