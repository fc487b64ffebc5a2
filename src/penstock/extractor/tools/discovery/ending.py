"""Checks offsets and page numbers: that an offset counts records, and what the API returns after the last page."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.responses.response_meta.fields import spell
from penstock.extractor.tools.discovery.budget import BudgetSpent
from penstock.extractor.tools.discovery.comparison import identities
from penstock.extractor.tools.discovery.draft import Draft, Finding
from penstock.extractor.tools.discovery.pagination.candidate import Clues
from penstock.extractor.tools.discovery.probe import Probe

FAR_PAGES = 1_000
"""How far the end is looked for if the API states no total."""


class Ending(msgspec.Struct, frozen=True):
    draft: Draft
    findings: list[Finding]


async def check_ending(draft: Draft, clues: Clues, probe: Probe) -> Ending:
    """Returns the draft, with a stop at the total if the API fails after its last page."""
    if draft.pagination["method"] not in ("offset", "pagenum"):
        return Ending(draft, [])
    try:
        step = [await _check_step(draft, clues, probe)] if draft.pagination["method"] == "offset" else []
        ending = await _check_end(draft, clues, probe)
    except (BudgetSpent, UserError):
        unproven = Finding("last page", "not checked", "No requests were left to look at the end.", is_proven=False)
        return Ending(draft, [unproven])
    return Ending(ending.draft, [*step, *ending.findings])


async def _check_step(draft: Draft, clues: Clues, probe: Probe) -> Finding:
    """Begins at the last record of page 1: its first record must be that one."""
    settings = draft.pagination
    shift = int(draft.params.get(settings["offsetParam"], 0)) if settings.get("offsetFromJob") else 0
    last = clues.size - 1
    moved = draft.with_params({settings["offsetParam"]: last + shift}).with_pagination(
        {**settings, "offsetFromJob": True}
    )
    sample = (await probe.walk(moved, 1)).pages[0]
    is_same = identities(sample.records[:1], clues.key) == identities(clues.records.items[last:], clues.key)
    what = "begins with the last record of page 1" if is_same else "does not begin with the last record of page 1"
    choice = "counts records" if is_same else "may not count records, so that records may be missing or repeated"
    return Finding("offset", choice, f"{sample.address} {what}.", is_proven=is_same)


async def _check_end(draft: Draft, clues: Clues, probe: Probe) -> Ending:
    beyond = _beyond(draft, clues)
    sample = (await probe.walk(beyond, 1)).pages[0]
    if not sample.problem and not sample.records:
        return Ending(
            draft, [Finding("last page", "ends at a page without records", f"{sample.address} returned none.")]
        )
    if sample.problem:
        return _stopped(draft, clues, sample.problem)
    evidence = f"{sample.address} returned {len(sample.records)} records"
    if clues.signs.total is None:
        return Ending(draft, [Finding("last page", "not reached", f"{evidence}.", is_proven=False)])
    return _stopped(draft, clues, f"{evidence}, although the total is {clues.signs.total}.")


def _beyond(draft: Draft, clues: Clues) -> Draft:
    settings = draft.pagination
    size = int(settings.get("limit", clues.size))
    pages = FAR_PAGES if clues.signs.total is None else -(-clues.signs.total // size) + 1
    if settings["method"] == "offset":
        where: dict[str, Any] = {settings["offsetParam"]: pages * size}
        return draft.with_params(where).with_pagination({**settings, "offsetFromJob": True})
    return draft.with_pagination({**settings, "firstPage": settings.get("firstPage", 1) + pages})


def _stopped(draft: Draft, clues: Clues, evidence: str) -> Ending:
    """Returns a stop that needs no request beyond the last page."""
    if "nextPageFlag" in draft.pagination:
        return Ending(draft, [Finding("last page", "ends when the flag says so", evidence)])
    if clues.signs.total_path and spell(clues.signs.total_path)[1] == ".":
        stop = {"field": clues.signs.total_name}
        choice = f"ends when `{clues.signs.total_name}` records were read"
        return Ending(
            draft.with_pagination({**draft.pagination, "limitStop": stop}), [Finding("last page", choice, evidence)]
        )
    choice = "ends at a page that is short, empty or the same as the one before"
    return Ending(draft, [Finding("last page", choice, evidence, is_proven=False)])
