"""The jobs of a configuration, typed: the endpoint, how its records are found, how the tables of each data type are
loaded, and the child jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError, invalid
from penstock.extractor.base.formats import Format, read_format
from penstock.extractor.base.functions import comes_from_secret, texts_in
from penstock.extractor.base.http import Request
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.section import Section, read_map
from penstock.extractor.base.values import as_json, as_map, is_empty
from penstock.extractor.config.children.recursion_filter import Conditions, read_conditions
from penstock.extractor.config.policies import EmptyResponse, read_empty_response
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField
from penstock.extractor.records.upserts import Upsert
from penstock.extractor.requests.sending.message import read_method

PLAIN = "Remove it, or use an attribute whose name does not start with `#`."

Warn = Callable[[str], None]


class Job(msgspec.Struct, frozen=True):
    """One endpoint."""

    id: str
    path: str
    """Its path in the configuration."""
    endpoint: str
    method: str
    params: dict[str, Any]
    headers: dict[str, Any]
    data_type: str
    field: DataField
    filter: Filter
    format: Format
    user_data: dict[str, Any]
    scroller: Any
    children: tuple[Job, ...]
    placeholders: dict[str, Any]
    conditions: Conditions | None
    primary_key: tuple[str, ...] = ()
    """Columns that identify a row of its table."""
    incremental: bool | None = None
    """Whether rows are added to its table; None for the setting of `config`."""
    expected_count: str = ""
    """The path in a response of the total number of records."""
    empty_response: EmptyResponse | None = None
    """What to do about a response without a body; None for the setting of `config`."""
    private: tuple[str, ...] = ()
    """The names of parameters that are derived from secrets."""
    is_object: bool = False
    """Whether its parameters are an empty object, and not left out or an empty array."""

    def request(self, params: dict[str, Any], endpoint: str) -> Request:
        """Returns the request of the job with these parameters."""
        private = tuple(text for name in self.private for text in texts_in(params.get(name))) if self.private else ()
        return Request(endpoint, params, self.method, self.headers, private, self.is_object)


def read_jobs(raw: Any, path: str, compat_level: int, warn: Warn) -> tuple[Job, ...]:
    """Jobs of one id are one job: in the position of the first, with the settings of the last."""
    jobs: dict[str, Job] = {}
    for key, item in as_map(raw).items():
        job = _read_job(item, f"{path}[{key}]", compat_level, warn)
        if job.id in jobs:
            warn(f"The job '{job.endpoint}' at `{path}[{key}]` has the id or definition of another and replaces it.")
        jobs[job.id] = job
    return tuple(jobs.values())


def all_jobs(jobs: tuple[Job, ...]) -> list[Job]:
    """Lists the jobs with their child jobs."""
    return [job for root in jobs for job in (root, *all_jobs(root.children))]


def read_user_data(raw: Any, name: str, path: str) -> dict[str, Any]:
    """A single value becomes a column with this name. Raises UserError for a value that is a secret."""
    if is_empty(raw):
        return {}
    if isinstance(raw, list):
        raise invalid("Expected an object of columns, got an array", path)
    if not isinstance(raw, dict):
        return {name: raw}
    columns = cast(dict[str, Any], raw)
    for column, value in columns.items():
        if comes_from_secret({column: value}):
            raise invalid("A secret cannot be written into a table", f"{path}.{column}", PLAIN)
    return columns


def _read_job(raw: Any, path: str, compat_level: int, warn: Warn) -> Job:
    if not isinstance(raw, (dict, list)):
        raise UserError(f"Job configuration must be an array: {_dump(raw)}")
    job = Section(as_map(raw), path)
    endpoint, method = _read_endpoint(job.get("endpoint")), job.text("method")
    params = read_map(job.get("params"), "The 'params' property must be an array.")
    read_method(Request(endpoint, method=method))
    return Job(
        id=_read_id(job),
        path=path,
        endpoint=endpoint,
        method=method,
        params=params,
        headers=_read_headers(job.get("headers")),
        data_type=job.text("dataType", endpoint),
        field=_read_field(job),
        filter=Filter(job.texts("responseFilter"), job.text("responseFilterDelimiter", "."), compat_level < 3),
        format=read_format(job.get("responseFormat"), f"{path}.responseFormat"),
        user_data=read_user_data(job.get("userData"), "job_parent_id", f"{path}.userData"),
        scroller=job.get("scroller"),
        children=_read_children(job.get("children"), path, compat_level, warn),
        placeholders=_read_placeholders(job.get("placeholders"), path),
        conditions=read_conditions(job.text("recursionFilter")) if job.has("recursionFilter") else None,
        primary_key=tuple(job.texts("primaryKey")),
        incremental=job.flag("incremental") if job.get("incremental") is not None else None,
        expected_count=job.text("expectedCount"),
        empty_response=read_empty_response(job),
        private=tuple(name for name, value in params.items() if comes_from_secret({name: value})),
        is_object=job.get("params") == {},
    )


def _dump(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "NULL" if value is None else json_text(value)


def _read_endpoint(endpoint: Any) -> str:
    if endpoint is None or endpoint == "":
        raise UserError("The 'endpoint' property must be set in job.")
    if not isinstance(endpoint, str):
        raise UserError('The "endpoint" property must be specified in request as a string.')
    return endpoint


def _read_id(job: Section) -> str:
    definition = json_text(as_json(job.raw)).encode()
    return job.text("id") or hashlib.md5(definition, usedforsecurity=False).hexdigest()


def _read_headers(raw: Any) -> dict[str, Any]:
    if raw is not None and not isinstance(raw, (dict, list)):
        raise UserError('The "headers" property must be an array.')
    return as_map(raw)


def _read_field(job: Section) -> DataField:
    if not job.has("dataField") or not isinstance(job.get("dataField"), (dict, list)):
        return DataField(job.text("dataField"))
    field = job.within("dataField")
    if not field.has("path"):
        raise UserError("'dataField.path' must be set!")
    return DataField(field.text("path"), field.text("delimiter", "."))


def _read_children(raw: Any, path: str, compat_level: int, warn: Warn) -> tuple[Job, ...]:
    children = read_map(raw, "The 'children' property must an array of jobs.")
    return read_jobs(children, f"{path}.children", compat_level, warn)


def _read_placeholders(raw: Any, path: str) -> dict[str, Any]:
    if not is_empty(raw) and not isinstance(raw, dict):
        raise invalid("Expected an object of names and paths", f"{path}.placeholders")
    return as_map(raw)


def read_upserts(jobs: Iterable[Job], mapped: Collection[str]) -> dict[str, Upsert]:
    """Returns the settings of all jobs that have one; raises UserError if jobs that share a table differ."""
    upserts: dict[str, Upsert] = {}
    for job in jobs:
        upsert = Upsert(job.primary_key, job.incremental)
        if upsert == Upsert():
            continue
        if job.primary_key and job.data_type in mapped:
            raise invalid(
                f"The columns of '{job.data_type}' are mapped", f"{job.path}.primaryKey", "Set `primaryKey` there."
            )
        if upserts.setdefault(job.data_type, upsert) != upsert:
            raise invalid(
                f"Another job of the data type '{job.data_type}' has another `primaryKey` or `incremental`",
                job.path,
                "Jobs that share a table need the same, or a `dataType` each.",
            )
    return upserts
