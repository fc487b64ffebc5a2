"""Reserved space for when the disk is full, tested on a small disk that is really full."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from sqlalchemy import text

from penstock.cli.doctor.folder import check_space
from penstock.foundation.database import Database
from penstock.foundation.files.ballast import FILE, Ballast

WHOLE = 4_000_000
"""Of a disk of 40 MB."""


@pytest.fixture
def disk(tmp_path: Path) -> Generator[Path]:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(tmp_path)], capture_output=True)
    if mounted.returncode:
        pytest.skip("Making a small disk needs the right to mount one.")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(disk: Path) -> Path:
    file = disk / "filler"
    with file.open("ab", buffering=0) as opened:
        try:
            while True:
                opened.write(b"x" * 4096)
        except OSError:
            return file


def size_of(disk: Path) -> int:
    return (disk / FILE).stat().st_blocks * 512


def test_it_is_made_once_and_gives_back_steps_only_when_the_disk_is_full(disk: Path) -> None:
    ballast = Ballast(disk)
    ballast.fill()
    ballast.fill()
    ballast.ensure_room()
    assert WHOLE <= size_of(disk) < WHOLE + 10_000
    assert not ballast.is_read_only()

    fill(disk)
    assert ballast.is_read_only()
    ballast.fill()
    ballast.ensure_room()
    ballast.ensure_room()
    assert size_of(disk) == pytest.approx(WHOLE * 3 / 4, abs=10_000)
    assert ballast.is_read_only()


def test_every_step_can_be_given_back_and_all_is_made_again_when_there_is_room(disk: Path) -> None:
    ballast = Ballast(disk)
    ballast.fill()
    filler = fill(disk)
    for _ in range(6):
        ballast.ensure_room()
        fill(disk)
    assert size_of(disk) == 0
    assert ballast.is_read_only()

    filler.unlink()
    assert not ballast.is_read_only()
    ballast.fill()
    assert size_of(disk) >= WHOLE


def test_what_must_be_written_is_written_on_a_full_disk(disk: Path) -> None:
    database = Database(disk / "metadata.sqlite")
    with database.writing() as tx:
        tx.change(text("CREATE TABLE ends (text TEXT)"))
    Ballast(disk).fill()
    fill(disk)
    with database.writing() as tx:
        tx.change(text(f"INSERT INTO ends VALUES ('{'x' * 100_000}')"))
    database.close()

    assert size_of(disk) < WHOLE


def test_a_full_disk_is_wrong_for_doctor(disk: Path) -> None:
    (disk / "format").write_text("1")
    Ballast(disk).fill()
    fill(disk)

    check = check_space(disk)
    assert (check.state, check.text) == ("wrong", "0.0 GB free: the stack is read-only")


def test_a_missing_folder_is_not_a_reason_to_refuse_anything(tmp_path: Path) -> None:
    ballast = Ballast(tmp_path / "absent")
    ballast.fill()
    ballast.ensure_room()

    assert not ballast.is_read_only()
