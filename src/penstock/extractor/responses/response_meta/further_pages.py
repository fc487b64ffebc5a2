"""Signs in a response that there are more records than it holds, strict enough for warnings.

Totals and flags count where APIs put them: next to the records, or in objects such as `meta` or `pagination`. An order
with a `total` is not taken for a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from penstock.extractor.responses.response_meta.fields import Field, Path, fields, normal, render_value, spell
from penstock.extractor.responses.response_meta.signs import Signs, is_address, is_token, read_signs

MAX_FIELDS = 200
"""A response that is an object of objects may have many."""
META_KEYS = frozenset(
    {
        *("meta", "metadata", "pagination", "paging", "page", "pages", "pageinfo", "links", "hits", "total", "info"),
        *("responsemetadata", "cursor", "next", "nextpage", "data", "result", "results", "response", "body"),
    }
)
"""Objects that hold signs."""
TOTAL_PAGES = frozenset({"totalpages", "pagecount", "lastpage", "numpages", "pagestotal"})
_NOT_NEXT = r".*(sync|delta|update|run|date|time|scheduled).*"
_DATE = r"\d{4}-\d\d-\d\d.*"


class FurtherPages(msgspec.Struct, frozen=True):
    """What a first page says about those after it."""

    signs: Signs = Signs()
    total_pages: Field | None = None
    next: Field | None = None
    """A field that is named after the next page, and is not empty."""
    hint: Field | None = None
    """A field that may hold the next value, by its name; less certain."""

    @property
    def is_silent(self) -> bool:
        return self == FurtherPages()


def read_further_pages(
    document: Any, records: Path, headers: Mapping[str, str], count: int, own: Path | None
) -> FurtherPages:
    """`records` is the path of the records, `own` that of the next value which the pagination method reads itself."""
    all_fields = [field for field in islice(fields(document, records), MAX_FIELDS) if field.path != own]
    around = [field for field in all_fields if _is_around(field.path, records)]
    signs = read_signs(around, headers, count)
    if signs.flag is not None and not signs.flag.says_more:
        return FurtherPages(signs)  # an API that has a flag may leave other fields set on the last page
    return FurtherPages(
        signs,
        next((field for field in around if field.name in TOTAL_PAGES and type(field.value) is int), None),
        next((field for field in around if _is_next(field)), None),
        next((field for field in all_fields if _may_be_next(field)), None),
    )


def arrays_in(document: Any, path: Path = ()) -> Iterator[tuple[Path, int]]:
    """Yields the paths of arrays that are not in another array, with their sizes."""
    if isinstance(document, list):
        yield path, len(document)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(document, dict) and len(path) < 5:
        for key, member in document.items():  # pyright: ignore[reportUnknownVariableType]
            yield from arrays_in(member, (*path, str(key)))  # pyright: ignore[reportUnknownArgumentType]


def show_field(field: Field) -> str:
    return f"`{spell(field.path)[0]}` is {render_value(field.value)}"


def _is_around(path: Path, records: Path) -> bool:
    parents = path[:-1]
    is_named = all(normal(key) in META_KEYS for key in parents)
    # An object around the records may be a record itself, such as an order with its lines.
    return is_named or (parents == records[: len(parents)] and normal(path[-1]) not in ("total", "count"))


def _is_next(field: Field) -> bool:
    is_named = any(normal(key).startswith("next") for key in field.path[-2:])
    return is_named and _may_be_next(field)


def _may_be_next(field: Field) -> bool:
    if not (is_token(field) or is_address(field)) or "cursors" in field.path:
        return False
    return not re.fullmatch(_NOT_NEXT, field.name) and not re.fullmatch(_DATE, str(field.value))
