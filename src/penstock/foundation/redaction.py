"""Keeping secrets out of texts: the values under `#` keys, in every spelling they may appear in."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast
from urllib.parse import quote, quote_plus

HIDDEN = "[hidden]"
_SHORTEST = 4
"""A shorter secret is hidden only where it stands alone: it is a part of too many words."""
_SHORTEST_LINE = 8


class Redactor:
    """Replaces known secrets by `[hidden]`, or by another word."""

    def __init__(self, secrets: Iterable[str] = (), word: str = HIDDEN) -> None:
        self._word = word
        self._secrets = frozenset(secret for secret in secrets if secret)
        forms = {form for secret in self._secrets for form in _forms(secret)}
        # Longest first, so that a secret within a secret leaves nothing of the longer one.
        self._longest = max((len(form.encode("utf-8", "replace")) for form in forms), default=0)
        parts = [_part(form) for form in sorted(forms, key=len, reverse=True)]
        self._pattern = re.compile("|".join(parts)) if parts else None

    @classmethod
    def of(cls, document: Any, word: str = HIDDEN) -> Redactor:
        """Hides every value under a key that starts with `#`, at any depth."""
        return cls(_secrets(document), word)

    def also(self, secrets: Iterable[str]) -> Redactor:
        """One that hides these as well."""
        more = frozenset(secrets) - self._secrets
        return Redactor(self._secrets | more, self._word) if more else self

    def clean(self, text: str) -> str:
        return self._pattern.sub(self._word, text) if self._pattern else text

    def clean_start(self, content: bytes, size: int, errors: str = "ignore") -> str:
        """The first bytes of a content, as text. A secret at the cut goes as a whole: nothing knows a part of one."""
        end = len(content[:size].decode("utf-8", errors))
        text = content[: size + self._longest].decode("utf-8", errors)
        found = self._pattern.finditer(text) if self._pattern else ()
        return self.clean(text[: max([end, *(match.end() for match in found if match.start() < end)])])


def _secrets(node: Any, *, is_secret: bool = False) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in cast(dict[str, Any], node).items():
            yield from _secrets(value, is_secret=is_secret or key.startswith("#"))
    elif isinstance(node, list):
        for value in cast(list[Any], node):
            yield from _secrets(value, is_secret=is_secret)
    elif is_secret and node is not None and not isinstance(node, bool):
        yield str(node)
        yield from _inside(str(node))
        yield from _lines(str(node))


def _inside(text: str) -> Iterator[str]:
    """The texts of a secret that is itself a JSON document, such as the data of an OAuth authorization."""
    if text[:1] not in ("{", "["):
        return
    try:
        yield from _secrets(json.loads(text), is_secret=True)
    except (ValueError, RecursionError):
        return


def _lines(text: str) -> list[str]:
    """Of a secret with several lines, such as a private key: logs are looked at line by line."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if len(line) >= _SHORTEST_LINE] if len(lines) > 1 else []


def _forms(secret: str) -> Iterator[str]:
    raw = secret.encode("utf-8", "replace")
    yield secret
    for escaped in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield from (escaped, escaped.replace("~", "%7E"), _lower_escapes(escaped))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    yield json.dumps(secret)[1:-1].replace("/", "\\/")
    yield from _base64_forms(raw)


def _base64_forms(raw: bytes) -> Iterator[str]:
    """Also within a longer text such as `user:password`, where the secret starts at any of three places."""
    for shift in range(3):
        encoded = base64.b64encode(b"\0" * shift + raw).decode().rstrip("=")
        start = (0, 2, 3)[shift]
        whole = encoded[start : len(encoded) - (1 if (shift + len(raw)) % 3 else 0)]
        if len(whole) >= _SHORTEST * 2 or shift == 0:
            yield from (whole, whole.replace("+", "-").replace("/", "_"))
            yield from (quote(whole, safe=""), _lower_escapes(quote(whole, safe="")))


def _lower_escapes(text: str) -> str:
    return re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), text)


def _part(form: str) -> str:
    literal = re.escape(form)
    return literal if len(form) >= _SHORTEST else rf"(?<!\w){literal}(?!\w)"
