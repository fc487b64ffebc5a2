"""The byte strings to search for, and where each of them counts as a secret."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from penstock.foundation.redaction.cores import find_core, is_stable, may_be_in_escape
from penstock.foundation.redaction.pieces import Span

_MIN_LENGTH = 4
"""A shorter secret is hidden only as a separate word: it is a part of too many others."""


class Forms:
    """The secrets as bytes. A plus counts as a space, since URLs write spaces so."""

    def __init__(self, secrets: frozenset[str]) -> None:
        short = {secret for secret in secrets if len(secret) < _MIN_LENGTH}
        self._long = _without_plus(form for secret in secrets - short for form in _encode(secret))
        self._cores = Counter(map(find_core, self._long))
        """With the number of secrets that have each."""
        self._stable = {
            form: core for form in self._long if is_stable(form) and self._cores[core := find_core(form)] == 1
        }
        """Secrets that read the same in every view, and the core that only they have."""
        self._short = _without_plus(form for secret in short for form in _encode_short(secret))
        self.shortest = min((len(secret) for secret in secrets - short), default=0)
        """Characters of the shortest secret that is hidden wherever it is; 0 if there is none."""
        self.longest = max((len(form) for form in (*self._long, *self._short)), default=0)
        """In bytes."""
        self.has_lines = any(b"\n" in form for form in (*self._long, *self._short))

    def find(self, content: bytes) -> list[Span]:
        """Secrets that are hidden wherever they are."""
        return list(_find(content.replace(b"+", b" "), self._long))

    def count_known(self, content: bytes, spans: list[Span]) -> Mapping[bytes, int]:
        """How often each core is in every view, because the content has the secret itself, which no view changes."""
        known: dict[bytes, int] = {}
        for start, end in spans:
            core = self._stable.get(content[start:end].replace(b"+", b" "))
            if core and not may_be_in_escape(content[max(0, start - 1) : start]):
                known[core] = known.get(core, 0) + 1
        return known

    def may_be_in(self, content: bytes, counts: Mapping[bytes, int]) -> bool:
        """Whether a content with all escapes decoded contains the core of a secret more often than is known."""
        text = content.replace(b"+", b" ")
        is_in = any(core in text and _is_more_often(text, core, counts.get(core, 0)) for core in self._cores)
        return is_in or bool(self.find_short(content))

    def find_short(self, content: bytes) -> list[Span]:
        if not self._short:
            return []
        return [span for span in _find(content.replace(b"+", b" "), self._short) if stands_alone(content, span)]


def stands_alone(content: bytes, span: Span) -> bool:
    """Whether no letter, digit or underscore is next to it."""
    before = content[max(0, span[0] - 4) : span[0]].decode("utf-8", "ignore")[-1:]
    after = content[span[1] : span[1] + 4].decode("utf-8", "ignore")[:1]
    return not any(character.isalnum() or character == "_" for character in before + after)


def _encode(secret: str) -> Iterator[bytes]:
    """Encode it as UTF-8; and with each surrogate as a character, as escapes such as `\ud83d\ude00` are decoded."""
    yield secret.encode("utf-8", "surrogatepass")
    units = secret.encode("utf-16-le", "surrogatepass")
    surrogates = (chr(int.from_bytes(units[at : at + 2], "little")) for at in range(0, len(units), 2))
    yield "".join(surrogates).encode("utf-8", "surrogatepass")


def _encode_short(secret: str) -> Iterator[bytes]:
    for raw in _encode(secret):
        yield from (raw, b64encode(raw).rstrip(b"="), urlsafe_b64encode(raw).rstrip(b"="))


def _without_plus(forms: Iterable[bytes]) -> frozenset[bytes]:
    return frozenset(form.replace(b"+", b" ") for form in forms)


def _find(content: bytes, forms: Iterable[bytes]) -> Iterator[Span]:
    for form in forms:
        at = content.find(form)
        while at >= 0:
            yield at, at + len(form)
            at = content.find(form, at + len(form))


def _is_more_often(content: bytes, core: bytes, times: int) -> bool:
    """Occurrences that overlap count as well."""
    at = -1
    for _ in range(times + 1):
        at = content.find(core, at + 1)
        if at < 0:
            return False
    return True
