"""Splits a text of many lines into the parts that can be searched one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WRAPPED = re.compile(rb"(?<!\S)\S++(?:[\r\n][\r\n\t ]*+\S++)++")
"""Words with nothing but a line break between them: base64 may continue from one to the next."""


def split_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each line, then the words that continue over several lines; and where in the content each part begins."""
    at = 0
    for line in content.split(b"\n"):
        yield at, line
        at += len(line) + 1
    yield from ((match.start(), match[0]) for match in _WRAPPED.finditer(content))
