"""The request names the highest id seen, or the lowest: cursor pagination."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.extractor.base.path import look_up
from penstock.extractor.responses.envelope.fields import normal
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues

ASCENDING = ("since_id", "after_id", "after", "min_id", "last_id", "id_gt", "from_id")
DESCENDING = ("max_id", "before_id", "before", "until_id", "id_lt")
MAX_GUESSES = 3


def suggest(clues: Clues) -> Iterator[Candidate]:
    """For whole numbers in order only: any other cursor would miss records."""
    ids = [look_up(clues.key, record) for record in clues.records.items] if clues.key else []
    if len(ids) < 2 or not all(type(value) is int for value in ids):
        return
    if ids == sorted(ids):
        yield from _candidates(clues, ASCENDING, {}, "rise")
    elif ids == sorted(ids, reverse=True):
        yield from _candidates(clues, DESCENDING, {"reverse": True}, "fall")
        yield from _candidates(clues, DESCENDING[:1], {"reverse": True, "increment": -1}, "fall")


def _candidates(clues: Clues, names: tuple[str, ...], more: dict[str, Any], how: str) -> Iterator[Candidate]:
    wanted = {normal(name) for name in names}
    named = [name for name in clues.names if normal(name) in wanted]
    for name in list(dict.fromkeys([*named, *names]))[: len(named) + MAX_GUESSES]:
        settings = {"method": "cursor", "idKey": clues.key, "param": name, **more, **clues.flag}
        yield Candidate(settings, f"the values of `{clues.key}` {how}, and `{name}` is a usual name")
