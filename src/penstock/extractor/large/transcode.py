"""A file in another charset, or with a byte-order mark, made into UTF-8 without one; a chunk at a time."""

from __future__ import annotations

from pathlib import Path

from penstock.extractor.charset import LONGEST_MARK, UTF_8, Charset, Transcoder, charset_of
from penstock.extractor.large.rewrite import rewriting


def as_utf8(path: Path, content_type: str, chunk: int) -> int:
    """In its place; how many bytes were left out because they are not text. Raises UnknownCharset, and leaves it as it
    was."""
    with path.open("rb", buffering=0) as file:
        charset = charset_of(content_type, file.read(LONGEST_MARK))
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
    """White space before JSON means nothing, and writing it takes no copy of the file."""
    with path.open("r+b", buffering=0) as file:
        file.write(b" " * size)


def _check(path: Path, charset: Charset, chunk: int) -> None:
    """Raises UnknownCharset if a file is not UTF-8, whatever it says."""
    transcoder = Transcoder(charset)
    with path.open("rb", buffering=0) as file:
        while piece := file.read(chunk):
            transcoder.monitor(piece)
    transcoder.monitor(b"", is_last=True)


def _rewrite(path: Path, charset: Charset, chunk: int) -> int:
    transcoder, dropped = Transcoder(charset), 0
    with rewriting(path) as (source, target):
        source.seek(charset.mark)
        while piece := source.read(chunk):
            text = transcoder.monitor(piece)
            target.write(text.body)
            dropped += text.dropped
        rest = transcoder.monitor(b"", is_last=True)
        target.write(rest.body)
    return dropped + rest.dropped
