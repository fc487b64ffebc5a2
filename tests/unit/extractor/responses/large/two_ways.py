"""One response read in both ways: in memory, and from a file with limits so tight that all its arrays are long."""

from __future__ import annotations

import io
from pathlib import Path
from typing import NamedTuple

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.config.effective import read_configs
from penstock.extractor.records.page import Page
from penstock.extractor.requests.client import Client
from penstock.extractor.requests.journal import Entry, Journal, JournalEntry
from penstock.extractor.requests.journal.entry import page_key
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.responses.contents import Contents
from penstock.extractor.responses.large import Limits
from penstock.extractor.responses.large.pages import LargePages
from penstock.extractor.responses.pages import JobRun, Reader, Responses
from penstock.foundation.outbound import Gate, Policy
from penstock.foundation.redaction import Redactor


class BothWays(NamedTuple):
    in_memory: Page
    from_file: Page


class TwoWays:
    """Reads the pages of one job."""

    def __init__(self, folder: Path, field: str) -> None:
        self.log = Log(io.StringIO(), Redactor())
        jobs = [{"endpoint": "rows", "dataField": field}]
        document = {"parameters": {"api": {"baseUrl": "http://localhost"}, "config": {"jobs": jobs}}}
        (self.config,) = read_configs(document, folder, self.log.warning)
        self._folder, self._job = folder, self.config.jobs[0]
        self._journal = Journal(folder)
        client = Client(Gate(Policy()), self.log, self.config.sending, RateLimiter(self.config.rate_limit))
        responses = Responses(client, self._journal, self.config.sending.ignored, self.log)
        self._reader = Reader(responses, self._job, JobRun("0", 0.0))

    def close(self) -> None:
        self._journal.close()

    def read(self, body: bytes, limits: Limits, name: str = "body", **headers: str) -> BothWays | None:
        """None for a body that is refused, which it must be in both ways. It goes to a file of this name."""
        (self._folder / name).write_bytes(body)
        in_memory = self._in_memory(_kept(body, "", headers))
        from_file = self._from_file(_kept(b"", name, headers), limits)
        if in_memory is None or from_file is None:
            assert in_memory is from_file
            return None
        return BothWays(in_memory, from_file)

    def _in_memory(self, kept: JournalEntry) -> Page | None:
        try:
            return self._reader.read(kept)
        except UserError:
            return None

    def _from_file(self, kept: JournalEntry, limits: Limits) -> Page | None:
        contents = Contents(self._job, self.config.sending.ignored, self.log)
        large = LargePages(self._folder, contents, self._job.field, self._job.filter, limits)
        try:
            page = large.read(kept)
            list(page.records)  # a mistake in a part is told when that part is read
        except UserError:
            return None
        return page


def _kept(body: bytes, file: str, headers: dict[str, str]) -> JournalEntry:
    facts = [(name.encode(), value.encode()) for name, value in headers.items()]
    entry = Entry(page_key("0", 0), b"", 200, "OK", facts, moment=0, asked=0, received=0, file=file)
    return JournalEntry(0, 0, entry, body)
