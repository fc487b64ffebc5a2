"""Bytes of files on disk: complete or absent."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from penstock.foundation.blobs import BlobFolder, DiskFull, Part, blocks, key_of


def everything_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"]


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def stage(folder: BlobFolder, blob: str, block: str, content: bytes) -> None:
    blocks = folder.blocks(1, blob)
    stretch = blocks.reserve(len(content))
    stretch.write([content])
    blocks.keep(block, stretch)
    stretch.close()


def parts_of(folder: BlobFolder, *wanted: str) -> list[Part]:
    found = folder.blocks(1, "b").find_all()
    return [found[key_of(block)] for block in wanted]


def test_blocks_in_the_order_of_their_list_are_not_copied(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    for block in "abc":
        stage(folder, "b", block, block.encode() * 3)
    whole = folder.blocks(1, "b").take(parts_of(folder, "a", "b", "c"))

    assert whole
    name = folder.store(whole, 1)
    whole.discard()
    assert folder.content(1, name).read_bytes() == b"aaabbbccc"
    stage(folder, "b", "late", b"late")
    assert folder.content(1, name).read_bytes() == b"aaabbbccc"
    assert len(folder.blocks(1, "b").find_all()) == 4


@pytest.mark.parametrize("wanted", [("b", "a"), ("a",), ("a", "b", "b"), ("a", "c", "b")])
def test_any_other_list_is_joined(tmp_path: Path, wanted: tuple[str, ...]) -> None:
    folder = BlobFolder(tmp_path / "files")
    for block in "abc":
        stage(folder, "b", block, block.encode())
    parts = parts_of(folder, *wanted)

    assert folder.blocks(1, "b").take(parts) is None
    name = folder.store(folder.join(parts), 1)
    assert folder.content(1, name).read_bytes() == "".join(wanted).encode()


def test_a_block_that_did_not_come_leaves_no_gap(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    stage(folder, "b", "a", b"a")
    lost = folder.blocks(1, "b").reserve(1000)
    lost.write([b"half"])
    lost.close()
    folder.blocks(1, "b").give_back(lost)
    stage(folder, "b", "b", b"b")

    assert folder.blocks(1, "b").take(parts_of(folder, "a", "b"))


def test_a_range_that_is_still_being_written_is_not_part_of_a_file(tmp_path: Path) -> None:
    folder = BlobFolder(tmp_path / "files")
    stage(folder, "b", "a", b"a")
    folder.blocks(1, "b").reserve(1000)

    assert folder.blocks(1, "b").take(parts_of(folder, "a")) is None


def test_blocks_from_before_a_power_cut_are_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = BlobFolder(tmp_path / "files")
    stage(folder, "b", "a", b"a")
    monkeypatch.setattr(blocks, "_boot", lambda: "another")
    stage(folder, "b", "b", b"b")

    assert folder.blocks(1, "b").find_all().keys() == {key_of("b")}


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
    staged.discard()
    stage(folder, "blob", "block", b"x")
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
        stage(folder, blob, block, b"x")

    assert {path.parent for path in everything_below(tmp_path)} == {tmp_path / "files" / "staged" / "1"}
    assert len(everything_below(tmp_path)) == 4 * 2
    folder.blocks(1, "a/b").drop()
    assert len(everything_below(tmp_path)) == 3 * 2
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
