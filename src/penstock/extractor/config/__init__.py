"""The configuration, typed. Reading it is validating it: nothing is sent before all of it is understood.

Configurations in the wild are looser than types, functions may ask for any key of the raw map, and iterations merge
raw maps; so the raw map is kept beside what is read from it.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.auth import Given, read_auth, read_aws
from penstock.extractor.client import Sending
from penstock.extractor.complaints import invalid
from penstock.extractor.config.api import read_base_url, read_headers, read_ignored, split_login
from penstock.extractor.config.jobs import Job, Warn, read_jobs, read_user_data
from penstock.extractor.errors import UserError
from penstock.extractor.functions import Contexts, flat
from penstock.extractor.http import merge_headers
from penstock.extractor.pagination import Pagination, read_pagination
from penstock.extractor.records.mapping import check_mappings
from penstock.extractor.records.names import table_name
from penstock.extractor.sending.cache import read_cache
from penstock.extractor.sending.hosts import AllowedHosts, literal_url, read_allowed_hosts
from penstock.extractor.sending.message import Builder
from penstock.extractor.sending.rate import RateLimit, read_rate_limit
from penstock.extractor.sending.redirects import Trusted
from penstock.extractor.sending.retry import read_retry
from penstock.extractor.sending.tls import tls_context
from penstock.extractor.settings import read_flag, read_seconds, read_text, read_texts
from penstock.extractor.values import as_map, is_empty

__all__ = ["Config", "Job", "read_configs"]

LATEST = 3


class Config(msgspec.Struct, frozen=True):
    """One effective configuration: the plain one, or one of its iterations."""

    sending: Sending
    pagination: Pagination
    jobs: tuple[Job, ...]
    contexts: Contexts
    """What functions may refer to; the times are added when the run starts."""
    bucket: str
    """Where the tables go; empty for the default bucket."""
    user_data: dict[str, Any]
    mappings: Mapping[str, Any]
    is_incremental: bool
    is_debug: bool
    compat_level: int
    rate_limit: RateLimit | None
    tls: ssl.SSLContext | None


def read_configs(document: dict[str, Any], folder: Path, warn: Warn) -> list[Config]:
    """One per iteration. `folder` is where the answers are kept if the configuration wants them cached."""
    parameters = as_map(document.get("parameters"))
    config, api = _sections(parameters)
    read_aws(parameters)
    iterations = parameters.get("iterations")
    if is_empty(iterations):
        return [_read_config(document, api, config, folder, warn)]
    if not isinstance(iterations, (list, dict)):
        raise invalid("Expected an array of objects", "parameters.iterations")
    effective = [{**config, **_read_iteration(*item)} for item in as_map(iterations).items()]
    return [_read_config(document, api, each, folder, warn) for each in effective]


def _read_iteration(key: str, raw: Any) -> dict[str, Any]:
    if not isinstance(raw, (dict, list)):
        raise invalid(f"Expected an object, got {raw!r}", f"parameters.iterations[{key}]")
    return as_map(raw)


def _sections(parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    config, api = parameters.get("config"), parameters.get("api")
    if is_empty(config) or not isinstance(config, dict):
        raise UserError("The 'config' section is required in the configuration.")
    if not isinstance(api, (dict, list)):
        raise UserError("The 'api' section is required in configuration.")
    return cast(dict[str, Any], config), as_map(api)


def _read_config(
    document: dict[str, Any], api: dict[str, Any], config: dict[str, Any], folder: Path, warn: Warn
) -> Config:
    level = _read_level(config.get("compatLevel"))
    jobs = _read_jobs(config, level, warn)
    attributes = {key: value for key, value in config.items() if key != "jobs"}
    contexts: Contexts = {"attr": flat(attributes)}
    auth = read_auth(Given(api, attributes, as_map(document.get("authorization"))), warn)
    pagination = read_pagination(api.get("pagination"))
    for job in _all_jobs(jobs):
        pagination.method_for(job.scroller)
        _check_table(job)
    http, parameters = as_map(api.get("http")), as_map(document.get("parameters"))
    base_url, login = split_login(read_base_url(api, contexts, warn))
    headers = merge_headers(login, read_headers(api, config, contexts))
    sending = Sending(
        builder=Builder(base_url, headers, as_map(http.get("defaultOptions"))),
        auth=auth,
        trusted=_read_trusted(base_url, api, jobs),
        retry=read_retry(api.get("retryConfig")),
        hosts=_read_hosts(document, base_url, jobs),
        aws=read_aws(parameters),
        cache=read_cache(parameters.get("cache"), folder),
        ignored=read_ignored(api),
        connect_timeout=read_seconds(http.get("connectTimeout"), 30.0),
        timeout=read_seconds(http.get("requestTimeout"), 300.0),
    )
    return Config(
        sending=sending,
        pagination=pagination,
        jobs=jobs,
        contexts=contexts,
        bucket=_read_bucket(api, config),
        user_data=read_user_data(config.get("userData"), "userData", "parameters.config.userData"),
        mappings=check_mappings(config.get("mappings"), {job.table for job in _all_jobs(jobs)}),
        is_incremental=read_flag(config, "incrementalOutput", "parameters.config"),
        is_debug=not is_empty(config.get("debug")),
        compat_level=level,
        rate_limit=read_rate_limit(api.get("rateLimit")),
        tls=_read_tls(api),
    )


def _read_jobs(config: dict[str, Any], level: int, warn: Warn) -> tuple[Job, ...]:
    raw = config.get("jobs")
    if is_empty(raw) or not isinstance(raw, (list, dict)):
        raise UserError("The 'jobs' section is required in the configuration.")
    return read_jobs(raw, "parameters.config.jobs", level, warn)


def _all_jobs(jobs: tuple[Job, ...]) -> list[Job]:
    return [job for each in jobs for job in (each, *_all_jobs(each.children))]


def _check_table(job: Job) -> None:
    if not table_name(job.table):
        raise UserError(
            f"The records of '{job.table}' have no table name, because it holds no letter or digit. "
            "Set the job's `dataType`."
        )


def _read_level(raw: Any) -> int:
    if is_empty(raw):
        return LATEST
    text = str(raw).strip()
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise invalid(f"Expected 1, 2 or 3, got {raw!r}", "parameters.config.compatLevel")
    return int(text) or LATEST


def _read_bucket(api: dict[str, Any], config: dict[str, Any]) -> str:
    bucket = read_text(config, "outputBucket", "parameters.config")
    number = read_text(config, "id", "parameters.config")
    if not bucket and number:
        bucket = f"ex-api-{read_text(api, 'name', 'parameters.api') or 'generic'}-{number}"
    if "/" in bucket or "\0" in bucket:
        raise invalid("Not a valid name", "parameters.config.outputBucket", "A bucket name holds no `/`.")
    return bucket


def _read_tls(api: dict[str, Any]) -> ssl.SSLContext | None:
    if not isinstance(api.get("clientCertificate") or "", str):
        raise UserError("The 'clientCertificate' must be string. It has no effect: use `#clientCertificate`.")
    return tls_context(api.get("caCertificate"), api.get("#clientCertificate"))


def _read_hosts(document: dict[str, Any], base_url: str, jobs: tuple[Job, ...]) -> AllowedHosts:
    hosts = read_allowed_hosts(document)
    for job in jobs:
        Builder(base_url).url(job.request({}, job.endpoint), {})
        hosts.check_literal(literal_url(base_url, job.endpoint, job.params))
    return hosts


def _read_trusted(base_url: str, api: dict[str, Any], jobs: tuple[Job, ...]) -> Trusted:
    """The servers that the configuration names somewhere."""
    scheme = base_url.partition("://")[0]
    named = [job.endpoint for job in _all_jobs(jobs)]
    named += [str(as_map(section).get("endpoint")) for section in _requests_of(api)]
    trusted = read_texts(api.get("trustedHosts"), "parameters.api.trustedHosts")
    more = [host if "://" in host else f"{scheme}://{host}" for host in trusted]
    addresses = [name for name in named if name.lower().startswith(("http://", "https://"))]
    return Trusted.of([base_url, *addresses, *more])


def _requests_of(api: dict[str, Any]) -> list[Any]:
    """Requests that the configuration describes outside its jobs."""
    pagination = as_map(api.get("pagination"))
    scrollers = [pagination, *map(as_map, as_map(pagination.get("scrollers")).values())]
    return [as_map(api.get("authentication")).get("loginRequest"), *(each.get("scrollRequest") for each in scrollers)]
