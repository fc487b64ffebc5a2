"""How much of a large response may be in memory at a time; what exceeds a limit is refused with a message."""

from __future__ import annotations

import msgspec

MB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """All in bytes, except for the depth."""

    chunk: int = MB // 4
    """Read together while looking for arrays; small, because matching a regular expression needs memory too."""
    array: int = MB
    """A longer array is left in the file."""
    part: int = MB
    """Its items are decoded in parts of this size, plus the item that exceeds it."""
    skeleton: int = 16 * MB
    """The document without its long arrays."""
    item: int = 64 * MB
    """One item of a long array, one line, one record that holds long arrays itself."""
    text: int = 64 * MB
    """One text, and one cell of CSV."""
    depth: int = 1024


LIMITS = Limits()


class TooMuch(Exception):
    """What exceeds a limit, as the end of the message "… cannot be read: "."""
