"""What a response says about further pages: a flag such as `has_more`, or a total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from penstock.extractor.responses.envelope.fields import Field, Path, normal, spell

MORE = frozenset(
    {"hasmore", "more", "hasnext", "hasnextpage", "moreitems", "hasmorepages", "moreresults", "hasmoreitems"}
)
LAST = frozenset({"islast", "last", "done", "endofstream", "islastpage", "lastpage", "complete", "isend", "end"})
TOTALS = frozenset(
    {
        *("total", "totalcount", "totalresults", "totalitems", "totalsize", "totalrecords", "recordstotal"),
        *("itemcount", "totalelements", "totalentries", "totalhits", "totalrows", "count", "numfound", "resultcount"),
    }
)
OF_THE_PAGE = frozenset({"count", "itemcount", "resultcount"})
"""Often the number of records on this page, so they count as totals only if they are higher."""
HEADERS = ("X-Total-Count", "X-Total", "X-WP-Total", "Total-Count", "X-Pagination-Total-Count")


class Flag(msgspec.Struct, frozen=True):
    path: Path
    value: bool
    stop_on: bool

    @property
    def says_more(self) -> bool:
        return self.value != self.stop_on

    @property
    def setting(self) -> dict[str, Any]:
        text, _delimiter = spell(self.path)
        where = {"field": text} if len(self.path) == 1 else {"path": text}
        return {**where, "stopOn": self.stop_on}


class Signs(msgspec.Struct, frozen=True):
    flag: Flag | None = None
    total: int | None = None
    total_path: Path = ()
    """Empty if a header holds the total."""
    total_name: str = ""

    def says_last(self, count: int) -> bool:
        """Whether the response holds everything, by its flag or its total."""
        if self.flag is not None:
            return not self.flag.says_more
        return self.total is not None and self.total == count

    def says_more(self, count: int) -> bool:
        return bool(self.flag and self.flag.says_more) or (self.total is not None and self.total > count)


def read_signs(found: Iterable[Field], headers: Mapping[str, str], count: int) -> Signs:
    known = list(found)
    flag = next((flag for field in known if (flag := _flag(field))), None)
    total = _total(known, count)
    if total is not None:
        return Signs(flag, _number(total.value), total.path, spell(total.path)[0])
    for name in HEADERS:
        number = _number(headers.get(name))
        if number is not None and number >= count:
            return Signs(flag, number, (), name)
    return Signs(flag)


def _flag(field: Field) -> Flag | None:
    if not isinstance(field.value, bool) or (field.name not in MORE and field.name not in LAST):
        return None
    return Flag(field.path, field.value, stop_on=field.name in LAST)


def _total(known: list[Field], count: int) -> Field | None:
    found = [field for field in known if field.name in TOTALS or _is_value_of_total(field)]
    fitting = [field for field in found if (_number(field.value) or 0) >= count + (field.name in OF_THE_PAGE)]
    return max(fitting, key=lambda field: (field.name not in OF_THE_PAGE, _number(field.value) or 0), default=None)


def _is_value_of_total(field: Field) -> bool:
    """As in `{"total": {"value": 130}}`."""
    return field.name == "value" and len(field.path) > 1 and normal(field.path[-2]) in TOTALS


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
