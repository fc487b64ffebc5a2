"""Recognises the pagination: each file suggests candidates, which are tried in order until one is proven.

Evidence in the response comes first, then usual names. Guesses are tried only if there may be further pages.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.discovery.budget import BudgetSpent
from penstock.extractor.tools.discovery.comparison import Comparison, compare, identities
from penstock.extractor.tools.discovery.pagination import next_page, numbers
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues
from penstock.extractor.tools.discovery.probe import Probe, Sample

LEADING = (next_page.suggest_link, next_page.suggest_url, next_page.suggest_token)
EVIDENT = (*LEADING, numbers.suggest_offset, numbers.suggest_page_number)
GUESSED = (numbers.suggest_last_id, numbers.guess_page_number, numbers.guess_offset, numbers.suggest_cursor)
COMMON_SIZES = frozenset({12, 15, 16, 24, 25, 32, 48, 64, 75, 96, 125, 128, 250, 256, 512})

__all__ = ["Candidate", "Clues", "Outcome", "find_pagination", "is_single_page", "looks_full"]


class Outcome(msgspec.Struct, frozen=True):
    candidate: Candidate | None
    evidence: str
    rejected: tuple[str, ...] = ()
    is_spent: bool = False
    """Whether requests ran out before all candidates were tried."""
    second: Sample | None = None


def is_single_page(clues: Clues) -> bool:
    """A flag is trusted; a total only if nothing leads to a next page, because it may be that of the page."""
    leads = (candidate for suggest in LEADING for candidate in suggest(clues))
    has_lead = clues.signs.flag is None and next(leads, None) is not None
    return clues.signs.says_last(clues.size) and not has_lead


async def find_pagination(clues: Clues, probe: Probe) -> Outcome:
    rejected: list[str] = []
    for candidate in _candidates(clues):
        try:
            checked, second = await _check(candidate, clues, probe)
        except BudgetSpent:
            return Outcome(None, "", tuple(rejected), is_spent=True)
        except UserError as error:
            checked, second = Comparison(False, str(error)), None
        if checked.is_next:
            return Outcome(candidate, f"{candidate.evidence}; {checked.evidence}", tuple(rejected), second=second)
        rejected.append(checked.evidence)
    return Outcome(None, "", tuple(dict.fromkeys(rejected)))


def _candidates(clues: Clues) -> Iterator[Candidate]:
    tried: set[str] = set()
    has_more = clues.signs.says_more(clues.size) or looks_full(clues.size)
    for suggest in (*EVIDENT, *(GUESSED if has_more else ())):
        for candidate in suggest(clues):
            if (name := repr((candidate.settings, candidate.params))) not in tried:
                tried.add(name)
                yield candidate


def looks_full(size: int) -> bool:
    """Returns whether a page of this size has probably been cut."""
    return size > 0 and (size % 10 == 0 or size in COMMON_SIZES)


async def _check(candidate: Candidate, clues: Clues, probe: Probe) -> tuple[Comparison, Sample | None]:
    """The second page must be another one, and the first page with the candidate the first one without it.

    The second page comes first: an API that ignores the parameter costs one request.
    """
    pages = (await probe.walk(_bare_first(candidate, clues).applied(clues.draft), 2)).pages
    if pages[0].problem or len(pages) < 2:
        return Comparison(False, pages[0].problem or f"{candidate.evidence}, but that leads to no second page"), None
    compared = compare(clues.first, pages[1], clues.key)
    if not compared.is_next:
        return compared, None
    first = (await probe.walk(candidate.applied(clues.draft), 1)).pages[0]
    if first.problem or identities(first.records, clues.key) != identities(clues.records.items, clues.key):
        return Comparison(False, first.problem or f"{first.address} returned another first page"), None
    return compared, pages[1]


def _bare_first(candidate: Candidate, clues: Clues) -> Candidate:
    """Returns the candidate with the first request as it is, which was sent already. A page size that the user has
    chosen would not be sent with it."""
    settings = candidate.settings
    has_size = settings["method"] == "offset" and settings.get("limitParam", "limit") in clues.draft.params
    if settings["method"] not in ("offset", "pagenum") or has_size:
        return candidate
    return msgspec.structs.replace(candidate, settings={**settings, "firstPageParams": False})
