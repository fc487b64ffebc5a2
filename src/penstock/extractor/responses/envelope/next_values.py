"""Fields that lead to the next page, by their names and values: a token to send, or an address to call."""

from __future__ import annotations

import re

from penstock.extractor.responses.envelope.fields import Field, normal

_LEADING_NAME = (
    r"next.*|.*(cursor|token|continuation|bookmark|scrollid)|after|startingafter|offset|lastevaluatedkey"
    r"|(page)?marker|pagekey"
)
_AROUND = frozenset(
    {"next", "nextpage", "paging", "pagination", "pages", "cursors", "after", "meta", "responsemetadata"}
)
_OTHER_NAME = r".*(id|url|uri|link|count|size|limit|total|href|path|type|message)|prev.*|start(cursor)?|before.*"
_ADDRESS = r"(https?://|/)\S*|[\w./-]*\?\S+=\S*"
_NEXT = r"next.*|more.*url|.*next(page)?(url|uri|link|href|records?url)?"


def is_token(field: Field) -> bool:
    """A text without spaces that is not an address, or a number under the name of the next page."""
    value = field.value
    is_text = isinstance(value, str) and bool(re.fullmatch(r"[^\s/?][^\s?]*", value)) and "://" not in value
    is_number = isinstance(value, int) and not isinstance(value, bool) and value > 0 and "next" in field.name
    return (is_text or is_number) and (_is_named(field.name) or _is_cursor(field))


def is_address(field: Field) -> bool:
    """An address under the name of the next page, or below that name, as in `links.next.href`."""
    if not isinstance(field.value, str) or not re.fullmatch(_ADDRESS, field.value):
        return False
    return any(re.fullmatch(_NEXT, normal(key)) for key in field.path[-2:])


def _is_named(name: str) -> bool:
    return bool(re.fullmatch(_LEADING_NAME, name)) and not re.fullmatch(_OTHER_NAME, name)


def _is_cursor(field: Field) -> bool:
    return field.name == "cursor" and not _AROUND.isdisjoint(map(normal, field.path[:-1]))
