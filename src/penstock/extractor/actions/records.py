"""The records that the run would find in an answer; where it would find none, a sentence that says so."""

from __future__ import annotations

from typing import Any

from penstock.extractor.config.jobs import Job
from penstock.extractor.contents import Contents
from penstock.extractor.decode import NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.records.find import find_records, nothing_found
from penstock.extractor.records.path import NotFound, get
from penstock.foundation.outbound import Answer


def data_of(answer: Answer) -> Any:
    """JSON, or else text."""
    try:
        return decode(answer.body).document
    except NotJson:
        return answer.body.decode("utf-8", "replace")


def find(answer: Answer, job: Job, ignored: frozenset[int], log: Log) -> list[Any]:
    """Raises UserError when a run would fail here, or would find nothing because it looks in the wrong place."""
    content = Contents(job, ignored, log).read(answer)
    if not content.text:
        log.warning(nothing_found(job.field).warning or "")
        return []
    document = content.document
    _check_path(document, job)
    found = find_records(document, job.field, job.endpoint)
    if found.warning and found.warning.startswith("No data array"):
        raise UserError(f"{found.warning} Set the job's `dataField` to the path of the records, `.` for all of it.")
    if found.warning:
        log.warning(found.warning)
    return job.filter.apply(found.records)


def _check_path(document: Any, job: Job) -> None:
    path = job.field.path
    if path in ("", "0"):
        return
    try:
        get(path, document, job.field.delimiter)
    except NotFound:
        raise UserError(f"Path {path} not found in the response data") from None
