"""Files that are complete or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.foundation.files import durable


def test_a_file_is_replaced_whole_and_for_its_owner_only(tmp_path: Path) -> None:
    durable.write_file(tmp_path / "file", b"old")
    durable.write_file(tmp_path / "file", b"new")

    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        durable.write_file(tmp_path / "folder", b"new")

    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_links_and_pipes_do_not_stop_the_syncing_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("x")
    (tmp_path / "a" / "dangling").symlink_to(tmp_path / "absent")
    (tmp_path / "a" / "loop").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "a" / "pipe")

    durable.sync_tree(tmp_path / "a")
