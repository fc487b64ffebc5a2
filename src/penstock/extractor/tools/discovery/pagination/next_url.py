"""A field of the response holds the address of the next page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.extractor.responses.envelope.fields import Field, shown, spell
from penstock.extractor.responses.envelope.next_values import is_address
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues


def suggest(clues: Clues) -> Iterator[Candidate]:
    for field in clues.fields:
        if is_address(field):
            yield from _candidates(clues, field)


def _candidates(clues: Clues, field: Field) -> Iterator[Candidate]:
    text, delimiter = spell(field.path)
    settings: dict[str, Any] = {"method": "response.url", "urlKey": text}
    settings |= {"delimiter": delimiter} if delimiter != "." else {}
    settings |= {"paramIsQuery": True} if field.value.startswith("?") else {}
    evidence = f"`{text}` holds {shown(field.value)}"
    yield Candidate({**settings, **clues.flag}, evidence)
    if clues.has_params:
        yield Candidate(
            {**settings, "includeParams": True, **clues.flag}, f"{evidence}, to which the parameters are added"
        )
