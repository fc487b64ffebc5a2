"""Sends requests within the budget, built and sent like those of a run, and walks the first pages of a draft."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from penstock.extractor.base.charset import readable_body
from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.functions import evaluate, flat
from penstock.extractor.base.http import FAILED, Message, Request
from penstock.extractor.base.log import Log
from penstock.extractor.base.received import excerpt
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.records.find import DataField, find_records
from penstock.extractor.records.page import Page
from penstock.extractor.requests.client import Client, with_short_waits
from penstock.extractor.requests.pagination.method import Step, Stop
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.tools.discovery.budget import CountingGate
from penstock.extractor.tools.discovery.draft import Draft
from penstock.foundation import clock
from penstock.foundation.outbound import Response

MAX_RETRIES = 1
NO_FOLDER = Path("cache")
"""Where a run caches responses; drafts do not enable the cache."""


class Sample(msgspec.Struct, frozen=True):
    """One response."""

    message: Message
    response: Response
    body: bytes
    document: Any
    records: list[Any]
    problem: str = ""
    """Why the response cannot be used."""

    @property
    def address(self) -> str:
        """Returns the address without the host, which is the same for all."""
        return _address(self.message)


class Walked(msgspec.Struct, frozen=True):
    """The first pages of a draft, and the step after them."""

    pages: list[Sample]
    following: Step | Stop


class Probe:
    """One for a whole discovery: a request that was sent before is not sent again."""

    def __init__(self, gate: CountingGate, draft: Draft, log: Log) -> None:
        self._log, self._cache = log, dict[tuple[str, str, bytes | None], Response]()
        config = _read(draft)
        self._builder = config.sending.builder
        sending = with_short_waits(config.sending)
        retry = msgspec.structs.replace(sending.retry, most=MAX_RETRIES)
        self._client = Client(gate, log, msgspec.structs.replace(sending, retry=retry), RateLimiter(None))

    async def walk(self, draft: Draft, most: int) -> Walked:
        """Raises UserError if the draft cannot be read or the API cannot be reached; BudgetSpent."""
        config, pages = _read(draft), list[Sample]()
        job, method = config.jobs[0], config.pagination.method_for(None)
        request = job.request(_params(config, job.params), job.endpoint)
        step: Step | Stop = method.first(request)
        while isinstance(step, Step) and len(pages) < most:
            sample = await self.ask(step.request, job.field)
            pages.append(sample)
            step = Stop() if sample.problem else method.after(request, step.position, _page(sample))
        return Walked(pages, step)

    async def ask(self, request: Request, field: DataField) -> Sample:
        message = self._builder.build(request)
        key = (message.method, message.url, message.body)
        if key not in self._cache:
            self._cache[key] = await self._client.send(message)
        return self._sample(message, self._cache[key], field)

    def _sample(self, message: Message, response: Response, field: DataField) -> Sample:
        body = readable_body(response)
        address = _address(message)
        if response.status >= FAILED:
            start = excerpt(body, self._log.redactor)
            return Sample(message, response, body, None, [], f"{address} returned status {response.status}: {start}")
        try:
            document = decode(body).document
        except NotJson as error:
            return Sample(message, response, body, None, [], f"{address} returned no valid JSON: {error}")
        is_found = isinstance(document, (dict, list)) and field.path not in ("", "0")
        records = find_records(document, field, "").records if is_found else []
        return Sample(message, response, body, document, records)


def _address(message: Message) -> str:
    parts = urlsplit(message.url)
    return f"{message.method} {parts.path}{'?' + unquote(parts.query) if parts.query else ''}"


def _read(draft: Draft) -> Config:
    return read_configs(draft.document(), NO_FOLDER, lambda _warning: None)[0]


def _params(config: Config, params: dict[str, Any]) -> dict[str, Any]:
    now = int(clock.now().timestamp())
    contexts = {**config.contexts, "time": flat({"previousStart": 0, "currentStart": now})}
    return {key: evaluate(value, contexts) for key, value in params.items()}


def _page(sample: Sample) -> Page:
    now = clock.now().timestamp()
    return Page(sample.records, sample.body, sample.document, sample.response.headers, asked=now, received=now)
