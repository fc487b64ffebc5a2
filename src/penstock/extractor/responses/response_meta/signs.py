"""What a response says about further pages: a flag such as `has_more`, a total, or a field that leads to the next page,
by its name and value: a token to send, or an address to call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from penstock.extractor.responses.response_meta.fields import Field, Path, normal, spell

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


_LEADING_NAME = (
    r"next.*|.*(cursor|token|continuation|bookmark|scrollid)|after|startingafter|offset|lastevaluatedkey"
    r"|(page)?marker|pagekey"
)
_META_KEYS = frozenset(
    {"next", "nextpage", "paging", "pagination", "pages", "cursors", "after", "meta", "responsemetadata"}
)
_OTHER_NAME = r".*(id|url|uri|link|count|size|limit|total|href|path|type|message)|prev.*|start(cursor)?|before.*"
_ADDRESS = r"(https?://|/)\S*|[\w./-]*\?\S+=\S*"
_NEXT = r"next.*|more.*url|.*next(page)?(url|uri|link|href|records?url)?"


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
        """Returns whether the response holds everything, by its flag or its total."""
        if self.flag is not None:
            return not self.flag.says_more
        return self.total is not None and self.total == count

    def says_more(self, count: int) -> bool:
        return bool(self.flag and self.flag.says_more) or (self.total is not None and self.total > count)


def read_signs(found_fields: Iterable[Field], headers: Mapping[str, str], count: int) -> Signs:
    all_fields = list(found_fields)
    flag = next((flag for field in all_fields if (flag := _flag(field))), None)
    total = _total(all_fields, count)
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


def _total(fields: list[Field], count: int) -> Field | None:
    totals = [field for field in fields if field.name in TOTALS or _is_value_of_total(field)]
    fitting = [field for field in totals if (_number(field.value) or 0) >= count + (field.name in OF_THE_PAGE)]
    return max(fitting, key=lambda field: (field.name not in OF_THE_PAGE, _number(field.value) or 0), default=None)


def _is_value_of_total(field: Field) -> bool:
    """Returns whether the field is the value of a total, as in `{"total": {"value": 130}}`."""
    return field.name == "value" and len(field.path) > 1 and normal(field.path[-2]) in TOTALS


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_token(field: Field) -> bool:
    """Returns whether it is a text without spaces that is not an address, or a number under the name of the next
    page."""
    value = field.value
    is_text = isinstance(value, str) and bool(re.fullmatch(r"[^\s/?][^\s?]*", value)) and "://" not in value
    is_number = isinstance(value, int) and not isinstance(value, bool) and value > 0 and "next" in field.name
    return (is_text or is_number) and (_is_named(field.name) or _is_cursor(field))


def is_address(field: Field) -> bool:
    """Returns whether it is an address under the name of the next page, or below that name, as in `links.next.href`."""
    if not isinstance(field.value, str) or not re.fullmatch(_ADDRESS, field.value):
        return False
    return any(re.fullmatch(_NEXT, normal(key)) for key in field.path[-2:])


def _is_named(name: str) -> bool:
    return bool(re.fullmatch(_LEADING_NAME, name)) and not re.fullmatch(_OTHER_NAME, name)


def _is_cursor(field: Field) -> bool:
    return field.name == "cursor" and not _META_KEYS.isdisjoint(map(normal, field.path[:-1]))
