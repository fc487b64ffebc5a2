"""A body on its way to a file: one piece is written while the next one arrives."""

from __future__ import annotations

import time
from collections.abc import Sequence

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from penstock.web.bodies import BodyTooLarge
from penstock.web.streaming import PIECE, receive_body
from tests.support.examples import examples

LIMIT = 8 * PIECE
CHUNKS = st.lists(st.sampled_from([0, 1, PIECE // 3, PIECE - 1, PIECE, PIECE + 1]), max_size=6)
WRITE_SECONDS = 0.002


class SlowFile:
    """Says when two pieces are written at once; fails at a piece, if that is asked for."""

    def __init__(self, failing_at: int | None = None) -> None:
        self.content, self.begun = b"", 0
        self._is_writing, self._failing_at = False, failing_at

    def write(self, chunks: list[bytes]) -> None:
        assert not self._is_writing
        self._is_writing, self.begun = True, self.begun + 1
        time.sleep(WRITE_SECONDS)
        if self.begun == self._failing_at:
            raise OSError(28, "No space left on device")
        self.content += b"".join(chunks)
        self._is_writing = False


def upload(chunks: Sequence[bytes], file: SlowFile, *, is_cut: bool = False) -> None:
    messages: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.disconnect"} if is_cut else {"type": "http.request", "body": b""})
    arriving = iter(messages)

    async def receive() -> Message:
        return next(arriving)

    request = Request({"type": "http", "headers": []}, receive)
    anyio.run(receive_body, request, file, LIMIT)


def numbered(sizes: Sequence[int]) -> list[bytes]:
    return [bytes([number + 1]) * size for number, size in enumerate(sizes)]


@given(CHUNKS)
@examples(60, deadline=None)
def test_what_is_written_is_what_arrived_in_its_order(sizes: list[int]) -> None:
    file, chunks = SlowFile(), numbered(sizes)
    upload(chunks, file)

    assert file.content == b"".join(chunks)


def test_a_write_that_fails_ends_the_upload_and_nothing_is_written_after_it() -> None:
    file = SlowFile(failing_at=2)
    with pytest.raises(OSError, match="No space left"):
        upload(numbered([PIECE] * 5), file)

    assert file.content == b"\x01" * PIECE
    assert file.begun == 2


def test_the_last_write_that_fails_is_an_error_too() -> None:
    with pytest.raises(OSError, match="No space left"):
        upload(numbered([PIECE, 5]), SlowFile(failing_at=2))


@pytest.mark.parametrize("sizes", [[PIECE], [PIECE] * 3])
def test_a_client_that_leaves_waits_for_what_was_begun(sizes: list[int]) -> None:
    file = SlowFile()
    with pytest.raises(ClientDisconnect):
        upload(numbered(sizes), file, is_cut=True)

    assert file.content == b"".join(numbered(sizes))


def test_a_body_that_is_too_large_waits_for_what_was_begun() -> None:
    file = SlowFile()
    with pytest.raises(BodyTooLarge):
        upload(numbered([PIECE] * 9), file)

    assert file.content == b"".join(numbered([PIECE] * 8))
