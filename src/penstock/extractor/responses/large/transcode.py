"""Replaces a file by a converted copy, once that is complete; and converts one in another charset, or with a byte-order
mark, to UTF-8 without one, a chunk at a time."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.base.charset import MAX_MARK_LENGTH, UTF_8, Charset, Transcoder, find_charset
from penstock.extractor.base.errors import UserError

_BUFFER = 1 << 20


def as_utf8(path: Path, content_type: str, chunk: int) -> int:
    """Converts in place and returns how many invalid bytes were dropped. Raises UnknownCharset and leaves the file
    unchanged."""
    with path.open("rb", buffering=0) as file:
        charset = find_charset(content_type, file.read(MAX_MARK_LENGTH))
    if charset.is_plain:
        return 0
    if charset.unknown:
        _check(path, charset, chunk)
        return 0
    if charset.codec == UTF_8:
        _blank_mark(path, charset.mark)
        return 0
    return _rewrite(path, charset, chunk)


def _blank_mark(path: Path, size: int) -> None:
    """White space before JSON is ignored, and overwriting the mark needs no copy of the file."""
    with path.open("r+b", buffering=0) as file:
        file.write(b" " * size)


def _check(path: Path, charset: Charset, chunk: int) -> None:
    """Raises UnknownCharset if a file is not UTF-8, whatever charset is declared."""
    transcoder = Transcoder(charset)
    with path.open("rb", buffering=0) as file:
        while data := file.read(chunk):
            transcoder.feed(data)
    transcoder.feed(b"", is_last=True)


def _rewrite(path: Path, charset: Charset, chunk: int) -> int:
    transcoder, dropped = Transcoder(charset), 0
    with rewriting(path) as (source, target):
        source.seek(charset.mark)
        while data := source.read(chunk):
            text = transcoder.feed(data)
            target.write(text.body)
            dropped += text.dropped
        rest = transcoder.feed(b"", is_last=True)
        target.write(rest.body)
    return dropped + rest.dropped


@contextmanager
def rewriting(path: Path) -> Generator[tuple[BinaryIO, BinaryIO]]:
    """Yields the file, to read from, and a new one, to write to, which replaces it at the end. On any exception the
    file stays unchanged; raises UserError if the disk is full."""
    draft = path.with_name(f"{path.name}.draft")
    try:
        with path.open("rb", buffering=_BUFFER) as source, _create(draft) as target:
            yield source, target
        draft.replace(path)
    except OSError as error:
        raise UserError(
            f"A large response cannot be rewritten as JSON in {path.parent}: {error.strerror or error}. "
            "Free some space there, or ask for smaller pages."
        ) from error
    finally:
        with suppress(OSError):  # usually it has been moved
            draft.unlink()


def _create(path: Path) -> BinaryIO:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=_BUFFER)
