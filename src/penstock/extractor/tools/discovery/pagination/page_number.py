"""The number of the page in the request, counted from 1 or from 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues
from penstock.extractor.tools.discovery.pagination.names import PAGES, known, seen_names

FIRST = (1, 0)


def suggest(clues: Clues) -> Iterator[Candidate]:
    """Page numbers that the request, the response or a description names."""
    seen = seen_names(clues)
    for name, seen_as in known(seen, PAGES).items():
        yield from _candidates(clues, name, f"`{seen_as}` is {seen[seen_as]}")


def guess(clues: Clues) -> Iterator[Candidate]:
    yield from _candidates(clues, "page", "`page` is the usual name")


def _candidates(clues: Clues, name: str, evidence: str) -> Iterator[Candidate]:
    for first in FIRST:
        number: dict[str, Any] = {} if first == 1 else {"firstPage": first}
        yield Candidate({"method": "pagenum", "pageParam": name, **number, **clues.flag}, evidence)
