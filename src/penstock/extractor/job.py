"""One endpoint: its pages, one after another, their records, and the jobs below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from penstock.extractor.children.placeholders import Parents, descend
from penstock.extractor.children.recursion_filter import hold
from penstock.extractor.client import Client
from penstock.extractor.config.effective import Config
from penstock.extractor.config.jobs import Job
from penstock.extractor.errors import UserError, WrongParam, invalid
from penstock.extractor.functions import Contexts, evaluate
from penstock.extractor.log import Log
from penstock.extractor.pages import Reader
from penstock.extractor.pagination.method import Method
from penstock.extractor.pagination.walk import Repeated, read_pages
from penstock.extractor.records.typed import Typed
from penstock.extractor.results import Batch, Bucket, Source
from penstock.extractor.values import as_json

NO_PARENTS = Parents()


class Counts(msgspec.Struct):
    """How far a run has come."""

    pages: int = 0
    records: int = 0


class Run(msgspec.Struct, frozen=True):
    """What the jobs of one effective configuration share."""

    config: Config
    client: Client
    bucket: Bucket
    contexts: Contexts
    log: Log
    counts: Counts
    typed: dict[str, Typed | None] = msgspec.field(default_factory=dict[str, "Typed | None"])
    """The fast way to read the pages of each job, by its path: what one run of a child learns serves the next."""

    def take(self, batch: Batch) -> None:
        self.bucket.add(batch)
        self.counts.pages += 1
        self.counts.records += len(batch.records)
        self.log.progress(self.counts.pages, self.counts.records)


async def run_job(run: Run, job: Job, parents: Parents = NO_PARENTS) -> None:
    endpoint = parents.fill(job.endpoint)
    request = job.request({key: evaluate(value, run.contexts) for key, value in job.params.items()}, endpoint)
    source, extra = Source(job.data_type, job.endpoint, job.field, job.filter), _extra(run, job, parents)
    method = run.config.pagination.method_for(job.scroller)
    if job.path not in run.typed:
        run.typed[job.path] = _typed(run, job, method)
    reader = Reader(run.client, run.config.sending.ignored, job, run.log, run.typed[job.path])
    try:
        async for _step, page in read_pages(method, request, reader.fetch, run.log.info):
            run.take(Batch(source, page, extra))
            for child in job.children:
                await _run_children(run, child, page.records, parents)
    except WrongParam as error:
        raise invalid(str(error), f"{job.path}.params.{error.name}") from error
    except Repeated:
        run.log.debug(f"Job '{job.id}' finished when last response matched the previous!")
    except RecursionError as error:
        raise UserError(f"The records of '{job.endpoint}' are nested too deeply to be made into tables.") from error


def _typed(run: Run, job: Job, method: Method) -> Typed | None:
    """The fast way to read pages, for a job whose records go to a table as they are and nowhere else."""
    key = "" if job.field.path == "0" else job.field.path
    is_plain = job.field.delimiter not in key and job.format.name == "json" and not job.filter.paths
    is_needed_whole = job.children or method.reads_response or not run.bucket.flattens(job.data_type)
    return Typed(key) if is_plain and not is_needed_whole else None


async def _run_children(run: Run, child: Job, records: Sequence[Any], parents: Parents) -> None:
    """Once per record, and per combination of the values that are lists."""
    if not child.placeholders:
        run.log.warning(f"No 'placeholders' set for '{child.endpoint}'")
    for record in records:
        if child.conditions is not None and not hold(child.conditions, record):
            continue
        for below in descend(parents, record, child.placeholders):
            await run_job(run, child, below)


def _extra(run: Run, job: Job, parents: Parents) -> dict[str, Any]:
    """The user's data, then the values of the records above; `config.userData` is for jobs at the root only."""
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
