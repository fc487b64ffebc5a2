"""Mustache over the JSON text of a configuration: the tags that insert values, and no others.

    {{ name }}                 the value, escaped: whatever it holds, the text stays JSON
    {{{ name }}}, {{& name }}  the value as it is: it may end the string that it stands in
    {{! remark }}              nothing
    {{=<< >>=}}                from here on tags look like << name >>

A name is everything between the delimiters, dots included. What Mustache has besides (sections, partials, blocks,
pragmas) is refused: the JSON text that such a tag would stand in escapes the `/` that ends a section, so none ever
worked. A tag is within one string; an opening delimiter that nothing closes there is ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from penstock.services.queue.variables.errors import BrokenDocument
from penstock.services.queue.variables.text import Filled, check_size, escape, to_document, to_text

OPEN, CLOSE = "{{", "}}"
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"')
_UNSUPPORTED = frozenset("#^/><$%")


class Tag(msgspec.Struct, frozen=True):
    content: str
    is_raw: bool
    end: int
    """Where the text goes on."""


def fill_document(document: dict[str, Any], values: Mapping[str, str]) -> Filled:
    """The document with its tags replaced, wherever in it they stand."""
    text = to_text(document)
    if OPEN not in text:
        return Filled(document=document)
    renderer = _Renderer(values)
    rendered = _STRING.sub(lambda string: f'"{renderer.render(string[1])}"', text)
    return Filled(document=to_document(rendered), used=renderer.used, missing=list(renderer.missing))


class _Renderer:
    """Renders one string after the other; a change of delimiters lasts beyond the string that it stands in."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values, self._open, self._close = values, OPEN, CLOSE
        self._size = 0
        self.used: dict[str, str] = {}
        self.missing: dict[str, None] = {}

    def render(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        while (start := text.find(self._open, at)) >= 0 and (tag := self._read_tag(text, start)):
            parts += [text[at:start], self._replace(tag)]
            at = tag.end
        return "".join([*parts, text[at:]])

    def _read_tag(self, text: str, start: int) -> Tag | None:
        inside = start + len(self._open)
        end = text.find(self._close, inside)
        if end < 0:
            return None
        if text.startswith("{", inside):
            # The brace that belongs to the tag is before the closing delimiter, or is its first one: `}}}`.
            for brace in (end - 1, end):
                if brace > inside and text.startswith("}" + self._close, brace):
                    return Tag(text[inside + 1 : brace], True, brace + 1 + len(self._close))
        return Tag(text[inside:end], False, end + len(self._close))

    def _replace(self, tag: Tag) -> str:
        sigil, rest = tag.content[:1], tag.content[1:]
        if tag.is_raw:
            return self._insert(tag.content, is_raw=True)
        if sigil == "&":
            return self._insert(rest, is_raw=True)
        if sigil == "=":
            self._change_delimiters(tag.content)
        elif sigil in _UNSUPPORTED:
            raise BrokenDocument(
                f'"{self._open}{tag.content}{self._close}" is a section or a partial, and only values can be inserted'
            )
        return "" if sigil in ("=", "!") else self._insert(tag.content, is_raw=False)

    def _insert(self, content: str, is_raw: bool) -> str:
        name = _read_name(content)
        value = self._values.get(name)
        if value is None:
            self.missing[name] = None
            return ""
        self.used[name] = value
        self._size += len(value)
        check_size(self._size)
        return value if is_raw else escape(value)

    def _change_delimiters(self, content: str) -> None:
        words = content[1:].removesuffix("=").split()
        if not content[1:].endswith("=") or len(words) != 2 or any("=" in word for word in words):
            raise BrokenDocument(
                f'"{self._open}{content}{self._close}" should set two delimiters, such as "{{{{=<< >>=}}}}"'
            )
        self._open, self._close = words


def _read_name(content: str) -> str:
    """The name as people wrote it: in the text it is escaped."""
    try:
        return str(msgspec.json.decode(f'"{content.strip()}"')).strip()
    except msgspec.DecodeError:
        return content.strip()
