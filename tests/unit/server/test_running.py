"""The note of a running stack: found while its lock is held, and by its owner only."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.foundation.files import locks
from penstock.server.running import LOCK, NOTE, Running, forget, read_running, remember

RUNNING = Running(storage_url="s", queue_url="q", portal_url="p", project_id=1, token="1-3-x", pid=7)


def test_a_stack_is_found_while_it_runs(tmp_path: Path) -> None:
    held = locks.try_to_hold(tmp_path / LOCK)
    assert held
    remember(tmp_path, RUNNING)

    assert read_running(tmp_path) == RUNNING
    assert (tmp_path / NOTE).stat().st_mode & 0o077 == 0
    forget(tmp_path)
    assert read_running(tmp_path) is None
    forget(tmp_path)
    held.close()


def test_the_note_of_a_killed_stack_is_ignored(tmp_path: Path) -> None:
    remember(tmp_path, RUNNING)
    assert read_running(tmp_path) is None

    held = locks.try_to_hold(tmp_path / LOCK)
    assert held
    held.close()
    assert read_running(tmp_path) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": 1}', b"\xff"])
def test_a_broken_note_does_not_count_as_a_stack(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NOTE).write_bytes(content)

    assert read_running(tmp_path) is None
