"""One endpoint: its pages, one after another, and their records."""

from __future__ import annotations

import msgspec

from penstock.extractor.client import Client
from penstock.extractor.config import Config, Job
from penstock.extractor.decode import Decoded, NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.log import Log
from penstock.extractor.pagination.walk import Repeated, read_pages
from penstock.extractor.records.find import Found, find_records, nothing_found
from penstock.extractor.results import Results
from penstock.extractor.spool import Source
from penstock.extractor.url import page_url

SHOWN_BYTES = 200


class Run(msgspec.Struct):
    """What the jobs of a run share."""

    config: Config
    client: Client
    results: Results
    log: Log
    pages: int = 0


async def run_job(run: Run, job: Job) -> None:
    source, method = Source(job.table, job.endpoint, job.field), run.config.method
    reader = Reader(run, job)
    try:
        async for _step, page in read_pages(method, job.request, reader.fetch):
            run.results.add(source, page)
            run.pages += 1
            run.log.progress(run.pages, run.results.rows)
    except Repeated:
        run.log.debug(f"Job '{job.id or job.endpoint}' finished when last response matched the previous!")
    else:
        if method.stopped:
            run.log.info(method.stopped)


class Reader:
    """Fetches the pages of one job and finds their records."""

    def __init__(self, run: Run, job: Job) -> None:
        self._run, self._job, self._number = run, job, 0

    async def fetch(self, request: Request) -> Page:
        self._number += 1
        body = await self._run.client.get(page_url(self._run.config.api.base_url, request))
        found = self._find(body)
        if found.warning:
            self._run.log.warning(found.warning)
        return Page(found.records, body)

    def _find(self, body: bytes) -> Found:
        if not body or body.isspace():
            return nothing_found(self._job.field)
        return find_records(self._decode(body), self._job.field, self._job.endpoint)

    def _decode(self, body: bytes) -> object:
        try:
            decoded = decode(body)
        except NotJson as error:
            raise UserError(self._complaint(error, body)) from error
        self._tell_dropped(decoded)
        return decoded.document

    def _tell_dropped(self, decoded: Decoded) -> None:
        if decoded.dropped:
            where = f"page {self._number} of '{self._job.endpoint}'"
            self._run.log.warning(f"Left out {decoded.dropped} bytes or escapes that are no Unicode text, on {where}.")

    def _complaint(self, error: NotJson, body: bytes) -> str:
        start = " ".join(body[:SHOWN_BYTES].decode("utf-8", "replace").split())
        is_html = body.lstrip()[:1] == b"<"
        mend = (
            " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login." if is_html else ""
        )
        return (
            f"Invalid JSON response from API: JSON decode error: {error} at byte {error.at} of page {self._number} of "
            f"'{self._job.endpoint}'.{mend} The response starts with: {start}"
        )
