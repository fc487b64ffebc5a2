"""The request names the last record of the page before, as in `starting_after=cus_123`: a token that is the last id."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.extractor.responses.envelope.fields import normal, spell
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues

NAMES = ("starting_after", "after", "after_id", "startingAfter", "last_id", "marker", "cursor")
MAX_GUESSES = 3


def suggest(clues: Clues) -> Iterator[Candidate]:
    """Without a known parameter only if the response says that there is more."""
    wanted = {normal(name) for name in NAMES}
    named = [name for name in clues.names if normal(name) in wanted]
    if not clues.key or not (named or clues.signs.says_more(clues.size)):
        return
    text, delimiter = spell((*clues.records.path, str(clues.size - 1), *clues.key.split(".")))
    if delimiter != ".":
        return
    for name in list(dict.fromkeys([*named, *NAMES]))[: len(named) + MAX_GUESSES]:
        settings = {"method": "response.param", "responseParam": text, "queryParam": name}
        settings |= {"includeParams": True} if clues.has_params else {}
        evidence = f"`{clues.key}` of the last record goes into `{name}`, and a page that is not full is the last one"
        yield Candidate({**settings, **clues.flag}, evidence)
