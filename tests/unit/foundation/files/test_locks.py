"""Locks between processes, which end with their holders."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from penstock.foundation.files import locks
from tests.support.stacks import wait_for

HOLD = """
import sys, time
from pathlib import Path

import pytest
from penstock.foundation.files import locks
held = locks.try_to_hold(Path(sys.argv[1]))
print("held" if held else "taken", flush=True)
time.sleep(60)
"""


def test_a_lock_is_held_by_one_and_names_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "up.lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"

    assert locks.try_to_hold(path) is None
    assert locks.holder_of(path) == str(holder.pid)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    held = locks.try_to_hold(path)
    assert held
    held.close()
    holder.stdout.close()


def test_waiting_for_a_lock_ends_when_it_is_released(tmp_path: Path) -> None:
    path, order = tmp_path / "deep" / "commit.lock", list[str]()
    entered = threading.Event()

    def second() -> None:
        entered.set()
        with locks.exclusive(path):
            order.append("second")

    with locks.exclusive(path):
        thread = threading.Thread(target=second)
        thread.start()
        entered.wait()
        thread.join(0.1)
        order.append("first")
    wait_for(lambda: not thread.is_alive())
    assert order == ["first", "second"]


def test_who_waits_for_a_lock_may_give_up(tmp_path: Path) -> None:
    path, looks = tmp_path / "table.lock", list[int]()

    def check() -> None:
        looks.append(1)
        if len(looks) == 3:
            raise TimeoutError

    with locks.exclusive(path), pytest.raises(TimeoutError), locks.exclusive(path, check):
        raise AssertionError("Two hold it.")

    with locks.exclusive(path, check):
        assert len(looks) == 3, "nobody held it any more"
