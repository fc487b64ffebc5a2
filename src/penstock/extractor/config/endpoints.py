"""The addresses of a configuration: the hosts that may be called, those that get the credentials, and placeholders in
endpoints without a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map
from penstock.extractor.config.jobs import Job, Warn, all_jobs
from penstock.extractor.requests.sending.hosts import AllowedHosts, literal_url, read_allowed_hosts
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.requests.sending.redirects import Trusted

_NAMES = re.compile(r"\{([\w:.@-]+)\}").findall
"""Matches placeholders, but not JSON in a URL, which contains quotes and commas."""


def read_hosts(document: dict[str, Any], base_url: str, jobs: tuple[Job, ...]) -> AllowedHosts:
    """Raises UserError for a root job whose URL, as written, is not allowed."""
    hosts = read_allowed_hosts(document)
    for job in jobs:
        Builder(base_url).url(job.request({}, job.endpoint), {})
        hosts.check_literal(literal_url(base_url, job.endpoint, job.params))
    return hosts


def read_trusted(base_url: str, api: dict[str, Any], jobs: tuple[Job, ...]) -> Trusted:
    """Returns the servers that the configuration names anywhere."""
    scheme = base_url.partition("://")[0]
    named = [job.endpoint for job in all_jobs(jobs)]
    named += [str(as_map(section).get("endpoint")) for section in _requests_of(api)]
    trusted = Section(api, "parameters.api").texts("trustedHosts")
    more = [host if "://" in host else f"{scheme}://{host}" for host in trusted]
    addresses = [name for name in named if name.lower().startswith(("http://", "https://"))]
    return Trusted.of([base_url, *addresses, *more])


def _requests_of(api: dict[str, Any]) -> list[Any]:
    """Returns requests that the configuration describes outside its jobs."""
    pagination = as_map(api.get("pagination"))
    scrollers = [pagination, *map(as_map, as_map(pagination.get("scrollers")).values())]
    return [
        as_map(api.get("authentication")).get("loginRequest"),
        *(scroller.get("scrollRequest") for scroller in scrollers),
    ]


def warn_of_unfilled(jobs: tuple[Job, ...], warn: Warn) -> None:
    """Warns for jobs at the root and for their child jobs."""
    for job in jobs:
        for name in unfilled(job, ()):
            warn(f"{_sentence(job, name)} Only child jobs have placeholders: write the value there instead.")
        _warn_below(job, frozenset(), warn)


def unfilled(job: Job, names: Iterable[str]) -> Iterator[str]:
    """Yields the names without a value in the endpoint, each once."""
    return (name for name in dict.fromkeys(_NAMES(job.endpoint)) if name not in names)


def _warn_below(job: Job, inherited: frozenset[str], warn: Warn) -> None:
    for child in job.children:
        filled = inherited | child.placeholders.keys()
        # A child job without placeholders never runs; another warning reports that.
        for name in unfilled(child, filled) if filled else ():
            names = ", ".join(f"{{{placeholder}}}" for placeholder in sorted(filled))
            warn(f"{_sentence(child, name)} Add it to the job's `placeholders`, or use one of {names}.")
        _warn_below(child, filled, warn)


def _sentence(job: Job, name: str) -> str:
    return (
        f"The endpoint '{job.endpoint}' at `{job.path}` holds {{{name}}}, which no placeholder fills: it is sent as it "
        "is."
    )
