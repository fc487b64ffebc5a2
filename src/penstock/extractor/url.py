"""The address of a page: base address, endpoint and query parameters, encoded as the original encodes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import quote, quote_plus, unquote_plus, urljoin, urlsplit, urlunsplit

from penstock.extractor.http import Request
from penstock.extractor.numbers import show_float

_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATH_SAFE = "%/:@!$&'()*+,;=-._~"
_QUERY_SAFE = _PATH_SAFE + "?[]"


def page_url(base_url: str, request: Request) -> str:
    """`<baseUrl>/<endpoint>`; an endpoint that starts with `/` or is absolute follows RFC 3986."""
    base = urlsplit(base_url)
    folder = urlunsplit((base.scheme, base.netloc, base.path.rstrip("/") + "/", "", ""))
    scheme, host, path, query, _ = urlsplit(urljoin(folder, _reference(request.endpoint)))
    merged = merge_query(query, request.params) if _kept(request.params) else query
    return urlunsplit((scheme, host, _escaped(path, _PATH_SAFE) or "/", _escaped(merged, _QUERY_SAFE), ""))


def merge_query(query: str, params: Mapping[str, Any]) -> str:
    """Job parameters win over those of the endpoint, which keep their place."""
    existing = (part.partition("=") for part in query.split("&") if part)
    merged: dict[str, Any] = {unquote_plus(key): unquote_plus(value) for key, _, value in existing}
    return encode_params({**merged, **_kept(params)})


def encode_params(params: Mapping[str, Any]) -> str:
    """`a=1&b%5B0%5D=x`: lists and maps by bracketed keys; null and empty ones are left out."""
    pairs = (pair for key, value in params.items() for pair in _pairs(key, value))
    return "&".join(f"{_form(key)}={_form(value)}" for key, value in pairs)


def _pairs(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        for name, inner in members.items():
            yield from _pairs(f"{key}[{name}]", inner)
    elif isinstance(value, list):
        for index, inner in enumerate(cast(list[Any], value)):
            yield from _pairs(f"{key}[{index}]", inner)
    elif value is not None:
        yield key, _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return show_float(repr(value)) if isinstance(value, float) else str(value)


def _form(text: str) -> str:
    # The original leaves only letters, digits and `-_.` as they are; Python also leaves `~`.
    return quote_plus(text).replace("~", "%7E")


def _kept(params: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key not in ("", "0")}


def _reference(endpoint: str) -> str:
    """A colon makes no address: only http:// and https:// do."""
    is_address = endpoint.lower().startswith(("http://", "https://", "/", "?"))
    return endpoint if is_address else f"./{endpoint}"


def _escaped(text: str, safe: str) -> str:
    return quote(_STRAY_PERCENT.sub("%25", text), safe=safe)
