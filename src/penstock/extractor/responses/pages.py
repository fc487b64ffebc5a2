"""From a request to a page: fetches the response, or takes it from the journal, and finds the records in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import msgspec

from penstock.extractor.base.charset import content_type
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import FAILED, Request
from penstock.extractor.base.log import Log
from penstock.extractor.base.received import Received
from penstock.extractor.config.jobs import Job
from penstock.extractor.config.policies import EmptyResponse
from penstock.extractor.records.fast import FastReader, read_page
from penstock.extractor.records.find import find_records
from penstock.extractor.records.page import Page
from penstock.extractor.requests.client import Client
from penstock.extractor.requests.journal import Entry, Journal, JournalEntry
from penstock.extractor.requests.journal.entry import end_key, page_key
from penstock.extractor.requests.sending.attempt import FetchAttempt
from penstock.extractor.requests.sending.spill import Spill
from penstock.extractor.responses.contents import Content, Contents
from penstock.extractor.responses.tally import JobTally
from penstock.foundation import clock
from penstock.foundation.files.durable import sync_path
from penstock.foundation.outbound import Response

if TYPE_CHECKING:
    from penstock.extractor.responses.large.pages import LargePages

START = 1 << 12
"""How many bytes of a large body are read for messages."""


class JobRun(msgspec.Struct, frozen=True):
    """The run of a job that pages belong to."""

    key: str
    moment: float
    """When it began."""
    extra: bytes = b""
    """The extra columns of all its records, packed."""
    endpoint: str = ""
    """That of the job, with its placeholders filled."""


class Responses(msgspec.Struct, frozen=True):
    """Where responses come from: the journal if an interrupted attempt has received them, otherwise the API."""

    client: Client
    journal: Journal
    ignored: frozenset[int]
    log: Log
    empty_response: EmptyResponse | None = None
    """What to do about a response without a body, for jobs that do not set it."""


class _Stored(msgspec.Struct, frozen=True):
    """A response in UTF-8, and the file of its body, as JSON, if it is large."""

    response: Response
    file: str = ""
    size: int = 0
    dropped: int = 0


class Reader:
    """The pages of one run of a job."""

    def __init__(
        self, responses: Responses, job: Job, run: JobRun, fast: FastReader | None = None, tally: JobTally | None = None
    ) -> None:
        """`fast` is for jobs that need no more of a page than its records; `tally` counts the requests."""
        self._responses, self._job, self._run, self._fast, self._tally = responses, job, run, fast, tally
        self._contents = Contents(job, responses.ignored, responses.log, run.endpoint, responses.empty_response)
        self._asked: dict[int, Request] = {}
        """Requests by the number of the page, until the page is read."""

    def has(self, number: int) -> bool:
        return self._responses.journal.peek(self._key(number)) is not None

    def end(self, number: int, reason: str) -> None:
        """Stores that this page is the last one, so that a resumed run does not end elsewhere because of the time."""
        key = end_key(self._run.key)
        if self._responses.journal.peek(key) is None:
            now = clock.now().timestamp()
            entry = Entry(key, b"", 0, reason, [], moment=self._run.moment, asked=now, received=now, last=number)
            self._responses.journal.append(entry, b"")

    def ended(self, number: int) -> str | None:
        """Returns why an interrupted attempt ended after this page; None if it did not."""
        stored = self._responses.journal.peek(end_key(self._run.key))
        return stored.entry.reason if stored and stored.entry.last == number else None

    async def ask(self, number: int, request: Request) -> JournalEntry:
        """Returns the response, which has been written to the journal when this returns."""
        self._asked[number] = request
        key, mark = self._key(number), _digest(request)
        stored = self._responses.journal.take(key)
        if stored is None:
            return await self._fetch(number, mark, request)
        if stored.entry.request != mark:
            raise UserError(
                f"The interrupted run cannot be resumed: its requests to '{self._job.endpoint}' differ from those of "
                "this run. Start over with `--fresh`."
            )
        if self._tally is not None:
            self._tally.resume(stored.entry.requests, stored.entry.retries)
        return stored

    def read(self, stored: JournalEntry) -> Page:
        self._contents.received = received = self._received(stored)
        self._contents.warn([], stored.entry.dropped)
        page = self._large.read(stored) if stored.entry.file else self._read_small(stored)
        # Releases the body, which must not be in memory while the next one is received.
        self._contents.received = msgspec.structs.replace(received, body=bytes)
        return _with_facts(page, stored.entry)

    def parts(self, page: Page) -> Iterator[Page]:
        """Yields the page itself; a large one in parts that fit into memory."""
        return self._large.parts(page) if page.reread else iter((page,))

    @cached_property
    def _large(self) -> LargePages:
        from penstock.extractor.responses.large.pages import LargePages  # only here: few runs have large pages

        return LargePages(self._responses.journal.folder, self._contents, self._job.field, self._job.filter)

    async def _fetch(self, number: int, mark: bytes, request: Request) -> JournalEntry:
        journal, sent, key = self._responses.journal, clock.now().timestamp(), self._key(number)
        attempt = FetchAttempt(Spill(journal.place_for(key)), self._responses.ignored, counts=self._tally)
        stored = await self._settle(attempt, await self._responses.client.fetch(request, attempt), number + 1)
        response = stored.response
        entry = Entry(
            key=key,
            request=mark,
            status=response.status,
            reason=response.reason.encode("utf-8", "replace").decode(),
            headers=[(_bytes(name), _bytes(value)) for name, value in response.headers.items()],
            moment=self._run.moment,
            asked=sent,
            received=clock.now().timestamp(),
            requests=attempt.requests,
            retries=attempt.retries,
            extra=self._run.extra,
            file=stored.file,
            size=stored.size,
            dropped=stored.dropped,
        )
        return journal.append(entry, response.body)

    async def _settle(self, attempt: FetchAttempt, response: Response, number: int) -> _Stored:
        if attempt.spill is None or (path := attempt.spill.path) is None:
            return self._in_utf8(response, number)
        if self._contents.reading.ignores(response.status):  # its body may be anything, and becomes one record
            return self._in_utf8(msgspec.structs.replace(response, body=self._large.take(path)), number)
        settled = self._large.settle(path, content_type(response), number)
        if settled.is_blank:
            return _Stored(response, dropped=settled.dropped)
        await asyncio.to_thread(sync_path, path)
        sync_path(path.parent)
        return _Stored(response, path.name, path.stat().st_size, settled.dropped)

    def _in_utf8(self, response: Response, number: int) -> _Stored:
        converted, dropped = self._contents.in_utf8(response, number)
        return _Stored(converted, dropped=dropped)

    def _read_small(self, stored: JournalEntry) -> Page:
        general = partial(self._read_generally, stored)
        is_ignored = stored.entry.status in self._responses.ignored
        page = general() if is_ignored else read_page(self._fast, stored.body, general)
        return msgspec.structs.replace(page, headers=stored.response.headers, at=stored.at)

    def _read_generally(self, stored: JournalEntry) -> Page:
        content = self._contents.read(stored.response)
        records = self._records(content) if content.text else []
        return Page(records, content.text, content.document, empty=content.empty)

    def _records(self, content: Content) -> list[Any]:
        located = find_records(content.document, self._job.field, self._contents.endpoint)
        if located.warning:
            self._contents.warn([located.warning], 0)
        return self._job.filter.apply(located.records)

    def _received(self, stored: JournalEntry) -> Received:
        number, client = stored.entry.number, self._responses.client
        request = self._asked.pop(number, Request(self._contents.endpoint))
        message = partial(client.message_for, request)
        return Received(number + 1, stored.entry.status, message, lambda: self._start(stored))

    def _start(self, stored: JournalEntry) -> bytes:
        """Returns the body, or the beginning of a body in a file."""
        if not stored.entry.file:
            return stored.body
        with (self._responses.journal.folder / stored.entry.file).open("rb") as file:
            return file.read(START)

    def _key(self, number: int) -> str:
        return page_key(self._run.key, number)


def _with_facts(page: Page, entry: Entry) -> Page:
    return msgspec.structs.replace(
        page,
        asked=entry.asked,
        received=entry.received,
        is_verified=entry.is_verified,
        is_error=entry.status >= FAILED,
    )


def _digest(request: Request) -> bytes:
    return hashlib.blake2b(repr(request).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _bytes(text: str) -> bytes:
    """Returns the bytes that were sent: a header may hold invalid UTF-8, and the next request may be built from it."""
    return text.encode("utf-8", "surrogateescape")
