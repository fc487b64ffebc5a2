"""Converts a file in another charset, or with a byte-order mark, to UTF-8 without one, a chunk at a time."""

from __future__ import annotations

from pathlib import Path

from penstock.extractor.base.charset import MAX_MARK_LENGTH, UTF_8, Charset, Transcoder, charset_of
from penstock.extractor.responses.large.rewrite import rewriting


def as_utf8(path: Path, content_type: str, chunk: int) -> int:
    """Converts in place and returns how many invalid bytes were dropped. Raises UnknownCharset and leaves the file
    unchanged."""
    with path.open("rb", buffering=0) as file:
        charset = charset_of(content_type, file.read(MAX_MARK_LENGTH))
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
        while piece := file.read(chunk):
            transcoder.feed(piece)
    transcoder.feed(b"", is_last=True)


def _rewrite(path: Path, charset: Charset, chunk: int) -> int:
    transcoder, dropped = Transcoder(charset), 0
    with rewriting(path) as (source, target):
        source.seek(charset.mark)
        while piece := source.read(chunk):
            text = transcoder.feed(piece)
            target.write(text.body)
            dropped += text.dropped
        rest = transcoder.feed(b"", is_last=True)
        target.write(rest.body)
    return dropped + rest.dropped
