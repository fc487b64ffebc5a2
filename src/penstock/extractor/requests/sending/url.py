"""The URL of a request: base URL, endpoint and query parameters, encoded as the original encodes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, cast
from urllib.parse import SplitResult, quote, quote_plus, unquote_plus, urljoin, urlsplit, urlunsplit

from penstock.extractor.base.values import to_text

DEFAULT_PORTS = {"http": 80, "https": 443}
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DEFAULT_PORT = re.compile(r"(?i)(?<=^http:)(//[^/]*):80(?=/)|(?<=^https:)(//[^/]*):443(?=/)")
_PATH_SAFE = "%/:@!$&'()*+,;=-._~"
_QUERY_SAFE = _PATH_SAFE + "?"
_RAW = "surrogateescape"
"""Preserves bytes that are not UTF-8."""


def page_url(base_url: str, endpoint: str, params: Mapping[str, Any]) -> str:
    """Returns the endpoint below the base URL, with its parameters. Raises ValueError."""
    target = _target(base_url, endpoint)
    query = merge_query(target.query, params) if params else target.query
    return written(target._replace(query=query))


def join(base_url: str, reference: str) -> SplitResult:
    """Returns the reference resolved against the base URL according to RFC 3986, without `.` and `..`.

    Raises ValueError if it is not a valid URL."""
    # urljoin would resolve a URL without a host as a relative one.
    target = urlsplit(reference if _is_address(reference) else urljoin(base_url, reference))
    if target.scheme in ("http", "https") and (not target.hostname or target.port == 0):
        raise ValueError("it names no host")
    target.netloc.encode()  # raises for a host that is not valid text
    return target._replace(path=_without_dots(_joined_path(base_url, reference) or target.path))


def written(target: SplitResult) -> str:
    """Returns the URL as it is sent: invalid characters are escaped, default port and fragment are left out."""
    path, query = _escaped(target.path, _PATH_SAFE) or "/", _escaped(target.query, _QUERY_SAFE)
    return _plain_port(urlunsplit((target.scheme, target.netloc, path, query, "")))


def merge_query(query: str, params: Mapping[str, Any]) -> str:
    """Job parameters override those of the endpoint, which keep their position."""
    existing = (part.partition("=") for part in query.split("&") if part)
    merged: dict[str, Any] = {_unquoted(key): _unquoted(value) for key, _, value in existing}
    named = {key: value for key, value in params.items() if key not in ("", "0")}
    return encode_params({**merged, **named})


def encode_params(params: Mapping[str, Any]) -> str:
    """`a=1&b%5B0%5D=x`: lists and maps have bracketed keys; null and empty ones are left out."""
    pairs = (pair for key, value in params.items() for pair in _pairs(key, value))
    return "&".join(f"{_form(key)}={_form(value)}" for key, value in pairs)


def get_host(url: str) -> str:
    """Returns `host:port`, always with the port, to compare the servers of two URLs."""
    parts = urlsplit(url)
    return f"{(parts.hostname or '').rstrip('.')}:{parts.port or DEFAULT_PORTS.get(parts.scheme, 80)}"


def _pairs(key: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in cast(dict[str, Any], value).items():
            yield from _pairs(f"{key}[{name}]", inner)
    elif isinstance(value, list):
        for index, inner in enumerate(cast(list[Any], value)):
            yield from _pairs(f"{key}[{index}]", inner)
    elif value is not None:
        yield key, "0" if value is False else to_text(value)


def _form(text: str) -> str:
    # The original does not escape letters, digits and `-_.`; Python does not escape `~` either.
    return quote_plus(text, errors=_RAW).replace("~", "%7E")


def _unquoted(text: str) -> str:
    return unquote_plus(text, errors=_RAW)


@lru_cache(maxsize=256)  # the pages of a job share their endpoint
def _target(base_url: str, endpoint: str) -> SplitResult:
    """Joins `<base URL>/<endpoint>`; an endpoint that starts with `/`, is only a query or is a whole URL follows RFC
    3986.

    A colon does not make an endpoint a whole URL: only http:// and https:// do."""
    if _is_address(endpoint) or endpoint.startswith(("/", "?")):
        return join(base_url, endpoint)
    return join(_folder(base_url), f"./{endpoint}")


def _folder(base_url: str) -> str:
    """Returns the base URL with a slash at the end of its path; RFC 3986 would drop the last segment of one without."""
    parts = urlsplit(base_url)
    return base_url if parts.path.endswith("/") else urlunsplit(parts._replace(path=f"{parts.path}/"))


def _is_address(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def _escaped(text: str, safe: str) -> str:
    return quote(_STRAY_PERCENT.sub("%25", text), safe=safe, errors=_RAW)


def _joined_path(base_url: str, reference: str) -> str:
    """Returns the path of a relative reference; urljoin would drop the empty segments of `a//b`."""
    own = urlsplit(reference)
    if own.scheme or own.netloc or not own.path or own.path.startswith("/"):
        return ""
    return f"{urlsplit(base_url).path.rpartition('/')[0]}/{own.path}"


def _without_dots(path: str) -> str:
    segments, resolved = path.split("/"), list[str]()
    for segment in segments:
        if segment not in (".", ".."):
            resolved.append(segment)
        elif segment == ".." and len(resolved) > 1:
            resolved.pop()
    return "/".join([*resolved, ""] if segments[-1] in (".", "..") else resolved)


def _plain_port(url: str) -> str:
    return _DEFAULT_PORT.sub(lambda match: match[1] or match[2], url)
