r"""Regular expressions that skip JSON: texts, values and whole records in one match.

They skip; they do not check. Whoever decodes the same text checks it.

A text ends at the first quote that no backslash escapes. One detail makes this exact for damaged responses too: bytes
that are no UTF-8 are dropped before decoding, so after a backslash they do not count. In the text `"\` `0xFF` `" x"`
the second quote is an escaped one. A byte from 0x80 on that *is* UTF-8 has no place after a backslash, and is refused.

What was traded: a text without a backslash or a foreign letter before its last quote, which is nearly every text, is
matched by the shorter alternative, which halves the time. Groups are repeated inside `(?>…)`, because the shorter way
to say so, `(…)*+`, forgets where it stood in Python before 3.11.5; of single characters it is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

Match = Callable[[bytes, int], re.Match[bytes] | None]
QUOTE, BACKSLASH, BRACKET = b'"\\['
COMMA, OPENING = b",", frozenset(b"[{")
NESTED = 8
"""So many levels of brackets are skipped in one match; deeper ones take steps, and are looked at several times."""


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
    """Inside a text: up to its last quote, or to a backslash with nothing behind it that counts, or to the end."""
    return _skip(_INSIDE, chunk, position)


def skip_foreign(chunk: bytes, position: int) -> int:
    return _skip(rb"[\x80-\xff]*+", chunk, position)


def skip_values(chunk: bytes, position: int) -> int:
    """Up to the next bracket, or to a text that does not end in this chunk, or to the end."""
    return _skip(_VALUES, chunk, position)


def skip_nested(chunk: bytes, position: int) -> int:
    """The same, but past brackets that are closed in this chunk, if they are not nested too deeply for one match."""
    return _skip(_NESTED_VALUES, chunk, position)


def item_matcher() -> Match:
    """As `skip_nested`, but not past a comma outside all brackets; handed out, as it is called for every record."""
    return _matcher(_ITEM)


def _skip(pattern: bytes, chunk: bytes, position: int) -> int:
    match = _matcher(pattern)(chunk, position)
    assert match is not None, "these patterns match everywhere, if only nothing"
    return match.end()


@cache
def _matcher(pattern: bytes) -> Match:
    # Compiled when it is first needed: many a run never sees a large response, and it takes some milliseconds.
    return re.compile(pattern).match
