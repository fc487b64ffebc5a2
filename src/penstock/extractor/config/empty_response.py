"""`emptyResponse`: what to do about a response without a body where records were expected."""

from __future__ import annotations

from typing import Literal, cast, get_args

from penstock.extractor.base.formats import Format
from penstock.extractor.base.section import Section

EmptyResponse = Literal["ignore", "warning", "error"]
NAME = "emptyResponse"


def read_empty_response(section: Section) -> EmptyResponse | None:
    """The setting of a job, or of `config` for all jobs; None if it is not set. Raises UserError."""
    if not section.has(NAME):
        return None
    word = section.get(NAME)
    if word not in get_args(EmptyResponse):
        raise section.wrong(NAME, '"ignore", "warning" or "error"')
    return cast(EmptyResponse, word)


def usual(form: Format) -> EmptyResponse:
    """The default: newline-delimited JSON is complete even without a line."""
    return "ignore" if form.name == "ndjson" else "warning"
