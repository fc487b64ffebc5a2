"""Removes secrets from texts: the values under `#` keys, plain and in every encoding they may appear in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from penstock.foundation.redaction.forms import Forms
from penstock.foundation.redaction.pieces import Span
from penstock.foundation.redaction.search import Search
from penstock.foundation.redaction.values import hide_values, secrets_of

HIDDEN = "[hidden]"
_MAX_SPELLING_LENGTH = 6**3
"""Bytes that one byte of a secret may become: an escape of six characters, three times over."""


class Redactor:
    """Replaces known secrets by `[hidden]`, or by another word."""

    def __init__(self, secrets: Iterable[str] = (), word: str = HIDDEN) -> None:
        self._word = word
        self._secrets = frozenset(secret for secret in secrets if secret)
        self._forms = Forms(self._secrets)
        self._search = Search(self._forms)

    @classmethod
    def of(cls, document: Any, word: str = HIDDEN) -> Redactor:
        """Hides every value under a key that starts with `#`, at any depth."""
        return cls(secrets_of(document), word)

    def hide(self, document: Any) -> Any:
        """The document with the word in place of every value under a `#` key, known or not."""
        return hide_values(document, self._word)

    def also(self, secrets: Iterable[str]) -> Redactor:
        """A copy that hides these as well."""
        more = frozenset(secrets) - self._secrets
        return Redactor(self._secrets | more, self._word) if more else self

    def finds(self, text: str) -> bool:
        """Whether the text contains a secret."""
        return bool(self._search.find(_encode(text)))

    def clean(self, text: str) -> str:
        content = _encode(text)
        spans = self._search.find(content)
        return self._hide(content, spans, len(content)) if spans else text

    def clean_start(self, content: bytes, size: int, errors: str = "ignore") -> str:
        """The first bytes of a content, as text. A secret at the cut is hidden as a whole: a part of one would not be
        recognized."""
        characters = len(content[:size].decode("utf-8", errors))
        ahead = size + self._forms.longest * _MAX_SPELLING_LENGTH
        text = content[:ahead].decode("utf-8", errors)
        whole, start = _encode(text), _encode(text[:characters])
        return self._hide(whole, self._search.find(whole), len(start))

    def _hide(self, content: bytes, spans: list[Span], size: int) -> str:
        """The content up to this size, extended to the end of a span that begins before it."""
        word, kept, at = self._word.encode(), list[bytes](), 0
        for start, end in spans:
            if start >= size:
                break
            kept += (content[at:start], word)
            at = end
        return b"".join([*kept, content[at:size]]).decode("utf-8", "surrogatepass")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
