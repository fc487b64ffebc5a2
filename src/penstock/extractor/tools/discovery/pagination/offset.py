"""A limit and an offset in the request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.extractor.responses.envelope.fields import normal
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues
from penstock.extractor.tools.discovery.pagination.names import OFFSETS, known, seen_names, size_names

GUESSES = ("offset", "skip", "start", "$skip", "$offset")


def suggest(clues: Clues) -> Iterator[Candidate]:
    """Offsets that the request, the response or a description names."""
    seen = seen_names(clues)
    for name, seen_as in known(seen, OFFSETS).items():
        yield from _candidates(clues, name, f"`{seen_as}` is {seen[seen_as]}")


def guess(clues: Clues) -> Iterator[Candidate]:
    for name in GUESSES:
        yield from _candidates(clues, name, f"`{name}` is a usual name")


def _candidates(clues: Clues, name: str, evidence: str) -> Iterator[Candidate]:
    usual = next((sizes for spelling, sizes in OFFSETS.items() if normal(spelling) == normal(name)), ("limit",))
    limit_param = size_names(seen_names(clues), OFFSETS.get(name, usual))[0]
    settings: dict[str, Any] = {"method": "offset", "limit": clues.size, "limitParam": limit_param, "offsetParam": name}
    yield Candidate({**settings, **clues.flag}, evidence)
    if any(field.name == normal(name) and field.value in (1, "1") for field in clues.fields):
        from_one = {**settings, "offsetFromJob": True, **clues.flag}
        yield Candidate(from_one, f"{evidence}, and the first record has the number 1", {name: 1})
