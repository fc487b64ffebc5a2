r"""Regular expressions that skip JSON: strings, values and whole records in one match.

They do not validate: the text is decoded later, which reports errors.

A string ends at the first quote that is not escaped by a backslash. One detail makes this exact for damaged responses
too: bytes that are not UTF-8 are dropped before decoding, so they do not count after a backslash. In the string `"\`
`0xFF` `" x"` the second quote is escaped. A byte from 0x80 on that *is* UTF-8 is invalid after a backslash.

For speed, a string without a backslash or a byte from 0x80 on before its last quote, which is nearly every string, is
matched by a shorter alternative, which halves the time. Groups are repeated inside `(?>…)`, because `(…)*+` backtracks
incorrectly in Python before 3.11.5; for single characters it is correct.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

Match = Callable[[bytes, int], re.Match[bytes] | None]
QUOTE, BACKSLASH, BRACKET = b'"\\['
COMMA, OPENING = b",", frozenset(b"[{")
NESTED = 8
"""So many levels of brackets are skipped in one match; deeper ones take several matches."""


def _repeated(pattern: bytes) -> bytes:
    return b"(?>(?:%s)*)" % pattern


_INSIDE = rb'[^"\\]*+' + _repeated(rb'\\[\x80-\xff]*+[\x00-\x7f][^"\\]*+')
_TEXT = rb'(?:"[^"]*+"(?<![\\\x80-\xff]")|"%s")' % _INSIDE
_SIGNS, _SIGNS_OF_ITEM = rb'[^"\[\]{}]*+', rb'[^",\[\]{}]*+'


def _nested(levels: int) -> bytes:
    if not levels:
        return _SIGNS + _repeated(_TEXT + _SIGNS)
    return _SIGNS + _repeated(rb"(?:%s|%s)" % (_TEXT, _bracketed(levels - 1)) + _SIGNS)


def _bracketed(levels: int) -> bytes:
    return rb"[\[{]%s[\]}]" % _nested(levels)


_ITEM = _SIGNS_OF_ITEM + _repeated(rb"(?:%s|%s)" % (_TEXT, _bracketed(NESTED - 1)) + _SIGNS_OF_ITEM)
_VALUES, _NESTED_VALUES = _nested(0), _nested(NESTED)


def skip_inside(chunk: bytes, position: int) -> int:
    """Skips the rest of a string: up to its closing quote, to a backslash whose escaped character is missing, or to the
    end."""
    return _skip(_INSIDE, chunk, position)


def skip_foreign(chunk: bytes, position: int) -> int:
    return _skip(rb"[\x80-\xff]*+", chunk, position)


def skip_values(chunk: bytes, position: int) -> int:
    """Skips up to the next bracket, to a string that does not end in this chunk, or to the end."""
    return _skip(_VALUES, chunk, position)


def skip_nested(chunk: bytes, position: int) -> int:
    """Skips like `skip_values`, but also past brackets that are closed in this chunk and not nested too deeply for one
    match."""
    return _skip(_NESTED_VALUES, chunk, position)


def item_matcher() -> Match:
    """Returns the same as `skip_nested`, but it stops at a comma outside all brackets; returned as a function, because
    it is called for every record."""
    return _matcher(_ITEM)


def _skip(pattern: bytes, chunk: bytes, position: int) -> int:
    match = _matcher(pattern)(chunk, position)
    assert match is not None, "these patterns match everywhere, if only nothing"
    return match.end()


@cache
def _matcher(pattern: bytes) -> Match:
    # Compiled on first use: it takes some milliseconds, and most runs never receive a large response.
    return re.compile(pattern).match
