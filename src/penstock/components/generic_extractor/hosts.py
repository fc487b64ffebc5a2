"""The hosts that a configuration sends requests to: its secrets are encrypted for these hosts only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map

ADDRESSES = ("endpoint", "host")
"""Keys whose values contain a host or a URL, wherever they occur."""


def hosts_of(configuration: dict[str, Any]) -> str:
    parameters = as_map(configuration.get("parameters"))
    api, config = as_map(parameters.get("api")), as_map(parameters.get("config"))
    variants = [config, *(config | as_map(iteration) for iteration in as_map(parameters.get("iterations")).values())]
    bases = {_base(api.get("baseUrl"), variant) for variant in variants}
    named = {*_named(parameters), *map(str, as_map(api.get("trustedHosts")).values())}
    return " ".join(sorted({_host(base, address) for base in bases for address in ("", *named)}))


def _base(raw: Any, config: dict[str, Any]) -> str:
    """Returns an address that a function computes depends on the rest of the configuration."""
    if not isinstance(raw, dict):
        return str(raw or "")
    try:
        attributes = {key: value for key, value in config.items() if key != "jobs"}
        return str(evaluate(cast(dict[str, Any], raw), {"attr": flat(attributes)}))
    except UserError:
        return json_text(raw)


def _named(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in cast(dict[str, Any], value).items():
            yield from _named(item, name)
    elif isinstance(value, list):
        for item in cast(list[Any], value):
            yield from _named(item, key)
    elif isinstance(value, str) and key in ADDRESSES:
        yield f"//{value}" if key == "host" else value


def _host(base: str, address: str) -> str:
    try:
        return urlsplit(urljoin(base, address)).netloc.lower()
    except ValueError:
        return address
