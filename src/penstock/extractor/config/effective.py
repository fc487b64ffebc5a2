"""The configuration, typed. Reading it validates it: nothing is sent before all of it has been read.

Functions may refer to any key of the raw map, and iterations merge raw maps; so the raw map is used in addition to the
typed values.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError, invalid
from penstock.extractor.base.functions import Contexts, flat
from penstock.extractor.base.http import merge_headers
from penstock.extractor.base.section import Section, describe
from penstock.extractor.base.values import as_map, is_empty
from penstock.extractor.config.api import header_secrets, read_base_url, read_headers, read_ignored, split_login
from penstock.extractor.config.document import secrets_in
from penstock.extractor.config.endpoints import read_hosts, read_trusted, warn_of_unfilled
from penstock.extractor.config.jobs import Job, Warn, all_jobs, read_jobs, read_upserts, read_user_data
from penstock.extractor.config.policies import EmptyResponse, Policies, read_empty_response, read_policies
from penstock.extractor.records.mapping import check_mappings
from penstock.extractor.records.names import table_name
from penstock.extractor.records.upserts import Upsert
from penstock.extractor.requests.auth import Auth, AuthConfig, read_auth, read_aws
from penstock.extractor.requests.client import Sending
from penstock.extractor.requests.pagination import Pagination, read_pagination
from penstock.extractor.requests.parallel.concurrency import Parallelism, read_parallelism
from penstock.extractor.requests.sending.cache import read_cache
from penstock.extractor.requests.sending.message import Builder
from penstock.extractor.requests.sending.rate import RateLimit, read_rate_limit
from penstock.extractor.requests.sending.retry import read_retry
from penstock.extractor.requests.sending.tls import tls_context

LATEST = 3


class Config(msgspec.Struct, frozen=True):
    """One effective configuration: the plain one, or one of its iterations."""

    sending: Sending
    pagination: Pagination
    jobs: tuple[Job, ...]
    contexts: Contexts
    """The values that functions may refer to; the times are added when the run starts."""
    bucket: str
    """The bucket of the tables; empty for the default bucket."""
    user_data: dict[str, Any]
    mappings: Mapping[str, Any]
    is_incremental: bool
    has_types: bool
    """Whether the types of columns are inferred; without them, all columns hold texts."""
    upserts: dict[str, Upsert]
    """`primaryKey` and `incremental` of jobs, by data type."""
    is_debug: bool
    compat_level: int
    rate_limit: RateLimit | None
    parallelism: Parallelism
    policies: Policies
    empty_response: EmptyResponse | None
    """The default for jobs that do not set it."""
    tls: ssl.SSLContext | None


def read_configs(document: dict[str, Any], folder: Path, warn: Warn) -> list[Config]:
    """Returns one configuration per iteration. `folder` is where responses are cached, if the configuration enables
    that."""
    parameters = as_map(document.get("parameters"))
    config, api = _sections(parameters)
    read_aws(parameters)  # its errors are reported before those of the iterations
    iterations = parameters.get("iterations")
    if is_empty(iterations):
        return [_Reader(document, api, config, folder, warn).read()]
    if not isinstance(iterations, (list, dict)):
        raise invalid("Expected an array of objects", "parameters.iterations")
    effective = [{**config, **_read_iteration(*item)} for item in as_map(iterations).items()]
    return [_Reader(document, api, merged, folder, warn).read() for merged in effective]


def _read_iteration(key: str, raw: Any) -> dict[str, Any]:
    if not isinstance(raw, (dict, list)):
        raise invalid(f"Expected an object, got {describe(raw)}", f"parameters.iterations[{key}]")
    return as_map(raw)


def _sections(parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    config, api = parameters.get("config"), parameters.get("api")
    if is_empty(config) or not isinstance(config, dict):
        raise UserError("The 'config' section is required in the configuration.")
    if not isinstance(api, (dict, list)):
        raise UserError("The 'api' section is required in configuration.")
    return cast(dict[str, Any], config), as_map(api)


class _Reader(msgspec.Struct, frozen=True):
    """Reads one effective configuration. The order of reading determines which error is reported first."""

    document: dict[str, Any]
    api: dict[str, Any]
    config: dict[str, Any]
    folder: Path
    warn: Warn

    def read(self) -> Config:
        section = Section(self.config, "parameters.config")
        level = _read_level(section)
        jobs = _read_jobs(self.config, level, self.warn)
        auth, pagination = self._read_auth(), read_pagination(self.api.get("pagination"))
        _check_jobs(jobs, pagination, self.warn)
        return Config(
            sending=self._read_sending(jobs, auth),
            pagination=pagination,
            jobs=jobs,
            contexts=self._contexts,
            bucket=_read_bucket(self.api, section),
            user_data=read_user_data(self.config.get("userData"), "userData", "parameters.config.userData"),
            mappings=(
                mappings := check_mappings(self.config.get("mappings"), {job.data_type for job in all_jobs(jobs)})
            ),
            is_incremental=section.flag("incrementalOutput"),
            has_types=_read_types(section),
            upserts=read_upserts(all_jobs(jobs), mappings),
            is_debug=section.has("debug"),
            compat_level=level,
            rate_limit=read_rate_limit(self.api.get("rateLimit")),
            parallelism=read_parallelism(Section(self.api, "parameters.api")),
            policies=read_policies(self.config.get("proof")),
            empty_response=read_empty_response(section),
            tls=_read_tls(self.api),
        )

    def _read_auth(self) -> Auth:
        authorization = as_map(self.document.get("authorization"))
        return read_auth(AuthConfig(self.api, self._attributes, authorization), self.warn)

    def _read_sending(self, jobs: tuple[Job, ...], auth: Auth) -> Sending:
        parameters, http = as_map(self.document.get("parameters")), Section(self.api, "parameters.api").within("http")
        address = read_base_url(self.api, self._contexts, self.warn)
        base_url, login = split_login(address)
        headers = merge_headers(login, read_headers(self.api, self.config, self._contexts))
        return Sending(
            builder=Builder(base_url, headers, as_map(http.get("defaultOptions"))),
            auth=auth,
            trusted=read_trusted(base_url, self.api, jobs),
            retry=read_retry(self.api.get("retryConfig")),
            hosts=read_hosts(self.document, base_url, jobs),
            aws=read_aws(parameters),
            cache=read_cache(parameters.get("cache"), self.folder),
            ignored=read_ignored(self.api),
            secrets=(*secrets_in(address), *header_secrets(self.api, self.config, headers)),
            connect_timeout=http.seconds("connectTimeout", 30.0),
            timeout=http.seconds("requestTimeout", 300.0),
        )

    @property
    def _attributes(self) -> dict[str, Any]:
        return {key: value for key, value in self.config.items() if key != "jobs"}

    @property
    def _contexts(self) -> Contexts:
        return {"attr": flat(self._attributes)}


def _read_jobs(config: dict[str, Any], level: int, warn: Warn) -> tuple[Job, ...]:
    raw = config.get("jobs")
    if is_empty(raw) or not isinstance(raw, (list, dict)):
        raise UserError("The 'jobs' section is required in the configuration.")
    jobs = read_jobs(raw, "parameters.config.jobs", level, warn)
    warn_of_unfilled(jobs, warn)
    return jobs


def _check_jobs(jobs: tuple[Job, ...], pagination: Pagination, warn: Warn) -> None:
    for job in all_jobs(jobs):
        caution = pagination.method_for(job.scroller).caution(job.request(job.params, job.endpoint))
        if caution:
            warn(f"The job '{job.endpoint}' at `{job.path}`: {caution}")
        if not table_name(job.data_type):
            raise UserError(
                f"The records of '{job.data_type}' have no table name, because it holds no letter or digit. "
                "Set the job's `dataType`."
            )


def _read_level(config: Section) -> int:
    if not config.has("compatLevel"):
        return LATEST
    text = str(config.get("compatLevel")).strip()
    if not re.fullmatch("-?[0-9]{1,9}", text):
        raise config.wrong("compatLevel", "1, 2 or 3")
    return int(text) or LATEST


def _read_types(config: Section) -> bool:
    """Returns whether types are inferred; raises UserError for a value that is neither `"infer"` nor empty."""
    types = config.get("types")
    if not is_empty(types) and types != "infer":
        raise config.wrong("types", '"infer"')
    return types == "infer"


def _read_bucket(api: dict[str, Any], config: Section) -> str:
    bucket, number = config.text("outputBucket"), config.text("id")
    if not bucket and number:
        bucket = f"ex-api-{Section(api, 'parameters.api').text('name', 'generic')}-{number}"
    if "/" in bucket or "\0" in bucket:
        raise invalid("Not a valid name", "parameters.config.outputBucket", "A bucket name holds no `/`.")
    return bucket


def _read_tls(api: dict[str, Any]) -> ssl.SSLContext | None:
    if not isinstance(api.get("clientCertificate") or "", str):
        raise UserError("The 'clientCertificate' must be string. It has no effect: use `#clientCertificate`.")
    return tls_context(api.get("caCertificate"), api.get("#clientCertificate"))
