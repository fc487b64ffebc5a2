"""Removing what a program left, whatever it is, as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from penstock.foundation.files.removal import remove_tree
from tests.support.nasty_trees import CANNOT, TREES, Tree

NOBODY = 65534


@pytest.fixture
def place() -> Generator[Path]:
    """A folder that everybody can reach, with a name that is as short as possible."""
    folder = Path(tempfile.mkdtemp(prefix="removal-"))
    folder.chmod(0o777)
    yield folder
    for line in reversed(Path("/proc/mounts").read_text().splitlines() if sys.platform == "linux" else []):
        if line.split()[1].startswith(f"{folder}/"):
            subprocess.run(["umount", line.split()[1]], check=True)
    assert not remove_tree(folder)


def as_user(uid: int, work: Callable[[], str]) -> str:
    """What the work returns, done by a user in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            if uid != os.getuid():
                os.setgroups([])
                os.setgid(uid)
                os.setuid(uid)
            os.write(writing, work().encode())
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as said:
        text = said.read()
    os.waitpid(child, 0)
    return text


def make(tree: Tree, folder: Path) -> None:
    """In a folder as a component has it."""
    (folder / "out" / "files").mkdir(parents=True)
    python = "/usr/bin/python3" if os.getuid() == NOBODY else sys.executable
    made = subprocess.run([python, "-c", tree.source], cwd=folder / "out" / "files", capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(f"{CANNOT}: {made.stderr}")


@pytest.mark.parametrize("uid", [pytest.param(os.getuid(), id="this user"), pytest.param(NOBODY, id="nobody")])
@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_every_tree_is_removed_or_named_and_nothing_outside_is_touched(tree: Tree, uid: int, place: Path) -> None:
    if uid != os.getuid() and os.getuid():
        pytest.skip("Becoming another user needs root.")
    canary = Path("/etc/passwd").read_bytes()
    folder = place / "job"

    def work() -> str:
        make(tree, folder)
        return f"left: {remove_tree(folder)}"

    said = as_user(uid, work)

    if CANNOT in said:
        pytest.skip(said)
    assert said.startswith("left: "), said
    assert Path("/etc/passwd").read_bytes() == canary
    if tree.may_stay:
        assert "mounted there" in said
        assert folder.exists()
    else:
        assert said == "left: "
        assert not folder.exists()


def test_a_file_in_place_of_the_folder_and_a_link_to_one_are_removed(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    for path in (tmp_path / "file", tmp_path / "link", tmp_path / "pipe"):
        {"file": path.touch, "link": lambda p=path: p.symlink_to(kept), "pipe": lambda p=path: os.mkfifo(p)}[
            path.name
        ]()

        assert remove_tree(path) == ""
        assert not path.is_symlink()
        assert not path.exists()
    assert (kept / "file").exists()


def test_what_is_not_there_is_removed_already(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert remove_tree(tmp_path / "absent" / "deeper") == ""
    assert remove_tree(tmp_path / "file" / "below") == ""


def test_two_may_remove_the_same_tree(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / "job" / str(number) / "a" / "b").mkdir(parents=True)
        (tmp_path / "job" / str(number) / "file").touch()
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(remove_tree(tmp_path / "job"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert not (tmp_path / "job").exists()
    assert "" in said


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("Counting descriptors needs /proc.")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        (tmp_path / "a" / "b" / "c").mkdir(parents=True)
        shutil.copy(__file__, tmp_path / "a" / "b" / "c")
        remove_tree(tmp_path / "a")

    assert len(list(Path("/proc/self/fd").iterdir())) == before
