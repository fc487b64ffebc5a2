"""The core of a secret: the part that no other reading of a text can change.

If the core is not in a text with all escapes decoded, then the secret is not in it either, and a thorough search can be
skipped. A lead is the character that begins an escape; one that stands before a secret by chance may consume its first
characters, as `\\` does in `DOMAIN\\name`.
"""

from __future__ import annotations

import re

_LEAD = re.compile(rb"[\\%&]")
_IN_ESCAPE = re.compile(rb"[\\%&#;0-9A-Za-z]")
"""What escapes consist of; not what a backslash escapes, such as a quote, since that is always the last character."""
_CONSUMED = (rb"[bfnrt]", rb"[uUxX]?[0-9a-fA-F]{1,4}", rb"#?[a-zA-Z0-9]{0,32};")
"""What a lead, or the beginning of an escape, may consume."""
_ANOTHER_LEAD = re.compile(rb"25|5c|26|37|92|38|amp|percnt|bsol", re.IGNORECASE)
"""In an escape that decodes to another lead, which may consume more."""


def find_core(secret: bytes) -> bytes:
    """Return the longest part of a secret without leads, less what a lead before it may consume; empty if nothing is
    left."""
    return max(map(_without_consumed, _LEAD.split(secret)), key=len)


def is_stable(secret: bytes) -> bool:
    """Whether no escape begins in it: unless one before it reaches into it, it reads the same in every view."""
    return not _LEAD.search(secret)


def may_be_in_escape(byte: bytes) -> bool:
    """Whether an escape may contain this byte and go on after it."""
    return _IN_ESCAPE.match(byte) is not None


def _without_consumed(part: bytes) -> bytes:
    is_after_lead = True
    while is_after_lead:
        consumed = max((_start(pattern, part) for pattern in _CONSUMED), key=len)
        is_after_lead = _ANOTHER_LEAD.search(consumed) is not None
        part = part.removeprefix(consumed)
    return part


def _start(pattern: bytes, part: bytes) -> bytes:
    match = re.match(pattern, part)
    return match[0] if match else b""
