"""Several processes on one lake: they wait for each other, and a killed one leaves nothing half-done."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from penstock.foundation.lake import LakeTable, maintain
from tests.support.patience import PATIENCE
from tests.unit.foundation.lake.tables import USERS, Tables

LOAD = """
import sys
from pathlib import Path
from penstock.foundation.lake import CsvSource, Lake, LakeTable, Load, load_csv
folder, name, first, last = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
lake = Lake(folder / "lake")
lake.threads = 1
for number in range(first, last):
    file = folder / f"{number}.csv"
    file.write_text("id,name\\n" + "".join(f"{number},{row}\\n" for row in range(10)))
    source = CsvSource(paths=(file,), columns=("id", "name"), has_header=True)
    load = Load(id=f"load-{number}", source=source, incremental=True)
    with lake.one_writer(LakeTable(1, name)):
        load_csv(lake, LakeTable(1, name), load)
    print(number, flush=True)
"""


def start(folder: Path, name: str, first: int, last: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", LOAD, str(folder), name, str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_loading_into_one_bucket_lose_nothing(tables: Tables) -> None:
    jobs = [("one", 0, 3), ("one", 3, 6), ("two", 6, 9), ("two", 9, 12)]
    running = [start(tables.folder, *job) for job in jobs]
    for process in running:
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors

    for name, first, last in (("one", 0, 6), ("two", 6, 12)):
        found = sorted((int(number), int(row)) for number, row in tables.read(("id", "name"), LakeTable(1, name)))
        assert found == [(number, row) for number in range(first, last) for row in range(10)]


@pytest.mark.faults
def test_a_load_that_was_killed_anywhere_can_be_repeated(tables: Tables) -> None:
    """Killed at random moments and begun again from the start, as a worker does: every row is there once."""
    tables.load([("id", "name")], USERS)
    chance = random.Random(1)
    for _ in range(15):
        process = start(tables.folder, USERS.name, 0, 12)
        time.sleep(chance.uniform(0.3, 1.2))
        process.send_signal(signal.SIGKILL)
        process.communicate()
    last = start(tables.folder, USERS.name, 0, 12)
    _, errors = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, errors

    found = sorted((int(number), int(row)) for number, row in tables.read(("id", "name")))
    assert found == [(number, row) for number in range(12) for row in range(10)]
    _make_old(tables.files())
    maintain(tables.lake, USERS.bucket)
    assert len(tables.files()) <= 13 + len(("merged",))


def _make_old(files: list[Path]) -> None:
    """What a killed commit left is removed when no process can be using it any more."""
    for path in files:
        os.utime(path, (0, 0))
