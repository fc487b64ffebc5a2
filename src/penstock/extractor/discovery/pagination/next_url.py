"""A field of the response holds the address of the next page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from penstock.extractor.discovery.fields import Field, normal, shown, spell
from penstock.extractor.discovery.pagination.candidate import Candidate, Clues

_ADDRESS = re.compile(r"(https?://|/)\S*|[\w./-]*\?\S+=\S*").fullmatch
_NEXT = re.compile(r"next.*|more.*url|.*next(page)?(url|uri|link|href|records?url)?").fullmatch


def suggest(clues: Clues) -> Iterator[Candidate]:
    for field in clues.fields:
        if isinstance(field.value, str) and _ADDRESS(field.value) and _is_next(field):
            yield from _candidates(clues, field)


def _is_next(field: Field) -> bool:
    """By its own name, or the name of the object around it, as in `links.next.href`."""
    return any(_NEXT(normal(key)) for key in field.path[-2:])


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
