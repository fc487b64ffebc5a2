"""Makes an example small and the same in every run: long lists are cut, ids, times and addresses are replaced by fixed
ones, and secrets by words."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from penstock.foundation.stacks import service_host

ITEMS, CHARACTERS, DEPTH = 2, 400, 5
_CUT = "…"
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b20\d\d-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d+)?")
_DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b(?!T)")
_ADDRESS = re.compile(r"(http://)?127\.0\.0\.1:\d+/_svc/([a-z-]+)")
_BARE = re.compile(r"http://127\.0\.0\.1:\d+")
_AUTHORITY = re.compile(r"\b127\.0\.0\.1:\d+")
_PORT = re.compile(r"(penstock\.localhost):\d+")
_FIXED = {
    re.compile(r"-----BEGIN [A-Z ]+-----.*-----END [A-Z ]+-----\n?", re.DOTALL): "A key, as PEM",
    re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+"): "TOKEN",
    re.compile(r"\b\d+-\d+-[A-Za-z0-9]{20,}"): "TOKEN",
    re.compile(r"\b\d+-[0-9a-f]{20,}\b"): "1001-0123456789abcdef",
    re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{8}\b"): "01234567-89abcdef",
    re.compile(r"\b[A-Z]{4}-[A-Z]{4}\b"): "ABCD-EFGH",
    re.compile(r"^\d{6}$"): "123456",
}
"""Keys, tokens, codes of invitations, of recovery, of devices and of a second factor."""
_EXCEPTION = re.compile(r"exception-[0-9a-f]+")
_RANDOM = re.compile(
    r"(?<![A-Za-z0-9_+/=.:-])(?!20\d\d-\d\d-)(?=[A-Za-z0-9_+/=:-]*\d[A-Za-z0-9_+/=:-]*\d)(?=[^\s\"]*[A-Za-z])[A-Za-z0-9_+/=:-]{22,}"
)
_PERSON = re.compile(r"\bann\d+(?=@example\.com)")
"""Those who sign in are numbered across all tests of a process."""
_HEX = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,}\b")
_ID_KEY = re.compile(r"(^id|Id|_id|^branch|Ids|^version|^user|^parameters)$")
_ID_IN_ADDRESS = re.compile(r"(?<=[a-z]/)\d+(?=[/?\"]|$)")
_FIRST_ID = 1001


class Stable:
    """The replacements of one example: the same id is the same everywhere in it."""

    def __init__(self, name: str) -> None:
        self._numbered = re.compile(rf"\b{name}[-_]\d+")
        self._known: dict[str, str] = {}

    def value(self, value: Any, key: str = "", depth: int = 0) -> Any:
        if isinstance(value, dict):
            items = cast(dict[str, Any], value).items() if depth < DEPTH else ()
            return {self._text(name): self.value(each, name, depth + 1) for name, each in items}
        if isinstance(value, list):
            items = cast(list[Any], value)[:ITEMS] if depth < DEPTH else ()
            return [self.value(each, key, depth + 1) for each in items]
        if isinstance(value, str):
            return self._id(value) if _ID_KEY.search(key) and value.isdecimal() else _cut(self._text(value))
        is_id = isinstance(value, int) and not isinstance(value, bool) and bool(_ID_KEY.search(key))
        return int(self._id(str(value))) if is_id else value

    def text(self, text: str) -> str:
        return _cut(self._text(text))

    def _text(self, text: str) -> str:
        text = _ADDRESS.sub(_to_host, text)
        for pattern, fixed in _FIXED.items():
            text = pattern.sub(fixed, text)
        text = _PORT.sub(r"\1", _AUTHORITY.sub("example.com", _BARE.sub("https://example.com", text)))
        text = _TIME.sub(lambda found: f"2026-01-05{found[1]}08:00:00{'.000000' if found[2] else ''}", text)
        text = _EXCEPTION.sub("exception-1", _DAY.sub("2026-01-05", text))
        text = _UUID.sub(lambda found: self._replace(found[0], "00000000-0000-4000-8000-{:012}"), text)
        text = _RANDOM.sub(_hide, _HEX.sub("0123456789abcdef", text))
        text = _PERSON.sub(lambda found: self._replace(found[0], "ann{}"), text)
        text = self._numbered.sub(lambda found: self._replace(found[0], found[0].rstrip("0123456789") + "{}"), text)
        return _ID_IN_ADDRESS.sub(lambda found: self._id(found[0]), text)

    def _id(self, number: str) -> str:
        return self._known.setdefault(f"id {number}", str(_FIRST_ID + len(self._known)))

    def _replace(self, old: str, pattern: str) -> str:
        count = sum(key.startswith(pattern) for key in self._known) + 1
        return self._known.setdefault(f"{pattern} {old}", pattern.format(count))


def _to_host(found: re.Match[str]) -> str:
    return f"{'https://' if found[1] else ''}{service_host(found[2], 'example.com')}"


def _hide(found: re.Match[str]) -> str:
    """Tokens, keys and hashes keep what they begin with, which says what they are."""
    start = re.match(r"[a-z]+_[a-z]+_|KBC::[A-Za-z]+::", found[0])
    return f"{start[0] if start else ''}{_CUT}"


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else text[:CHARACTERS] + _CUT


def shape(value: Any) -> Any:
    """What kind of value it is; of an object by its keys. Null fits every kind, so it is None."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [shape(each) for each in cast(list[Any], value)]
    if isinstance(value, bool) or value is None:
        return None if value is None else "boolean"
    return "number" if isinstance(value, int | float) else "text"


def find_difference(old: Any, new: Any, place: str = "") -> str | None:
    """Where two shapes differ; None if they fit."""
    if old is None or new is None:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        ours, theirs = cast(dict[str, Any], old), cast(dict[str, Any], new)
        if ours.keys() != theirs.keys():
            return f"{place or 'the top'} has the keys {sorted(theirs)}, and not {sorted(ours)}"
        pairs = ((f"{place}.{key}", ours[key], theirs[key]) for key in ours)
        return next((found for at, a, b in pairs if (found := find_difference(a, b, at))), None)
    if isinstance(old, list) and isinstance(new, list):
        pairs = enumerate(zip(cast(list[Any], old), cast(list[Any], new), strict=False))
        return next((found for at, (a, b) in pairs if (found := find_difference(a, b, f"{place}[{at}]"))), None)
    return None if old == new else f"{place} is {json.dumps(new)[:80]}, and not {json.dumps(old)[:80]}"
