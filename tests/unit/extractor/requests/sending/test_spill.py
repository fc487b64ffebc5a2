from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.spill import Spill


def test_a_small_body_stays_in_memory(tmp_path: Path):
    spill = Spill(tmp_path / "body", threshold=6)
    for piece in (b"abc", b"", b"def"):
        spill.write(piece)
    spill.close()

    assert (spill.body, spill.path, spill.size) == (b"abcdef", None, 6)
    assert not (tmp_path / "body").exists()


def test_a_large_body_is_in_the_file_from_its_first_byte(tmp_path: Path):
    spill = Spill(tmp_path / "body", threshold=6)
    for piece in (b"abc", b"defg", b"hi"):
        spill.write(piece)
    spill.close()

    assert (spill.body, spill.path, spill.size) == (b"", tmp_path / "body", 9)
    assert (tmp_path / "body").read_bytes() == b"abcdefghi"


def test_nobody_else_can_read_the_file_whatever_was_there_before(tmp_path: Path):
    path = tmp_path / "body"
    path.write_text("left by another")
    path.chmod(0o644)
    os.link(path, tmp_path / "held")
    spill = Spill(path, threshold=0)
    spill.write(b"secret")
    spill.close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"secret"
    assert (tmp_path / "held").read_text() == "left by another"


@pytest.mark.parametrize("first", [b"", b"ab", b"abcdefgh"])
@pytest.mark.parametrize("second", [b"", b"xy", b"uvwxyz"])
def test_what_is_discarded_leaves_no_trace_for_the_next_try(tmp_path: Path, first: bytes, second: bytes):
    spill = Spill(tmp_path / "body", threshold=4)
    spill.write(first)
    spill.discard()
    assert not list(tmp_path.iterdir())
    spill.write(second)
    spill.close()

    kept = (tmp_path / "body").read_bytes() if spill.path else spill.body
    assert (kept, spill.size) == (second, len(second))


def test_a_body_that_cannot_be_kept_is_a_sentence(tmp_path: Path):
    spill = Spill(tmp_path / "no" / "folder", threshold=3)

    with pytest.raises(UserError, match=r"more than 3 bytes cannot be stored in .*: No such file.* Free some space"):
        spill.write(b"abcd")
    spill.discard()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_a_sentence_when_the_last_bytes_are_written(tmp_path: Path):
    spill = Spill(tmp_path / "body", threshold=0)
    spill.write(b"a")
    assert spill._file
    os.dup2(os.open("/dev/full", os.O_WRONLY), spill._file.fileno())

    with pytest.raises(UserError, match="No space left on device"):
        spill.close()
    spill.discard()
    assert not (tmp_path / "body").exists()
