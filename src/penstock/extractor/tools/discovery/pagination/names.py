"""Names that APIs give to the parameters of pagination, and which of them this API uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from penstock.extractor.responses.response_meta.fields import Field, normal
from penstock.extractor.tools.discovery.pagination.candidate import Clues

OFFSETS = {
    "offset": ("limit", "count", "per_page"),
    "startAt": ("maxResults",),
    "startIndex": ("count", "maxResults"),
    "skip": ("limit", "take", "top"),
    "$skip": ("$top",),
    "$offset": ("$limit",),
    "start": ("rows", "limit", "count"),
    "from": ("size", "limit"),
    "start_index": ("count", "limit"),
    "page[offset]": ("page[limit]",),
}
"""Parameters for the offset, and those for the page size next to them."""
PAGES = {
    "page": ("per_page", "limit", "page_size", "pageSize", "size"),
    "page[number]": ("page[size]",),
    "pageNumber": ("pageSize",),
    "page_number": ("page_size",),
    "Page": ("PageSize",),
    "pageIndex": ("pageSize",),
    "p": ("per_page",),
}
SIZES = frozenset(normal(name) for names in (OFFSETS, PAGES) for sizes in names.values() for name in sizes) | {
    "perpage",
    "itemsperpage",
    "pagelen",
    "num",
    "results",
    "pagelimit",
    "max",
    "pagecount",
}
NAMED_DIFFERENTLY = {"currentpage": "page", "pageno": "page", "number": "page"}
"""Fields of responses, and the parameters that they show."""


def seen_names(clues: Clues) -> dict[str, str]:
    """Returns the names of parameters, and where they were seen: in the request, a description, or the response."""
    addresses = [field.value for field in clues.fields if isinstance(field.value, str) and "?" in field.value]
    links = re.findall(r"<([^<>]*)>", clues.first.response.headers.get("Link", ""))
    queries = [parse_qsl(_query(url), keep_blank_values=True) for url in (*addresses, *links)]
    visible = [field.path[-1] for field in clues.fields if _may_be_param(field, clues.size)]
    return {
        **dict.fromkeys(visible, "a field of the response"),
        **dict.fromkeys((name for query in queries for name, _value in query), "in an address in the response"),
        **dict.fromkeys(clues.declared, "declared by the description of the API"),
        **dict.fromkeys(clues.draft.params, "a parameter of the request"),
    }


def _may_be_param(field: Field, size: int) -> bool:
    """Returns False for a field such as `count` that holds another number than the size of this page."""
    return field.name not in SIZES or field.value in (size, str(size))


def match_names(names: Iterable[str], table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """Returns parameters of the table that were seen, in the spelling in which they were seen; and as which name each
    was."""
    spellings = {normal(name): name for name in reversed(table)}
    matches: dict[str, str] = {}
    for name in names:
        plain = NAMED_DIFFERENTLY.get(normal(name), normal(name))
        if plain in spellings:
            matches.setdefault(name if normal(name) == plain else spellings[plain], name)
    return matches


def size_names(names: Iterable[str], usual: tuple[str, ...]) -> list[str]:
    """Returns parameters for the page size: the usual ones that were seen, other ones that were seen, then the usual
    ones."""
    plain = {normal(name): name for name in names}
    seen = [plain[normal(name)] for name in usual if normal(name) in plain]
    others = [name for name in plain.values() if normal(name) in SIZES]
    return list(dict.fromkeys([*seen, *(others if not seen else []), *usual]))


def _query(url: str) -> str:
    try:
        return urlsplit(url).query
    except ValueError:
        return ""
