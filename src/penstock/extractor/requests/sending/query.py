"""Parses and builds the query of a URL; order, repeated keys and keys without a value are preserved.

Authentication methods and signatures rebuild the whole query this way, so a space becomes `%20`; the parameters of jobs
are encoded as in a form, in url.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map, is_list, to_text


def parse_query(query: str) -> dict[str, Any]:
    """`a[0]` is one key; a repeated key has a list of its values, a key without `=` has None."""
    params: dict[str, list[str | None]] = {}
    for part in query.split("&") if query else ():
        key, sign, value = part.partition("=")
        params.setdefault(_decoded(key), []).append(_decoded(value) if sign else None)
    return {key: values if len(values) > 1 else values[0] for key, values in params.items()}


def build_query(params: Mapping[str, Any]) -> str:
    """Encodes the query according to RFC 3986; the reverse of `parse_query`. Raises UserError for an object among the
    values."""
    return "&".join(pair for key, value in params.items() for pair in _pairs(key, value))


def get_query(url: str) -> str:
    """Returns an empty text when there is none."""
    return url.partition("#")[0].partition("?")[2]


def with_query(url: str, query: str) -> str:
    """Returns the URL with this query, without its fragment, which is never sent."""
    address = url.partition("#")[0].partition("?")[0]
    return f"{address}?{query}" if query else address


def encoded(text: str) -> str:
    """Percent-encodes all but letters, digits and `-_.~`."""
    return quote(text, safe="", errors="surrogateescape")


def _pairs(key: str, value: Any) -> Iterator[str]:
    if is_list(value):
        yield from (_pair(key, item) for item in as_map(value).values())
    elif isinstance(value, dict):
        raise UserError(f'Invalid configuration: invalid type "object" in query at path: {key}')
    else:
        yield _pair(key, value)


def _pair(key: str, value: Any) -> str:
    return encoded(key) if value is None else f"{encoded(key)}={encoded(to_text(value))}"


def _decoded(text: str) -> str:
    # Bytes that are not UTF-8 must be preserved.
    return unquote(text.replace("+", " "), errors="surrogateescape")
