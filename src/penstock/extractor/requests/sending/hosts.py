"""Which URLs a run may request: those that the operator's list of allowed hosts covers."""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.requests.sending.url import DEFAULT_PORTS, encode_params


class AllowedHosts(msgspec.Struct, frozen=True):
    """`image_parameters.allowed_hosts`; None allows every host."""

    entries: tuple[dict[str, Any], ...] | None = None

    def check(self, url: str) -> None:
        """Checks a URL as it is requested, without the default port."""
        self._check(url, DEFAULT_PORTS)

    def check_literal(self, url: str) -> None:
        """Checks a URL as it is written in the configuration: a missing port does not match any port of the list."""
        self._check(url, {})

    def _check(self, url: str, ports: dict[str, int]) -> None:
        if self.entries is not None and not any(_covers(entry, url, ports) for entry in self.entries):
            raise UserError(f'URL "{url}" is not in the allowed hosts whitelist.')


def read_allowed_hosts(document: dict[str, Any]) -> AllowedHosts:
    raw = as_map(document.get("image_parameters")).get("allowed_hosts")
    if is_empty(raw):
        return AllowedHosts()
    return AllowedHosts(tuple(as_map(entry) for entry in as_map(raw).values()))


def literal_url(base_url: str, endpoint: str, params: dict[str, Any]) -> str:
    """Returns the URL of a job for the first check, before the endpoint is resolved against the base URL."""
    query = encode_params(params)
    return f"{base_url.rstrip('/')}/{endpoint.lstrip('/')}" + (f"?{query}" if query else "")


def _covers(entry: dict[str, Any], url: str, ports: dict[str, int]) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port or ports.get(parts.scheme)
    except ValueError:
        return False
    is_port = entry.get("port") is None or (type(entry["port"]) is int and port == entry["port"])
    return is_port and _is_place(entry, parts) and _is_below(str(entry.get("endpoint") or ""), parts.path)


def _is_place(entry: dict[str, Any], parts: SplitResult) -> bool:
    is_scheme = entry.get("scheme") is None or parts.scheme == entry["scheme"]
    return is_scheme and bool(parts.hostname) and parts.hostname == str(entry.get("host")).lower()


def _is_below(folder: str, path: str) -> bool:
    """Compares whole segments: `/api` covers `/api/v1`, but neither `/apiary` nor `/api/%2e%2e/other`."""
    folder, path = folder.strip("/"), path.strip("/")
    is_within = path == folder or path.startswith(f"{folder}/")
    return not folder or (is_within and ".." not in unquote(path).split("/"))
