"""From a request to a page: its response, got from the API or from an earlier attempt, and the records in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

from penstock.extractor.charset import content_type
from penstock.extractor.client import Client
from penstock.extractor.config.empty_response import EmptyResponse
from penstock.extractor.config.jobs import Job
from penstock.extractor.contents import Content, Contents
from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.journal import Entry, Journal, JournalEntry
from penstock.extractor.journal.entry import end_of, key_of
from penstock.extractor.large.pages import LargePages
from penstock.extractor.large.spill import Spill
from penstock.extractor.log import Log
from penstock.extractor.received import Received
from penstock.extractor.records.fast import FastReader, read_page
from penstock.extractor.records.find import find_records
from penstock.extractor.sending.attempt import FetchAttempt
from penstock.foundation import clock
from penstock.foundation.durable import sync_path
from penstock.foundation.outbound import Response

START = 1 << 12
"""How many bytes of a large body messages are made from."""


class JobRun(msgspec.Struct, frozen=True):
    """Which run of a job pages belong to."""

    key: str
    moment: float
    """When it began."""
    extra: bytes = b""
    """The columns that all its records get, packed."""
    endpoint: str = ""
    """The job's, with its placeholders filled."""


class Responses(msgspec.Struct, frozen=True):
    """Where answers come from: the API, unless an earlier attempt has them already."""

    client: Client
    journal: Journal
    ignored: frozenset[int]
    log: Log
    empty_response: EmptyResponse | None = None
    """What becomes of a response without a body, where the job does not say."""


class _Stored(msgspec.Struct, frozen=True):
    """A response in UTF-8, and where its body is to stay, as JSON, if it is large."""

    response: Response
    file: str = ""
    size: int = 0
    dropped: int = 0


class Reader:
    """The pages of one run of a job."""

    def __init__(self, responses: Responses, job: Job, run: JobRun, fast: FastReader | None = None) -> None:
        """`fast` is for jobs that need no more of a page than its records."""
        self._responses, self._job, self._run, self._fast = responses, job, run, fast
        self._contents = Contents(job, responses.ignored, responses.log, run.endpoint, responses.empty_response)
        self._asked: dict[int, Request] = {}
        """What was asked for, by the number of the page, until the page is read."""
        self._large = LargePages(responses.journal.folder, self._contents, job.field, job.filter)

    def has(self, number: int) -> bool:
        return self._responses.journal.peek(self._key(number)) is not None

    def end(self, number: int, reason: str) -> None:
        """The run has no page after this one: whoever goes on must not find another end because time has passed."""
        key = end_of(self._run.key)
        if self._responses.journal.peek(key) is None:
            now = clock.now().timestamp()
            entry = Entry(key, b"", 0, reason, [], moment=self._run.moment, asked=now, received=now, last=number)
            self._responses.journal.append(entry, b"")

    def ended(self, number: int) -> str | None:
        """Why an earlier attempt had no page after this one; None if it had, or did not come so far."""
        kept = self._responses.journal.peek(end_of(self._run.key))
        return kept.entry.reason if kept and kept.entry.last == number else None

    async def ask(self, number: int, request: Request) -> JournalEntry:
        """The response, which is in the journal when this returns."""
        self._asked[number] = request
        key, mark = self._key(number), _digest(request)
        kept = self._responses.journal.take(key)
        if kept is None:
            return await self._fetch(number, mark, request)
        if kept.entry.request != mark:
            raise UserError(
                f"The interrupted run cannot go on: it asked '{self._job.endpoint}' for something else than this one. "
                "Start over with `--fresh`."
            )
        return kept

    def read(self, kept: JournalEntry) -> Page:
        self._contents.received = received = self._received(kept)
        self._contents.tell([], kept.entry.dropped)
        page = self._large.read(kept) if kept.entry.file else self._read_small(kept)
        # Releases the body, which must not be in memory while the next one is received.
        self._contents.received = msgspec.structs.replace(received, body=bytes)
        return _with_facts(page, kept.entry)

    def parts(self, page: Page) -> Iterator[Page]:
        """The page itself; a large one in pieces that fit into memory."""
        return self._large.parts(page)

    async def _fetch(self, number: int, mark: bytes, request: Request) -> JournalEntry:
        journal, asked, key = self._responses.journal, clock.now().timestamp(), self._key(number)
        attempt = FetchAttempt(Spill(journal.place_for(key)), self._responses.ignored)
        stored = await self._settle(attempt, await self._responses.client.fetch(request, attempt), number + 1)
        response = stored.response
        entry = Entry(
            key=key,
            request=mark,
            status=response.status,
            reason=response.reason.encode("utf-8", "replace").decode(),
            headers=[(_bytes(name), _bytes(value)) for name, value in response.headers.items()],
            moment=self._run.moment,
            asked=asked,
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
        if self._contents.reading.ignores(response.status):  # it may be anything, and is one record then
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

    def _read_small(self, kept: JournalEntry) -> Page:
        general = partial(self._read_generally, kept)
        is_ignored = kept.entry.status in self._responses.ignored
        page = general() if is_ignored else read_page(self._fast, kept.body, general)
        return msgspec.structs.replace(page, headers=kept.response.headers, at=kept.at)

    def _read_generally(self, kept: JournalEntry) -> Page:
        content = self._contents.read(kept.response)
        records = self._records(content) if content.text else []
        return Page(records, content.text, content.document, empty=content.empty)

    def _records(self, content: Content) -> list[Any]:
        found = find_records(content.document, self._job.field, self._contents.endpoint)
        if found.warning:
            self._contents.tell([found.warning], 0)
        return self._job.filter.apply(found.records)

    def _received(self, kept: JournalEntry) -> Received:
        number, client = kept.entry.number, self._responses.client
        request = self._asked.pop(number, Request(self._contents.endpoint))
        message = partial(client.message_for, request)
        return Received(number + 1, kept.entry.status, message, lambda: self._start(kept))

    def _start(self, kept: JournalEntry) -> bytes:
        """The body, or the beginning of one that is in a file."""
        if not kept.entry.file:
            return kept.body
        with (self._responses.journal.folder / kept.entry.file).open("rb") as file:
            return file.read(START)

    def _key(self, number: int) -> str:
        return key_of(self._run.key, number)


def _with_facts(page: Page, entry: Entry) -> Page:
    return msgspec.structs.replace(
        page,
        asked=entry.asked,
        received=entry.received,
        requests=entry.requests,
        retries=entry.retries,
        is_verified=entry.is_verified,
    )


def _digest(request: Request) -> bytes:
    return hashlib.blake2b(repr(request).encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _bytes(text: str) -> bytes:
    """As they were sent: a header may hold bytes that are no text, and the next request may be made of them."""
    return text.encode("utf-8", "surrogateescape")
