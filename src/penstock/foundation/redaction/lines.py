"""Splits a text of many lines into the parts that can be searched one by one."""

from __future__ import annotations

import re

Part = tuple[int, bytes]
"""Where it begins in the text, and its content."""
_WRAPPED = re.compile(rb"(?<!\S)\S++(?:[\r\n][\r\n\t ]*+\S++)++")


def list_lines(content: bytes) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for line in content.split(b"\n"):
        parts.append((at, line))
        at += len(line) + 1
    return parts


def list_wrapped(content: bytes) -> list[Part]:
    """Words with nothing but a line break between them: base64 may continue from one to the next."""
    return [(match.start(), match[0]) for match in _WRAPPED.finditer(content)]
