"""Views of a text: its escapes decoded, one kind at a time, several levels deep.

Programs escape what others have escaped: JSON in a JSON string, a URL in JSON, JSON in HTML. Each kind is decoded by
itself, because a text may contain by chance what looks like an escape of another kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from penstock.foundation.redaction.escapes import ESCAPES, Escapes
from penstock.foundation.redaction.pieces import Piece, Span, trace

VIEWS = 1 + 3 + 3**2 + 3**3
"""All views of three levels. Only a text that nests all kinds four levels deep has more; it must not take minutes."""


class View:
    """A text with the escapes of one kind decoded, and the view that it was decoded from."""

    def __init__(self, content: bytes, parent: View | None = None, kind: Escapes | None = None) -> None:
        self.content, self._parent, self._kind = content, parent, kind
        self.depth: int = parent.depth + 1 if parent else 0

    def trace(self, spans: list[Span]) -> list[Span]:
        """The same spans in the text itself."""
        if not spans or not self._parent:
            return spans
        return self._parent.trace(trace(self._pieces, spans))

    @cached_property
    def _pieces(self) -> list[Piece]:
        return self._kind.pieces(self._parent.content) if self._parent and self._kind else []


def list_views(content: bytes, depth: int) -> Iterator[View]:
    """The content as it is, then its views, those with fewer levels decoded first."""
    return islice(_list_views(content, depth), VIEWS)


def _list_views(content: bytes, depth: int) -> Iterator[View]:
    level = [View(content)]
    seen = {content}
    yield level[0]
    for _ in range(depth):
        deeper: list[View] = []
        for view in (view for parent in level for view in _unescape(parent, seen)):
            deeper.append(view)
            yield view
        level = deeper


def _unescape(view: View, seen: set[bytes]) -> Iterator[View]:
    for kind in ESCAPES:
        content = kind.decode(view.content)
        if content not in seen:
            seen.add(content)
            yield View(content, view, kind)


def unescape_all(content: bytes, depth: int) -> Iterator[bytes]:
    """The content with all kinds decoded at once, level by level: few views, in which the cores of secrets are seen."""
    for _ in range(depth):
        decoded = content
        for kind in ESCAPES:
            decoded = kind.decode(decoded)
        if decoded == content:
            return
        yield decoded
        content = decoded
