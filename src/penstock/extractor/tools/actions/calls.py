"""Sends the requests of the selected jobs like a run: the first page of each, of the last job also the second if it is
wanted, and for few rows.

Every response is returned, because it is to be shown: an error response, or one without records, is logged and does not
raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec

from penstock.extractor.base.charset import readable_body
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message, Request
from penstock.extractor.base.log import Log
from penstock.extractor.config.children.placeholders import Parents, descend
from penstock.extractor.config.children.recursion_filter import hold
from penstock.extractor.config.effective import Config
from penstock.extractor.config.jobs import Job
from penstock.extractor.records.page import Page
from penstock.extractor.requests.client import Client, with_short_waits
from penstock.extractor.requests.pagination.method import Step, Stop
from penstock.extractor.requests.sending.failures import failed_request
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.requests.sending.tunnel import open_gate, read_tunnel
from penstock.extractor.tools.actions.action_request import ActionRequest
from penstock.extractor.tools.actions.evaluation import build_contexts, evaluated
from penstock.extractor.tools.actions.records import find, read_data
from penstock.extractor.tools.actions.selected import read_selected
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, Response

MAX_ROWS = 20
"""The most rows of each level, and the most requests of each level."""


class Exchange(msgspec.Struct, frozen=True):
    sent: Message
    """As it was sent, signed."""
    response: Response


class Following(msgspec.Struct, frozen=True):
    """The page after the one that was read; without an exchange, the reason why none was asked for."""

    exchange: Exchange | None = None
    records: list[Any] = []
    problem: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """The result of the selected job."""

    config: Config
    jobs: list[Job]
    exchange: Exchange
    """The last one."""
    records: list[Any]
    failure: UserError | None
    """The error that would have failed a run."""
    problem: str
    """Why the last response has no records."""
    page: list[Any]
    """All records of the last response."""
    following: Following | None = None
    """Only if it was wanted."""


class _Walk(msgspec.Struct, frozen=True):
    """Where the last page is among the pages of its job."""

    job: Job
    request: Request
    step: Step


class RecordingGate(Gate):
    """A gate that records the last message that was sent."""

    sent: Message

    async def send(self, method: str, url: str, **options: Any) -> Response:
        self.sent = Message(method, url, dict(options["headers"]), options["body"])
        return await super().send(method, url, **options)


async def call_selected(
    request: ActionRequest, *, kind: Callable[..., RecordingGate] = RecordingGate, with_following: bool = False
) -> Outcome:
    """`kind` makes the gate. With the following page it is a first run, as the tables beside it are."""
    config, jobs = read_selected(request)
    tunnel = read_tunnel(request.parameters.get("sshProxy"), request.log)
    async with open_gate(kind, config.tls, tunnel) as gate:
        calls = _Calls(gate, config, request.log, is_first_run=with_following)
        records = await calls.run(jobs)
        outcome = Outcome(config, jobs, calls.last, records, calls.failure, calls.problem, calls.page)
        if with_following and not outcome.failure:
            outcome = msgspec.structs.replace(outcome, following=await calls.read_following())
    return outcome


class _Calls:
    last: Exchange
    page: list[Any]
    """The records of the last response."""
    _walk: _Walk

    def __init__(self, gate: RecordingGate, config: Config, log: Log, *, is_first_run: bool) -> None:
        self._gate, self._config, self._log = gate, config, log
        self._client = Client(gate, log, with_short_waits(config.sending), RateLimiter(config.rate_limit))
        self._contexts = build_contexts(config.contexts, is_first_run=is_first_run)
        self.failure: UserError | None = None
        self.problem = ""

    async def run(self, jobs: list[Job]) -> list[Any]:
        """Returns the records of the last job."""
        values: list[Any] = [Parents()]
        for job, child in zip(jobs, [*jobs[1:], None], strict=True):
            values = await self._run_level(job, values, child)
        return values

    async def _run_level(self, job: Job, above: list[Parents], child: Job | None) -> list[Any]:
        """Returns the parents for the runs of the child job; without a child job, the records."""
        values: list[Any] = []
        for parents in above:
            records = await self._call(job, parents)
            values += self._descend(child, parents, records) if child else records
            if self.failure or len(values) >= MAX_ROWS:
                break
        return [] if self.failure else values[:MAX_ROWS]

    def _descend(self, child: Job, parents: Parents, records: list[Any]) -> list[Parents]:
        if not child.placeholders:
            self._log.warning(f"No 'placeholders' set for '{child.endpoint}'")
        return list(islice(_descents(child, parents, records), MAX_ROWS))

    async def _call(self, job: Job, parents: Parents) -> list[Any]:
        params = {key: evaluated(value, self._contexts) for key, value in job.params.items()}
        request = job.request(params, parents.fill(job.endpoint))
        first = self._config.pagination.method_for(job.scroller).first(request)
        self._walk = _Walk(job, request, first)
        self.page = await self._send(first.request, job)
        return self.page

    async def read_following(self) -> Following:
        """Returns the page after the last one."""
        walk, last = self._walk, self.last
        method = self._config.pagination.method_for(walk.job.scroller)
        step = method.after(walk.request, walk.step.position, _page(last.response, self.page))
        if isinstance(step, Stop):
            return Following(problem=step.reason)
        records = await self._send(step.request, walk.job)
        return Following(self.last, records, str(self.failure or self.problem))

    async def _send(self, request: Request, job: Job) -> list[Any]:
        message = self._config.sending.builder.build(request)
        response = await self._client.send(message)
        self.last = Exchange(self._gate.sent, response)
        return self._read(message, response, job)

    def _read(self, message: Message, response: Response, job: Job) -> list[Any]:
        if response.status >= 400 and response.status not in self._config.sending.ignored:
            withheld = self._config.sending.withheld_from(response.url, message, self._log.redactor)
            self.failure = failed_request(message.method, response, self._log.redactor, withheld)
            self._log.warning(str(self.failure))
            return []
        try:
            self.problem = ""
            return find(message, response, job, self._config, self._log)
        except UserError as error:
            self.problem = str(error)
            self._log.warning(self.problem)
            return []


def _page(response: Response, records: list[Any]) -> Page:
    now = clock.now().timestamp()
    return Page(records, readable_body(response), read_data(response), response.headers, asked=now, received=now)


def _descents(child: Job, parents: Parents, records: list[Any]) -> Iterator[Parents]:
    for record in records:
        if child.conditions is None or hold(child.conditions, record):
            yield from descend(parents, record, child.placeholders, f"{child.path}.placeholders")
