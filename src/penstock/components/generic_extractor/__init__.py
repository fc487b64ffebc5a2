"""The generic extractor as a component: `penstock extract` in a job's data folder."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urljoin, urlsplit

from penstock.components.component import Component


def hosts_of(configuration: dict[str, Any]) -> str:
    """Where the requests of a configuration go: its base address, and whatever addresses its jobs name."""
    parameters = _map(configuration.get("parameters"))
    base = str(_map(parameters.get("api")).get("baseUrl", ""))
    jobs = _map(parameters.get("config")).get("jobs")
    endpoints = [_map(job).get("endpoint", "") for job in cast(list[Any], jobs if isinstance(jobs, list) else [])]
    return " ".join(sorted({_host(base, str(endpoint)) for endpoint in ("", *endpoints)}))


def _host(base: str, endpoint: str) -> str:
    try:
        return urlsplit(urljoin(base, endpoint)).netloc.lower()
    except ValueError:
        return endpoint


def _map(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


GENERIC_EXTRACTOR = Component(
    id="ex-generic-v2",
    name="Generic",
    type="extractor",
    description="Reads any HTTP API into tables, as its configuration says.",
    aliases=("keboola.ex-generic-v2",),
    module="penstock",
    arguments=("extract",),
    hosts_of=hosts_of,
)
