"""From an answer to a page: what it says, and the records in it, found and filtered."""

from __future__ import annotations

from typing import Any

from penstock.extractor.client import Client
from penstock.extractor.config.jobs import Job
from penstock.extractor.contents import Content, Contents
from penstock.extractor.http import Page, Request
from penstock.extractor.log import Log
from penstock.extractor.records.columns import Column
from penstock.extractor.records.find import find_records, nothing_found
from penstock.extractor.records.typed import Typed
from penstock.foundation import clock


class Reader:
    """Fetches the pages of one job run and finds their records."""

    def __init__(self, client: Client, ignored: frozenset[int], job: Job, log: Log, typed: Typed | None = None) -> None:
        """`typed` reads what it can, if nobody needs more of a page than its columns."""
        self._client, self._ignored, self._job, self._log, self._typed = client, ignored, job, log, typed
        self._contents = Contents(job, ignored, log)

    async def fetch(self, request: Request) -> Page:
        asked = clock.now().timestamp()
        answer = await self._client.fetch(request)
        times = {"asked": asked, "received": clock.now().timestamp()}
        if self._typed and answer.status not in self._ignored and (rows := self._typed.read(answer.body)) is not None:
            return Page(rows, answer.body, None, answer.headers, **times)
        content = self._contents.read(answer)
        records = self._records(content)
        if self._typed and records and not self._typed.is_given_up:
            self._typed.learn(content.document, Column(records))
        return Page(records, content.text, content.document, answer.headers, **times)

    def _records(self, content: Content) -> list[Any]:
        field, endpoint = self._job.field, self._job.endpoint
        found = find_records(content.document, field, endpoint) if content.text else nothing_found(field)
        if found.warning:
            self._log.warning(found.warning)
        return self._job.filter.apply(found.records)
