"""Larger pages: fewer requests, if the API allows them. A page size that it cuts is never proposed."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.responses.response_meta.fields import normal, spell
from penstock.extractor.tools.discovery.budget import BudgetSpent
from penstock.extractor.tools.discovery.comparison import compare, identities
from penstock.extractor.tools.discovery.draft import Draft
from penstock.extractor.tools.discovery.pagination.candidate import Clues
from penstock.extractor.tools.discovery.pagination.names import OFFSETS, PAGES, SIZES, seen_names, size_names
from penstock.extractor.tools.discovery.probe import Probe, Sample

WANTED = 100
MAX_NAMES = 3


class Enlarged(msgspec.Struct, frozen=True):
    draft: Draft
    pages: list[Sample]
    evidence: str


async def enlarge(draft: Draft, clues: Clues, probe: Probe) -> Enlarged | None:
    """Returns a draft with larger pages; None if the size is the user's own, large already, or fixed by the API."""
    if clues.size >= WANTED or any(normal(name) in SIZES for name in clues.draft.params):
        return None
    try:
        for name in _names(draft, clues)[:MAX_NAMES]:
            enlarged = await _try(draft, clues, probe, name)
            if enlarged is not None:
                return enlarged
    except (BudgetSpent, UserError):
        return None
    return None


def _names(draft: Draft, clues: Clues) -> list[str]:
    """Returns names that were seen, then usual ones; but no guesses in a body."""
    seen, pagination = seen_names(clues), draft.pagination
    for table, key in ((OFFSETS, "offsetParam"), (PAGES, "pageParam")):
        if key in pagination:
            name = pagination[key]
            usual = next((sizes for spelling, sizes in table.items() if normal(spelling) == normal(name)), ())
            return size_names(seen, table.get(name, usual))
    if clues.first.message.method != "GET":
        return [name for name in clues.declared if normal(name) in SIZES]
    named = [name for name in seen if normal(name) in SIZES]
    is_page = "page" in seen or pagination.get("queryParam") == "page"
    return named or ["per_page" if is_page else "limit"]


async def _try(draft: Draft, clues: Clues, probe: Probe, name: str) -> Enlarged | None:
    walked = await probe.walk(_resized(draft, clues, name, WANTED), 1)
    first = walked.pages[0]
    if first.problem or len(first.records) <= clues.size:
        return None
    if identities(first.records, clues.key)[: clues.size] != identities(clues.records.items, clues.key):
        return None
    larger = _resized(draft, clues, name, len(first.records))
    pages = (await probe.walk(larger, 2)).pages
    if len(pages) == 2 and not compare(pages[0], pages[1], clues.key).is_next:
        return None
    evidence = f"{first.address} returned {len(first.records)} records instead of {clues.size}"
    return Enlarged(larger, pages, evidence)


def _resized(draft: Draft, clues: Clues, name: str, size: int) -> Draft:
    """Returns the draft with the size in the pagination where the method has one, otherwise in the parameters of the
    job."""
    settings = draft.pagination
    if settings["method"] in ("offset", "pagenum"):
        return draft.with_pagination({**settings, "limit": size, "limitParam": name})
    return draft.with_params({name: size}).with_pagination({**settings, **_moved(settings, clues, size)})


def _moved(settings: dict[str, Any], clues: Clues, size: int) -> dict[str, Any]:
    """A token that is the id of the last record moves with the size of the page."""
    more = {"includeParams": True} if settings["method"] == "response.param" else {}
    path = (*clues.records.path, str(clues.size - 1), *clues.key.split("."))
    if settings.get("responseParam") != spell(path)[0]:
        return more
    return {**more, "responseParam": spell((*clues.records.path, str(size - 1), *clues.key.split(".")))[0]}
