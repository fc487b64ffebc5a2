"""Folders as ZIP files, and back."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from penstock.foundation.files.removal import remove_tree
from penstock.runtime.archives import BadArchive, pack, unpack
from tests.support.nasty_trees import Tree


def test_what_is_packed_comes_out_again_without_links(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "a.txt").write_text("a")
    (folder / "link").symlink_to("/etc/hostname")
    pack(folder, tmp_path / "a.zip")
    unpack(tmp_path / "a.zip", tmp_path / "out")

    assert (tmp_path / "out" / "deep" / "a.txt").read_text() == "a"
    assert not (tmp_path / "out" / "link").exists()


@pytest.mark.parametrize("name", ["../a", "/a", "a/../../b", "a\\..\\b"])
def test_names_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("good", "1")
        archive.writestr(name, "2")

    with pytest.raises(BadArchive, match="leads out of its folder"):
        unpack(tmp_path / "a.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK no")

    with pytest.raises(BadArchive, match="cannot be unpacked"):
        unpack(tmp_path / "a.zip", tmp_path / "out")


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ('nest(3000, "d" * 200)', "nested too deeply"),
        ('nest(101, "d")', "nested too deeply"),
        ('touch(b"\\xff")', "is not UTF-8"),
        ('touch("sparse"); os.truncate("sparse", 50_000_000_000)', "holds more than"),
    ],
)
def test_what_no_archive_can_hold_is_the_users_to_fix(tmp_path: Path, script: str, sentence: str) -> None:
    folder = tmp_path / "current"
    folder.mkdir()
    source = Tree("", script).source
    subprocess.run([sys.executable, "-c", source], cwd=folder, check=True)

    with pytest.raises(BadArchive, match=sentence):
        pack(folder, tmp_path / "a.zip")
    assert not remove_tree(folder)
