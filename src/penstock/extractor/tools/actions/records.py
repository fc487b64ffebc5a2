"""Finds the records of a response like a run, or raises an error that explains why there are none."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.charset import readable_body
from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.base.log import Log
from penstock.extractor.base.path import NotFound, get
from penstock.extractor.base.received import Received
from penstock.extractor.config.effective import Config
from penstock.extractor.config.jobs import Job
from penstock.extractor.records.find import find_records
from penstock.extractor.responses.contents import Contents
from penstock.foundation.outbound import Response


def read_data(response: Response) -> Any:
    """Returns JSON, or else text, without zero bytes, which UTF-16 that is not declared has between its letters."""
    body = readable_body(response)
    try:
        return decode(body).document
    except NotJson:
        return body.replace(b"\0", b"").decode("utf-8", "replace")


def find(message: Message, response: Response, job: Job, config: Config, log: Log) -> list[Any]:
    """Raises UserError if a run would fail, or would find nothing because `dataField` is wrong."""
    contents = Contents(job, config.sending.ignored, log, empty_response=config.empty_response)
    contents.received = Received(1, response.status, lambda: message, lambda: response.body)
    converted, dropped = contents.in_utf8(response)
    contents.warn([], dropped)
    content = contents.read(converted)
    if not content.text:
        return []
    document = content.document
    _check_path(document, job)
    located = find_records(document, job.field, job.endpoint)
    if located.warning and located.warning.startswith("No data array"):
        raise UserError(f"{located.warning} Set the job's `dataField` to the path of the records, `.` for all of it.")
    if located.warning:
        log.warning(located.warning)
    return job.filter.apply(located.records)


def _check_path(document: Any, job: Job) -> None:
    path = job.field.path
    if path in ("", "0"):
        return
    try:
        get(path, document, job.field.delimiter)
    except NotFound:
        raise UserError(f"Path {path} not found in the response data") from None
