"""A field or a header of the response holds a token that the next request sends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from penstock.extractor.requests.pagination.link_header import parse_links
from penstock.extractor.responses.response_meta.fields import Field, Path, normal, render_value, spell
from penstock.extractor.responses.response_meta.signs import is_address, is_token
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


def suggest_token(clues: Clues) -> Iterator[Candidate]:
    for name, param in HEADERS.items():
        if value := clues.first.response.headers.get(name):
            settings = {"method": "response.param", "responseHeader": name, "queryParam": param}
            yield Candidate(_complete(settings, clues), f"the header {name} holds {render_value(value)}")
    for field in clues.fields:
        if is_token(field):
            yield from _candidates(clues, field)


def _candidates(clues: Clues, field: Field) -> Iterator[Candidate]:
    text, delimiter = spell(field.path)
    if delimiter != ".":  # response.param has dots only
        return
    evidence = f"`{text}` holds {render_value(field.value)}"
    within, names = _places(clues, field.path)
    for name in names[:MAX_NAMES]:
        settings = {"method": "response.param", "responseParam": text, "queryParam": name, **within}
        yield Candidate(_complete(settings, clues), evidence)


def _complete(settings: dict[str, Any], clues: Clues) -> dict[str, Any]:
    return {**settings, **({"includeParams": True} if clues.has_params else {}), **clues.flag}


def _places(clues: Clues, path: Path) -> tuple[dict[str, Any], list[str]]:
    """Returns names of the parameter, the most likely first; of a GraphQL query only variables that it declares."""
    names = _names(path)
    query = clues.draft.params.get("query")
    if isinstance(query, str) and "{" in query:
        variables = _VARIABLE.findall(query.partition("{")[0])
        likely = [name for name in variables if normal(name) in {*map(normal, names), "after", "cursor"}]
        return {"paramsWithin": "variables"}, likely
    seen = [name for name in clues.names if normal(name) in set(map(normal, names))]
    return {}, list(dict.fromkeys([*seen, *names]))


def _names(path: Path) -> list[str]:
    own = path[-1]
    shorter = re.sub(r"^(next|end)[_-]?", "", own, flags=re.IGNORECASE)
    shorter = shorter[:1].lower() + shorter[1:] if own[:1].islower() else shorter
    special = PARAMS.get(normal(own), ())
    return list(dict.fromkeys([*special, *([shorter] if shorter else []), own, "cursor"]))


def suggest_url(clues: Clues) -> Iterator[Candidate]:
    for field in clues.fields:
        if is_address(field):
            yield from _urls(clues, field)


def _urls(clues: Clues, field: Field) -> Iterator[Candidate]:
    text, delimiter = spell(field.path)
    settings: dict[str, Any] = {"method": "response.url", "urlKey": text}
    settings |= {"delimiter": delimiter} if delimiter != "." else {}
    settings |= {"paramIsQuery": True} if field.value.startswith("?") else {}
    evidence = f"`{text}` holds {render_value(field.value)}"
    yield Candidate({**settings, **clues.flag}, evidence)
    if clues.has_params:
        yield Candidate(
            {**settings, "includeParams": True, **clues.flag}, f"{evidence}, to which the parameters are added"
        )


def suggest_link(clues: Clues) -> Iterator[Candidate]:
    header = clues.first.response.headers.get("Link", "")
    for link in parse_links(header):
        if "next" in link.rels:
            yield Candidate({"method": "link"}, f"the header Link holds {link.address} with rel=next")
            return
