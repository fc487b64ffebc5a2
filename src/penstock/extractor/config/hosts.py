"""The hosts of a configuration: those that may be called, and those that it names, which get the credentials."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map
from penstock.extractor.config.jobs import Job, all_jobs
from penstock.extractor.requests.sending.hosts import AllowedHosts, literal_url, read_allowed_hosts
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.requests.sending.redirects import Trusted


def read_hosts(document: dict[str, Any], base_url: str, jobs: tuple[Job, ...]) -> AllowedHosts:
    """Raises UserError for a root job whose URL, as written, is not allowed."""
    hosts = read_allowed_hosts(document)
    for job in jobs:
        Builder(base_url).url(job.request({}, job.endpoint), {})
        hosts.check_literal(literal_url(base_url, job.endpoint, job.params))
    return hosts


def read_trusted(base_url: str, api: dict[str, Any], jobs: tuple[Job, ...]) -> Trusted:
    """The servers that the configuration names anywhere."""
    scheme = base_url.partition("://")[0]
    named = [job.endpoint for job in all_jobs(jobs)]
    named += [str(as_map(section).get("endpoint")) for section in _requests_of(api)]
    trusted = Section(api, "parameters.api").texts("trustedHosts")
    more = [host if "://" in host else f"{scheme}://{host}" for host in trusted]
    addresses = [name for name in named if name.lower().startswith(("http://", "https://"))]
    return Trusted.of([base_url, *addresses, *more])


def _requests_of(api: dict[str, Any]) -> list[Any]:
    """Requests that the configuration describes outside its jobs."""
    pagination = as_map(api.get("pagination"))
    scrollers = [pagination, *map(as_map, as_map(pagination.get("scrollers")).values())]
    return [as_map(api.get("authentication")).get("loginRequest"), *(each.get("scrollRequest") for each in scrollers)]
