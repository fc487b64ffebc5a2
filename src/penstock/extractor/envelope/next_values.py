"""Fields that lead to the next page, by their names and values: a token to send, or an address to call."""

from __future__ import annotations

import re

from penstock.extractor.envelope.fields import Field, normal

_TOKEN = re.compile(
    r"next.*|.*(cursor|token|continuation|bookmark|scrollid)|after|startingafter|offset|lastevaluatedkey|(page)?marker|pagekey"
).fullmatch
_AROUND = frozenset(
    {"next", "nextpage", "paging", "pagination", "pages", "cursors", "after", "meta", "responsemetadata"}
)
_NO_TOKEN = re.compile(
    r".*(id|url|uri|link|count|size|limit|total|href|path|type|message)|prev.*|start(cursor)?|before.*"
).fullmatch
_ADDRESS = re.compile(r"(https?://|/)\S*|[\w./-]*\?\S+=\S*").fullmatch
_NEXT = re.compile(r"next.*|more.*url|.*next(page)?(url|uri|link|href|records?url)?").fullmatch


def is_token(field: Field) -> bool:
    """A text without spaces that is not an address, or a number under the name of the next page."""
    value = field.value
    is_text = isinstance(value, str) and bool(re.fullmatch(r"[^\s/?][^\s?]*", value)) and "://" not in value
    is_number = isinstance(value, int) and not isinstance(value, bool) and value > 0 and "next" in field.name
    is_named = bool(_TOKEN(field.name)) and not _NO_TOKEN(field.name)
    around = {normal(key) for key in field.path[:-1]}
    return (is_text or is_number) and (is_named or (field.name == "cursor" and bool(around & _AROUND)))


def is_address(field: Field) -> bool:
    """An address under the name of the next page, or below that name, as in `links.next.href`."""
    is_next = any(_NEXT(normal(key)) for key in field.path[-2:])
    return isinstance(field.value, str) and bool(_ADDRESS(field.value)) and is_next
