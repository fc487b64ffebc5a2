"""A field or a header of the response holds a token that the next request sends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from penstock.extractor.responses.envelope.fields import Field, Path, normal, shown, spell
from penstock.extractor.responses.envelope.next_values import is_token
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues

PARAMS = {
    "nextcursor": ("cursor", "start_cursor", "next_cursor"),
    "endcursor": ("after", "cursor"),
    "next": ("cursor", "next", "after", "page"),
    "nextpage": ("page", "next_page", "cursor"),
    "nextoffset": ("offset", "next_offset"),
}
"""Where the name of the parameter differs most from that of the field."""
HEADERS = {
    "X-Next-Page": "page",
    "X-Next-Cursor": "cursor",
    "X-Next-Token": "next_token",
    "X-Continuation-Token": "continuation_token",
}
MAX_NAMES = 3
_VARIABLE = re.compile(r"\$(\w+)\s*:")


def suggest(clues: Clues) -> Iterator[Candidate]:
    for name, param in HEADERS.items():
        if value := clues.first.response.headers.get(name):
            settings = {"method": "response.param", "responseHeader": name, "queryParam": param}
            yield Candidate(_complete(settings, clues), f"the header {name} holds {shown(value)}")
    for field in clues.fields:
        if is_token(field):
            yield from _candidates(clues, field)


def _candidates(clues: Clues, field: Field) -> Iterator[Candidate]:
    text, delimiter = spell(field.path)
    if delimiter != ".":  # response.param has dots only
        return
    evidence = f"`{text}` holds {shown(field.value)}"
    within, names = _places(clues, field.path)
    for name in names[:MAX_NAMES]:
        settings = {"method": "response.param", "responseParam": text, "queryParam": name, **within}
        yield Candidate(_complete(settings, clues), evidence)


def _complete(settings: dict[str, Any], clues: Clues) -> dict[str, Any]:
    return {**settings, **({"includeParams": True} if clues.has_params else {}), **clues.flag}


def _places(clues: Clues, path: Path) -> tuple[dict[str, Any], list[str]]:
    """Names of the parameter, the most likely first; of a GraphQL query only variables that it declares."""
    names = _names(path)
    query = clues.draft.params.get("query")
    if isinstance(query, str) and "{" in query:
        variables = _VARIABLE.findall(query.partition("{")[0])
        likely = [name for name in variables if normal(name) in {*map(normal, names), "after", "cursor"}]
        return {"paramsWithin": "variables"}, likely
    known = [name for name in clues.names if normal(name) in set(map(normal, names))]
    return {}, list(dict.fromkeys([*known, *names]))


def _names(path: Path) -> list[str]:
    own = path[-1]
    shorter = re.sub(r"^(next|end)[_-]?", "", own, flags=re.IGNORECASE)
    shorter = shorter[:1].lower() + shorter[1:] if own[:1].islower() else shorter
    special = PARAMS.get(normal(own), ())
    return list(dict.fromkeys([*special, *([shorter] if shorter else []), own, "cursor"]))
