"""Bytes of files on disk: whole or not there."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from penstock.foundation.blobs import BlobFolder, DiskFull, Part


def everything_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_what_is_received_is_nowhere_until_it_is_stored(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    incoming = folder.receive()
    incoming.write([b"a", b"bc"])
    assert not (tmp_path / "files" / "stored").exists()

    name = folder.store(incoming, 7)
    incoming.discard()

    assert folder.content(7, name).read_bytes() == b"abc"
    assert everything_below(tmp_path) == [folder.content(7, name)]


@pytest.mark.parametrize("can_copy", [True, False])
def test_stretches_are_joined_whatever_the_file_system_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_copy: bool
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    if not can_copy:
        monkeypatch.setattr(os, "copy_file_range", refuse, raising=False)
    large = os.urandom(3_000_000)
    one, two = write(tmp_path / "1", b"0123456789"), write(tmp_path / "2", large)
    folder = BlobFolder(tmp_path / "files")
    joined = folder.join([Part(one, 2, 3), Part(two, 0, len(large)), Part(one, 9, 1), Part(one, 0, 0)])

    assert joined.size == len(large) + 4
    name = folder.store(joined, 1)
    assert folder.content(1, name).read_bytes() == b"234" + large + b"9"


@pytest.mark.parametrize("missing", ["gone", "1"])
def test_a_join_that_fails_leaves_nothing(tmp_path: Path, missing: str) -> None:
    write(tmp_path / "1", b"short")
    folder = BlobFolder(tmp_path / "files")

    with pytest.raises(OSError, match=r"No such file|shorter than it was"):
        folder.join([Part(tmp_path / "1", 0, 5), Part(tmp_path / missing, 0, 100)])
    assert everything_below(tmp_path / "files") == []


def test_a_full_disk_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder = BlobFolder(tmp_path / "files")
    incoming = folder.receive()
    incoming.write([b"x"])
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(DiskFull, match="disk of this stack is full"):
        folder.store(incoming, 1)
    incoming.discard()

    assert everything_below(tmp_path) == []


def test_what_was_begun_long_ago_is_swept_away_and_what_is_stored_stays(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    left, staged, stored = folder.receive(), folder.receive(), folder.receive()
    folder.stage(staged, 1, "blob", "block")
    folder.store(stored, 1)
    fresh = folder.receive()
    for path in everything_below(tmp_path):
        if path != fresh.path:
            os.utime(path, (1, 1))
    folder.sweep(3600)

    assert {path.parent.name for path in everything_below(tmp_path)} == {"1", "incoming"}
    assert [path.parts[-3] for path in everything_below(tmp_path) if path.parent.name == "1"] == ["stored"]
    for incoming in (left, fresh):
        incoming.discard()


def test_names_of_clients_are_in_no_path(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    for blob, block in (("../../x", "../y"), ("a/b", "/etc/passwd"), ("\x00", "\udcff"), ("x" * 5000, "y" * 5000)):
        folder.stage(folder.receive(), 1, blob, block)

    assert {path.parent for path in everything_below(tmp_path)} == {tmp_path / "files" / "staged" / "1"}
    assert len(everything_below(tmp_path)) == 4
    folder.drop_blocks(1, "a/b")
    assert len(everything_below(tmp_path)) == 3
    folder.remove(1)
    folder.remove(1)
    assert everything_below(tmp_path) == []


def test_a_disk_that_is_full_from_the_start_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    folder, written = BlobFolder(tmp_path / "files"), write(tmp_path / "1", b"x")
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(DiskFull):
        folder.receive()
    with pytest.raises(DiskFull):
        folder.adopt(written, 1)


def test_an_adoption_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path, target: Path) -> None:
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    folder, written = BlobFolder(tmp_path / "files"), write(tmp_path / "1", b"x")
    monkeypatch.setattr(os, "link", lambda *_: (tmp_path / "absent").stat())
    monkeypatch.setattr(shutil, "copyfile", refuse)
    with pytest.raises(DiskFull):
        folder.adopt(written, 1)

    assert everything_below(tmp_path / "files") == []
