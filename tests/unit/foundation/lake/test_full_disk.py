"""A full disk: a load is refused with an error message, the old rows can be read, and nothing is left behind."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.lake import LakeUnavailable
from tests.unit.foundation.lake.tables import USERS, Tables

pytestmark = pytest.mark.faults
HEADER = ("id", "name")


@pytest.fixture
def small(tmp_path: Path) -> Generator[Tables]:
    """A lake on a disk of 30 MB of its own, where the system lets us make one."""
    command = ["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", str(tmp_path)]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("Making a small disk needs the right to mount one.")
    made = Tables(tmp_path)
    yield made
    made.lake.close()
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def everything_in(tables: Tables) -> set[str]:
    found = (path for path in tables.lake.folder.rglob("*") if path.is_file())
    return {str(path) for path in found if path.suffix in (".parquet", ".csv", ".tmp")}


@pytest.mark.parametrize("options", [{}, {"incremental": True, "primary_key": ("id",)}])
@pytest.mark.parametrize("left", [0, 100_000, 1_000_000])
def test_a_load_that_does_not_fit_changes_nothing(
    small: Tables, tmp_path_factory: pytest.TempPathFactory, left: int, options: dict[str, Any]
) -> None:
    rows = [(str(number), f"{number * 7919 % 1_000_003}-{number * 104729 % 999_983}") for number in range(150_000)]
    small.load([HEADER, *rows[:1000]], primary_key=("id",))
    file = tmp_path_factory.mktemp("big") / "big.csv"
    file.write_text("id,name\n" + "".join(f"{key},{value}!\n" for key, value in rows))
    before = everything_in(small)
    filler = small.folder / "filler"
    fill(filler, left)

    # Without a single byte left not even the catalog can be read, and SQLite only says "disk I/O error".
    with pytest.raises(LakeUnavailable, match="the disk is full" if left else "Try again"):
        small.load_file(file, HEADER, **options)
    assert everything_in(small) == before
    filler.write_bytes(b"")
    assert sorted(small.read(HEADER)) == sorted(rows[:1000])

    small.load_file(file, HEADER, **options)
    assert len(small.read(HEADER)) == 150_000
    assert small.files(USERS)


def fill(filler: Path, left: int) -> None:
    """All of the disk but so many bytes."""
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            file.truncate(max(0, file.tell() - left))
