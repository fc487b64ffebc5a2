"""The `api` section: the base URL, and the headers of every request."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate, private_texts
from penstock.extractor.base.http import HeaderValue, merge_headers
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.config.jobs import Warn
from penstock.extractor.requests.sending.message import header_values

_WEB_ADDRESS = re.compile(
    r"(?i)https?://([^\s/?#@\\]*@)?([^\s/?#@\\:\[\]]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?([/?#]\S*)?"
).fullmatch


def read_base_url(api: dict[str, Any], contexts: Contexts, warn: Warn) -> str:
    """Raises UserError unless it is, or its function returns, an HTTP URL."""
    raw = api.get("baseUrl")
    if is_empty(raw):
        raise UserError(
            "The 'baseUrl' attribute must be set in API configuration. "
            "Set `parameters.api.baseUrl` to the address of the API, for example https://api.example.com/."
        )
    if isinstance(raw, str):
        if _is_address(raw):
            return raw
        raw = _decoded(raw, warn)
    url = evaluate(raw, contexts)
    if not isinstance(url, str) or not _is_address(url):
        raise UserError(f'The "baseUrl" attribute in API configuration resulted in an invalid URL ({url})')
    return url


def split_login(base_url: str) -> tuple[str, dict[str, HeaderValue]]:
    """Returns the URL without user and password, and the header made from them."""
    parts = urlsplit(base_url)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return base_url, {}
    token = base64.b64encode(unquote(login).encode()).decode()
    plain = urlunsplit((parts.scheme, host, parts.path, parts.query, parts.fragment))
    return plain, {"Authorization": f"Basic {token}"}


def read_headers(api: dict[str, Any], config: dict[str, Any], contexts: Contexts) -> dict[str, HeaderValue]:
    """Returns the headers of `api.http.headers`, overridden by those of `config.http.headers`."""
    own = as_map(as_map(config.get("http")).get("headers"))
    for name in as_map(as_map(api.get("http")).get("requiredHeaders")).values():
        if is_empty(own.get(str(name))):
            raise UserError(f"Missing required header {name} in 'config.http.headers'.")
    general = as_map(as_map(api.get("http")).get("headers"))
    return merge_headers(_evaluated(general, contexts), _evaluated(own, contexts))


def header_secrets(api: dict[str, Any], config: dict[str, Any], headers: dict[str, HeaderValue]) -> tuple[str, ...]:
    """Returns texts that functions derived from secrets, among the headers of read_headers()."""
    general, own = (as_map(as_map(section.get("http")).get("headers")) for section in (api, config))
    return private_texts({**general, **own}, headers)


def read_ignored(api: dict[str, Any]) -> frozenset[int]:
    """Returns statuses that do not fail a run; 0 means a body that is not JSON."""
    codes = as_map(as_map(api.get("http")).get("ignoreErrors")).values()
    return frozenset(int(float(code)) for code in codes if re.fullmatch(r"\s*[0-9]{1,9}(\.0*)?", str(code)))


def _evaluated(headers: dict[str, Any], contexts: Contexts) -> dict[str, HeaderValue]:
    return header_values({name: evaluate(value, contexts) for name, value in headers.items()}, "")


def _is_address(text: str) -> bool:
    if not _WEB_ADDRESS(text):
        return False
    try:
        return urlsplit(text).port != 0
    except ValueError:
        return False


def _decoded(text: str, warn: Warn) -> Any:
    try:
        function = json.loads(text)
    except (ValueError, RecursionError):
        function = None
    if not isinstance(function, dict):
        raise UserError("The 'baseUrl' attribute in API configuration is not a valid URL")
    warn("Passing json-encoded baseUrl is deprecated.")
    return cast(dict[str, Any], function)
