"""The end of a command's process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.stacks import PENSTOCK

SCRIPT = """
import atexit, sys, threading, time
from penstock.cli.exiting import exit_quickly

def run():
    atexit.register(print, "called at exit")
    threading.Thread(target=lambda: (time.sleep(0.2), print("thread ended"))).start()
    print("run", end=" ")
    {rest}

class Module:
    def __del__(self):
        print("freed")

module = Module()
sys.exit(exit_quickly(run))
"""


def end(rest: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", SCRIPT.format(rest=rest)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("rest", "code"), [("return 0", 0), ("return 7", 7), ("sys.exit(2)", 2)])
def test_threads_and_functions_at_exit_are_waited_for_but_nothing_is_freed(rest: str, code: int) -> None:
    ended = end(rest)

    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "run thread ended\ncalled at exit\n", "")


def test_an_unexpected_error_has_its_traceback_and_exit_code() -> None:
    ended = end("raise LookupError('a bug')")

    assert ended.returncode == 1
    assert "LookupError: a bug" in ended.stderr
    assert "thread ended\ncalled at exit" in ended.stdout


def test_an_error_while_output_is_flushed_is_reported() -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        ended = subprocess.run([*PENSTOCK, "--version"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert ended.returncode
    assert "No space left" in ended.stderr
