"""Forks are made in processes of their own here: a process that runs tests has threads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.processes import is_alive
from tests.support.stacks import PATIENCE, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forks only on Linux")

BEFORE = """
import os, signal, subprocess, sys, threading, time
from penstock.server.forked_workers import fork_workers
"""


def run_program(program: str, *, without: str = "") -> str:
    command = ["/bin/sh", "-c", f'exec "$0" "$@" {without}', sys.executable, "-c", BEFORE + program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_fork_has_its_name_and_environment_and_its_exit_code_is_known() -> None:
    printed = run_program("""
def run(name):
    print(name, os.environ["PLACE"], os.environ["HOME"], open("/proc/self/comm").read(), file=sys.stderr)
    return 7

os.environ["HOME"], os.environ["PLACE"] = "/somewhere", "before"
reading, writing = os.pipe()
os.dup2(writing, 2)
worker, = fork_workers(1, run)
worker.begin("worker-1", {"PLACE": "caf\\u00e9"})
print(worker.wait(60), worker.poll(), os.read(reading, 1000).decode())
""")

    assert printed.split() == ["7", "7", "worker-1", "café", "/somewhere", "penstock", "worker"]


def test_a_fork_that_fails_ends_with_an_error() -> None:
    printed = run_program("""
worker, = fork_workers(1, lambda name: 1 / 0)
worker.begin("worker-1", {})
print(worker.wait(60))
""")

    assert printed == "1\n"


def test_a_fork_is_stopped_and_killed_like_a_process() -> None:
    printed = run_program("""
first, second = fork_workers(2, lambda name: time.sleep(600))
for number, worker in enumerate((first, second)):
    worker.begin(f"worker-{number}", {})
try:
    first.wait(0.05)
except subprocess.TimeoutExpired:
    print("still there")
first.terminate()
second.kill()
print(first.wait(60), second.wait(60))
first.kill()
""")

    assert printed == "still there\n-15 -9\n"


def test_a_fork_that_is_killed_before_it_begins_is_known_to_have_ended() -> None:
    printed = run_program("""
worker, = fork_workers(1, lambda name: 0)
os.kill(worker.pid, signal.SIGKILL)
os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
worker.begin("worker-1", {})
print(worker.poll())
""")

    assert printed == "-9\n"


@pytest.mark.parametrize("without", ["0<&-", "0<&- 2>&-"])
def test_a_process_without_standard_streams_makes_forks(without: str) -> None:
    program = """
worker, = fork_workers(1, lambda name: len(sys.stdin.read()))
worker.begin("worker-1", {})
worker.stdin.write(b"five.")
worker.stdin.close()
print(worker.wait(60))
"""

    assert run_program(program, without=without) == "5\n"


@pytest.mark.parametrize("begins", [False, True])
def test_no_fork_outlives_a_stack_that_is_killed(begins: bool) -> None:
    printed = run_program(f"""
workers = fork_workers(3, lambda name: len(sys.stdin.read()))
for number, worker in enumerate(workers):
    {begins} and worker.begin(f"worker-{{number}}", {{}})
print(*(worker.pid for worker in workers), flush=True)
os._exit(0)
""")

    pids = [int(pid) for pid in printed.split()]
    assert len(pids) == 3
    wait_for(lambda: not any(is_alive(pid) for pid in pids))


def test_a_process_with_threads_makes_no_forks() -> None:
    printed = run_program("""
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
print(fork_workers(2, lambda name: 0))
""")

    assert printed == "[]\n"
