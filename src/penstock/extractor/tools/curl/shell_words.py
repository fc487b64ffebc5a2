"""Splits a command into words like a shell: quotes, escapes and continued lines."""

from __future__ import annotations

import re

_WORD_PART = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<continued>[\\^][ \t]*(?:\r?\n|\Z))       # also the mark of Windows
  | '(?P<single>[^']*)'
  | \$'(?P<ansi>(?:[^'\\]|\\.)*)'
  | "(?P<double>(?:[^"\\]|\\.)*)"
  | \\(?P<escaped>.)
  | (?P<plain>[^\s'"\\$^]+|[$^])
    """,
    re.VERBOSE | re.DOTALL,
)
_NEXT_COMMAND = re.compile(r"[|;]|[0-9&]?[<>]|&&?(?=\s|\Z)").match
"""A pipe or a redirection ends the command. An `&` within a word belongs to a URL."""
_IN_DOUBLE = re.compile(r"""\\(?:([$`"\\])|\r?\n)""")
_IN_ANSI = re.compile(
    r"\\(?:((?:x[0-9a-fA-F]{1,2}(?:\\(?=x[0-9a-fA-F]))?)+)|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}
_LAST_CHARACTER = 0x10FFFF


def split_words(text: str) -> list[str]:
    """Returns the words of the first command in a text; raises ValueError if a quote is not closed."""
    words: list[str] = []
    word: str | None = None
    at = 0
    while at < len(text) and not (word is None and _NEXT_COMMAND(text, at)):
        match = _WORD_PART.match(text, at)
        if match is None:
            raise ValueError("a quote is not closed")
        at = match.end()
        if match.lastgroup == "space":
            words += [] if word is None else [word]
            word = None
        elif match.lastgroup != "continued":
            word = (word or "") + _unquoted(match)
    return words if word is None else [*words, word]


def _unquoted(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    text = match[kind]
    if kind == "double":
        return _IN_DOUBLE.sub(lambda escape: escape[1] or "", text)
    return _unescaped(text) if kind == "ansi" else text


def _unescaped(text: str) -> str:
    """Returns the content of `$'…'`. Browsers write characters beyond 16 bits as surrogate pairs, which are joined."""
    plain = _IN_ANSI.sub(_character, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    bytes_, short, long, octal, other = match.groups()
    if bytes_:
        return bytes(int(figures, 16) for figures in re.findall("x([0-9a-fA-F]{1,2})", bytes_)).decode(
            "utf-8", "replace"
        )
    if octal:
        return chr(int(octal, 8) & 0xFF)
    if short or long:
        return chr(min(int(short or long, 16), _LAST_CHARACTER))
    return _ESCAPES.get(other, other if other in "\\'\"?" else f"\\{other}")
