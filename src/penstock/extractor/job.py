"""Runs one job: its pages, one after another, their records, and its child jobs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError, WrongParam, invalid
from penstock.extractor.base.functions import Contexts, evaluate, fixed
from penstock.extractor.base.http import Request
from penstock.extractor.base.log import Log
from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import as_json
from penstock.extractor.config.children.placeholders import Parents, descend
from penstock.extractor.config.children.recursion_filter import hold
from penstock.extractor.config.effective import Config
from penstock.extractor.config.jobs import Job, all_jobs
from penstock.extractor.records.fast import FastReader, FastReaders
from penstock.extractor.records.page import Page
from penstock.extractor.requests.journal.entry import pack, page_key
from penstock.extractor.requests.pagination.method import Method, Step
from penstock.extractor.requests.pagination.walk import Repeated, Walk, WalkOptions
from penstock.extractor.requests.parallel import JobLimit, one_by_one, side_by_side
from penstock.extractor.responses.contents import Reading
from penstock.extractor.responses.pages import JobRun, Reader, Responses
from penstock.extractor.responses.tally import JobTally, Tally, innermost
from penstock.extractor.results import Batch, Bucket, Counted, Source
from penstock.extractor.results.proof.run_signs import MAX_RUNS, RunSigns
from penstock.foundation import clock

NO_PARENTS = Parents()
Batches = AsyncGenerator[Batch]


class Run(msgspec.Struct, frozen=True):
    """What the jobs of one effective configuration share."""

    config: Config
    responses: Responses
    bucket: Bucket
    contexts: Contexts
    log: Log
    tally: Tally
    job_limit: JobLimit
    """Of child jobs that run concurrently."""
    key: str = ""
    """Which iteration it is."""
    fast: FastReaders = msgspec.field(default_factory=FastReaders)
    warned: set[str] = msgspec.field(default_factory=set[str])
    """Warnings about the configuration, each of which is logged once."""

    @property
    def concurrency(self) -> int:
        """Returns how many requests may run concurrently."""
        return self.responses.client.limiter.limit

    def tally_of(self, job: Job) -> JobTally:
        return self.tally.of(f"{job.path}{self.key}", job.endpoint, job.expected_count, job.field.path)

    def warn_once(self, warning: str) -> None:
        if warning not in self.warned:
            self.warned.add(warning)
            self.log.warning(warning)

    def get_start(self, key: str) -> float:
        """Returns when a run of a job began: now, unless an interrupted attempt has begun it."""
        stored = self.responses.journal.peek(page_key(key, 0))
        return stored.entry.moment if stored else clock.now().timestamp()


def run_jobs(run: Run) -> Batches:
    """Runs all jobs of a configuration, one after another."""
    for job in all_jobs(run.config.jobs):
        run.tally_of(job)  # also those that will never run: the report lists them
    jobs = enumerate(run.config.jobs)
    return one_by_one(_JobRun(run, job, f"{number}{run.key}").batches() for number, job in jobs)


class _JobRun:
    """One run of one job: the only one for a job at the root; one per record of the parent for a child job."""

    def __init__(self, run: Run, job: Job, key: str, parents: Parents = NO_PARENTS) -> None:
        self._run, self._job, self._key, self._parents = run, job, key, parents
        self._time = run.get_start(key)
        self._tally = run.tally_of(job)
        self._signs: RunSigns | None = None

    async def batches(self) -> Batches:
        """Yields the pages of this job and of its child jobs, in the order in which they are written."""
        try:
            async with aclosing(self._pages()) as batches:
                async for batch in batches:
                    yield batch
                    del batch  # releases the page before the next one is awaited
        except WrongParam as error:
            raise invalid(str(error), f"{self._job.path}.params.{error.name}") from error
        except Repeated:
            self._end("The response is the same as the one before.", is_repeated=True)
            self._run.log.debug(f"Job '{self._job.id}' finished when last response matched the previous!")
        except RecursionError as error:
            raise UserError(
                f"The records of '{self._job.endpoint}' are nested too deeply to be made into tables."
            ) from error

    async def _pages(self) -> Batches:
        run, job = self._run, self._job
        with fixed(self._time):
            request, extra = self._request(), _extra(run, job, self._parents)
        source = Source(job.data_type, job.endpoint, job.field, job.filter, Reading(job.format, run.responses.ignored))
        method = run.config.pagination.method_for(job.scroller)
        job_run = JobRun(self._key, self._time, pack(extra), request.endpoint)
        reader = Reader(run.responses, job, job_run, self._fast_reader(method), self._tally)
        walk = Walk(method, request, reader, WalkOptions(lambda: run.concurrency, is_alone=not job.children))
        self._tally.begin()
        if self._tally.runs <= MAX_RUNS:
            self._signs = RunSigns(method, request, job.field, has_claim=bool(job.expected_count))
        number = 0
        async with aclosing(aiter(walk)) as steps:
            async for step, page in steps:
                if self._signs is not None:
                    self._signs.add(page, innermost(step.position))
                counted: Counted | None = self._counted(step, page)
                first = 0
                for part in reader.parts(page):
                    yield Batch(source, part, extra, self._tally, counted, number + 1, first, request.endpoint)
                    counted = None
                    first += len(part.records)
                    del part
                if job.children:
                    async with aclosing(self._below(page, number)) as batches:
                        async for batch in batches:
                            yield batch
                            del batch
                number += 1
                del page
        self._end(walk.reason)
        if walk.reason:
            is_only = len(all_jobs(run.config.jobs)) == 1
            run.log.info(walk.reason, **({} if is_only else {"endpoint": request.endpoint}))

    def _end(self, reason: str, *, is_repeated: bool = False) -> None:
        self._tally.end(reason)
        signs = self._signs
        if signs is None:
            return
        sentence = signs.repetition() if is_repeated else signs.early_end(reason)
        self._tally.end_early(sentence)
        self._tally.look(signs.pages, signs.lost, signs.arrays)
        if signs.missing_path and not sentence and not self._parents.records:
            self._run.log.info(f"The job '{self._job.endpoint}' has one page: {signs.missing_path}")

    def _counted(self, step: Step, page: Page) -> Counted:
        claim, items = self._job.expected_count, self._run.bucket.items(self._job.data_type, page.records)
        self._tally.receive(items)
        return partial(
            self._tally.page,
            items=items,
            position=step.position,
            expected=look_up(claim, page.document) if claim else None,
            is_verified=page.is_verified,
            empty=page.empty,
            run=self._key,
        )

    def _request(self) -> Request:
        params = {key: evaluate(value, self._run.contexts) for key, value in self._job.params.items()}
        return self._job.request(params, self._parents.fill(self._job.endpoint))

    def _below(self, page: Page, number: int) -> Batches:
        """Runs the child jobs of a page; concurrently where that is allowed."""
        runs, limiter = self._children(page, number), self._run.responses.client.limiter
        return one_by_one(runs) if limiter.is_single else side_by_side(runs, self._run.job_limit)

    def _children(self, page: Page, number: int) -> Iterator[Batches]:
        """Runs of child jobs: one per record, and per combination of placeholder values that are lists."""
        for which, child in enumerate(self._job.children):
            if not child.placeholders:
                self._run.warn_once(f"No 'placeholders' set for '{child.endpoint}'")
            where = f"{child.path}.placeholders"
            for index, record in enumerate(page.records):
                if child.conditions is not None and not hold(child.conditions, record):
                    continue
                with fixed(self._time):
                    combinations = list(descend(self._parents, record, child.placeholders, where))
                for turn, below in enumerate(combinations):
                    yield _JobRun(self._run, child, f"{self._key}/{number}.{which}.{index}.{turn}", below).batches()

    def _fast_reader(self, method: Method) -> FastReader | None:
        """Returns a reader for a job whose records go to their table as they are, and that needs nothing else of a
        response."""
        run, job = self._run, self._job
        needs_more = method.reads_response or job.children or job.expected_count or job.filter.paths
        if needs_more or job.format.name != "json" or not run.bucket.flattens(job.data_type):
            return None
        return run.fast.reader_for(job.path, job.field)


def _extra(run: Run, job: Job, parents: Parents) -> dict[str, Any]:
    """Returns the user data, then the placeholder values of parent records; `config.userData` applies to root jobs
    only."""
    inherited = {} if parents.records else run.config.user_data
    user_data = {key: evaluate(value, run.contexts) for key, value in {**inherited, **job.user_data}.items()}
    return {key: _extra_value(run, key, value) for key, value in {**user_data, **parents.columns}.items()}


def _extra_value(run: Run, key: str, value: Any) -> Any:
    value = as_json(value)
    if isinstance(value, list):
        raise UserError(f"The userData '{key}' is an array, which no cell can hold. Use a text or a number.")
    if isinstance(value, dict):
        run.log.error(f"Data parse error in '{key}' - unexpected 'object' where 'string' was expected!")
    return cast(Any, value)
