"""Offsets, page numbers and ids in the request: a limit and an offset, the number of the page, the highest or lowest id
seen, or the last record of the page before, as in `starting_after=cus_123`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.extractor.base.path import look_up
from penstock.extractor.responses.response_meta.fields import normal, spell
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues
from penstock.extractor.tools.discovery.pagination.names import OFFSETS, PAGES, match_names, seen_names, size_names

OFFSET_NAMES = ("offset", "skip", "start", "$skip", "$offset")


FIRST_PAGES = (1, 0)
ASCENDING = ("since_id", "after_id", "after", "min_id", "last_id", "id_gt", "from_id")
DESCENDING = ("max_id", "before_id", "before", "until_id", "id_lt")
MAX_GUESSES = 3
LAST_ID_NAMES = ("starting_after", "after", "after_id", "startingAfter", "last_id", "marker", "cursor")


def suggest_offset(clues: Clues) -> Iterator[Candidate]:
    """Suggests offsets that the request, the response or a description names."""
    seen = seen_names(clues)
    for name, seen_as in match_names(seen, OFFSETS).items():
        yield from _offsets(clues, name, f"`{seen_as}` is {seen[seen_as]}")


def guess_offset(clues: Clues) -> Iterator[Candidate]:
    for name in OFFSET_NAMES:
        yield from _offsets(clues, name, f"`{name}` is a usual name")


def _offsets(clues: Clues, name: str, evidence: str) -> Iterator[Candidate]:
    usual = next((sizes for spelling, sizes in OFFSETS.items() if normal(spelling) == normal(name)), ("limit",))
    limit_param = size_names(seen_names(clues), OFFSETS.get(name, usual))[0]
    settings: dict[str, Any] = {"method": "offset", "limit": clues.size, "limitParam": limit_param, "offsetParam": name}
    yield Candidate({**settings, **clues.flag}, evidence)
    if any(field.name == normal(name) and field.value in (1, "1") for field in clues.fields):
        from_one = {**settings, "offsetFromJob": True, **clues.flag}
        yield Candidate(from_one, f"{evidence}, and the first record has the number 1", {name: 1})


def suggest_page_number(clues: Clues) -> Iterator[Candidate]:
    """Suggests page numbers that the request, the response or a description names."""
    seen = seen_names(clues)
    for name, seen_as in match_names(seen, PAGES).items():
        yield from _page_numbers(clues, name, f"`{seen_as}` is {seen[seen_as]}")


def guess_page_number(clues: Clues) -> Iterator[Candidate]:
    yield from _page_numbers(clues, "page", "`page` is the usual name")


def _page_numbers(clues: Clues, name: str, evidence: str) -> Iterator[Candidate]:
    for first in FIRST_PAGES:
        number: dict[str, Any] = {} if first == 1 else {"firstPage": first}
        yield Candidate({"method": "pagenum", "pageParam": name, **number, **clues.flag}, evidence)


def suggest_cursor(clues: Clues) -> Iterator[Candidate]:
    """Suggests cursors for whole numbers in order only: any other cursor would miss records."""
    ids = [look_up(clues.key, record) for record in clues.records.items] if clues.key else []
    if len(ids) < 2 or not all(type(value) is int for value in ids):
        return
    if ids == sorted(ids):
        yield from _cursors(clues, ASCENDING, {}, "rise")
    elif ids == sorted(ids, reverse=True):
        yield from _cursors(clues, DESCENDING, {"reverse": True}, "fall")
        yield from _cursors(clues, DESCENDING[:1], {"reverse": True, "increment": -1}, "fall")


def _cursors(clues: Clues, names: tuple[str, ...], more: dict[str, Any], how: str) -> Iterator[Candidate]:
    normalized = {normal(name) for name in names}
    named = [name for name in clues.names if normal(name) in normalized]
    for name in list(dict.fromkeys([*named, *names]))[: len(named) + MAX_GUESSES]:
        settings = {"method": "cursor", "idKey": clues.key, "param": name, **more, **clues.flag}
        yield Candidate(settings, f"the values of `{clues.key}` {how}, and `{name}` is a usual name")


def suggest_last_id(clues: Clues) -> Iterator[Candidate]:
    """Suggests the last id; without a known parameter only if the response says that there is more."""
    normalized = {normal(name) for name in LAST_ID_NAMES}
    named = [name for name in clues.names if normal(name) in normalized]
    if not clues.key or not (named or clues.signs.says_more(clues.size)):
        return
    text, delimiter = spell((*clues.records.path, str(clues.size - 1), *clues.key.split(".")))
    if delimiter != ".":
        return
    for name in list(dict.fromkeys([*named, *LAST_ID_NAMES]))[: len(named) + MAX_GUESSES]:
        settings = {"method": "response.param", "responseParam": text, "queryParam": name}
        settings |= {"includeParams": True} if clues.has_params else {}
        evidence = f"`{clues.key}` of the last record goes into `{name}`, and a page that is not full is the last one"
        yield Candidate({**settings, **clues.flag}, evidence)
