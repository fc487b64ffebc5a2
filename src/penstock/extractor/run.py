"""The whole run on one screen: read the configuration, run the jobs, write the tables, remember the state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from penstock.extractor.client import Client
from penstock.extractor.config import Config, Job, read_config
from penstock.extractor.errors import UserError
from penstock.extractor.job import Run, run_job
from penstock.extractor.log import Log
from penstock.extractor.output import staged
from penstock.extractor.results import Results
from penstock.extractor.retry import MOST_RETRIES
from penstock.extractor.state import known_tree, next_state, state_text
from penstock.extractor.tables import Tables
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, Policy


async def extract(
    document: dict[str, Any], state: dict[str, Any], out: Path, log: Log, most_retries: int = MOST_RETRIES
) -> None:
    """Leave `tables/` and `state.json` in the output folder, or nothing at all. Raises UserError."""
    config, tree = read_config(document), known_tree(state)
    started = int(clock.now().timestamp())
    with staged(out) as stage:
        results = Results(stage.work, tree, log)
        async with Gate(Policy.from_environment()) as gate:
            run = Run(config, Client(gate, log, most_retries), results, log)
            await _run_jobs(run, config)
        after = state_text(next_state(state, tree, started))
        count = _write_tables(config, results, stage.tables)
        stage.publish(after)
    log.info(f"Records written: {results.rows} (pages: {run.pages}, tables: {count}).")
    log.info("Extractor finished successfully.")


async def _run_jobs(run: Run, config: Config) -> None:
    for job in _distinct(config, run.log):
        try:
            await run_job(run, job)
        except RecursionError as error:
            raise UserError(f"The records of '{job.endpoint}' are nested too deeply to be made into tables.") from error


def _distinct(config: Config, log: Log) -> list[Job]:
    """Jobs of one id are one job: in the place of the first, as the last says."""
    jobs: dict[Any, Job] = {}
    for number, job in enumerate(config.config.jobs):
        key = job.id if job.id not in (None, "") else repr(job)
        if key in jobs:
            log.warning(
                f"Job {number + 1} ('{job.endpoint}') has the id or definition of an earlier job and replaces it."
            )
        jobs[key] = job
    return list(jobs.values())


def _write_tables(config: Config, results: Results, folder: Path) -> int:
    """How many tables there are."""
    tables = Tables(folder, config.bucket, is_incremental=config.config.incremental_output)
    try:
        results.write(tables)
        return len(tables)
    finally:
        tables.close()
