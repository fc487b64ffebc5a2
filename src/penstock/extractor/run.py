"""The whole run: read the configuration, run the jobs, write the tables, save the state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import fixed, flat
from penstock.extractor.base.log import Log, Traffic, heartbeat
from penstock.extractor.base.values import as_map
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.config.full_loads import find_full_loads, lint
from penstock.extractor.job import Run, run_jobs
from penstock.extractor.requests.client import Client
from penstock.extractor.requests.journal import Choice, Identity, RunFolder, open_folder
from penstock.extractor.requests.parallel import ConcurrencyLimiter, JobLimit
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.extractor.requests.sending.tunnel import Tunnel, open_gate, read_tunnel
from penstock.extractor.responses.pages import Responses
from penstock.extractor.results import Batch, Bucket
from penstock.extractor.results.buckets import Buckets
from penstock.extractor.results.output import publish, write_report
from penstock.extractor.results.proof import STATE_KEY, Conclusion, Facts, Tally, conclude, read_history
from penstock.extractor.results.state import State
from penstock.foundation import clock
from penstock.foundation.outbound import Gate, Policy, explain_unused_proxy

BEATS = 3
"""How often within a log interval progress is checked."""


class Options(msgspec.Struct, frozen=True):
    """Options of the command line."""

    most_retries: int | None = None
    choice: Choice = ""
    """What to do about an interrupted run."""
    is_component: bool = False
    """Whether a stack loads the tables, and so warns about keys."""
    gate: Callable[..., Gate] = Gate
    """Makes the outbound gate; a caller may count the requests that go through it."""


async def extract(
    document: dict[str, Any], state: dict[str, Any], out: Path, log: Log, options: Options | None = None
) -> None:
    """Writes `tables/` and `state.json` to the output folder, or neither; and a report, even if it fails. Raises
    UserError."""
    options, started = options or Options(), clock.now().timestamp()
    read, parameters = partial(read_configs, document, out.parent / "cache"), as_map(document.get("parameters"))
    warnings = _Warnings(log)
    lint(parameters, warnings.add)
    with fixed(started):
        configs = read(warnings.add)
    tunnel = read_tunnel(parameters.get("sshProxy"), log)
    with open_folder(out, Identity.of(document, state), started, options.choice, log) as folder:
        if folder.is_resumed:  # functions must give the same values as when the run began
            with fixed(folder.started):
                configs = read(lambda _warning: None)
        configs = [_with_retries(config, options.most_retries) for config in configs]
        extraction = _Extraction(configs, tunnel, State(state, int(folder.started)), folder, log, options)
        extraction.warnings = tuple(warnings.logged)
        extraction.full_loads = tuple(find_full_loads(parameters))
        conclusion = await extraction.run(out)
    extraction.log_conclusion(conclusion)


class _Warnings:
    """Warnings about the configuration: logged immediately, and repeated in the report."""

    def __init__(self, log: Log) -> None:
        self._log, self.logged = log, list[str]()

    def add(self, warning: str) -> None:
        self._log.warning(warning)
        self.logged.append(warning)


class _Extraction:
    """One run, from its first request to its report."""

    warnings: tuple[str, ...] = ()
    """Those about the configuration, which are logged already."""
    full_loads: tuple[str, ...] = ()
    """Jobs that ask only for what is new, and replace their table."""

    def __init__(
        self,
        configs: list[Config],
        tunnel: Tunnel | None,
        state: State,
        folder: RunFolder,
        log: Log,
        options: Options,
    ) -> None:
        self._gate, self._is_component = options.gate, options.is_component
        self._configs, self._tunnel, self._state, self._folder, self._log = configs, tunnel, state, folder, log
        self._tally, self._buckets = Tally(), Buckets(folder, state, log)
        self._pages = self._records = 0
        self._traffic = Traffic()
        self._notices: set[str] = set()

    async def run(self, out: Path) -> Conclusion:
        with self._buckets:
            try:
                await self._run_all()
                conclusion = self._conclude()
                if not conclusion.error:
                    self._publish(conclusion, out)
                    return conclusion
            except BrokenPipeError:  # the reader of our output is gone: an interruption, not a failure
                raise
            except Exception as error:
                with suppress(OSError):  # the disk may be full; the error is raised in any case
                    write_report(out, self._conclude(str(error)).text)
                raise
        write_report(out, conclusion.text)
        raise RuntimeError(conclusion.error) if conclusion.is_unbalanced else UserError(conclusion.error)

    def _publish(self, conclusion: Conclusion, out: Path) -> None:
        if conclusion.history is not None:
            self._state.remember(STATE_KEY, conclusion.history)
        publish(self._folder.path, out, self._state.text(), conclusion.text)

    async def _run_all(self) -> None:
        is_only = len(self._configs) == 1
        async with heartbeat(self._log_progress, self._log.interval / BEATS):
            for number, config in enumerate(self._configs):
                await self._run_config(config, "" if is_only else f" (iteration {number})")
        self._log.info_if_long("All pages are read. Writing the tables.")
        self._buckets.finish(self._configs)

    async def _run_config(self, config: Config, key: str) -> None:
        log = self._log
        log.is_debug = config.is_debug
        name = config.sending.auth.name
        log.debug(f"Using '{name}' authentication." if name else "Using no authentication.")
        self._notice_proxy(config.sending.builder.base_url)
        contexts = {**config.contexts, "time": flat(self._state.times)}
        bucket = self._buckets.open(config)
        async with open_gate(self._gate, config.tls, self._tunnel) as gate:
            client = Client(
                gate,
                log,
                config.sending,
                RateLimiter(config.rate_limit),
                limiter=ConcurrencyLimiter(config.parallelism),
                traffic=self._traffic,
            )
            responses = Responses(client, self._folder.journal, config.sending.ignored, log, config.empty_response)
            # Twice as many jobs as requests: some jobs wait until their pages may be written.
            job_limit = JobLimit(lambda: 2 * client.limiter.limit)
            run = Run(config, responses, bucket, contexts, log, self._tally, job_limit, key)
            async with aclosing(run_jobs(run)) as batches:
                async for batch in batches:
                    self._take(batch, bucket)
                    del batch  # its memory is reused while it is in the CPU cache
        self._buckets.learn(config)

    def _notice_proxy(self, url: str) -> None:
        notice = explain_unused_proxy(Policy.from_environment(), url, is_tunnelled=self._tunnel is not None)
        if notice and notice not in self._notices:
            self._notices.add(notice)
            self._log.info(notice)

    def _take(self, batch: Batch, bucket: Bucket) -> None:
        if batch.counted is not None:
            batch.counted()
            self._pages += 1
        rejected = bucket.add(batch)
        if batch.tally is not None:
            batch.tally.rejected(rejected)
        self._records += len(batch.records)
        self._log_progress()

    def _log_progress(self) -> None:
        self._log.progress(self._pages, self._records, self._traffic)

    def _conclude(self, failure: str | None = None) -> Conclusion:
        folder, buckets = self._folder, self._buckets
        duplicates = {} if failure else buckets.duplicates
        facts = Facts(
            started=datetime.fromtimestamp(folder.started, UTC).isoformat(timespec="seconds"),
            seconds=clock.now().timestamp() - folder.started,
            is_resumed=folder.is_resumed,
            written=buckets.written,
            failure=failure,
            warnings=(*self.warnings, *self._find_emptied()),
            collapses=() if self._is_component else buckets.explain_collapses(duplicates),
        )
        history, policies = read_history(self._state.earlier), self._configs[0].policies
        return conclude(
            self._tally, buckets.rows, duplicates, policies, history, facts=facts, clean=self._log.redactor.clean
        )

    def _find_emptied(self) -> list[str]:
        """Say that tables are empty because nothing is new: their earlier rows are gone with this load."""
        last = as_map(self._state.earlier.get("time")).get("previousStart")
        if not last or self._buckets.written or not self.full_loads:
            return []
        return [
            "Nothing is new since the last run, and the tables are replaced as a whole: they are empty after this load."
        ]

    def log_conclusion(self, conclusion: Conclusion) -> None:
        tables = len(self._buckets.rows)
        self._log.info(f"Records written: {self._buckets.written} (pages: {self._pages}, tables: {tables}).")
        for line in conclusion.lines:
            self._log.info(line)
        for warning in (*conclusion.warnings, *self._find_emptied()):
            self._log.warning(warning)
        self._log.info("Extractor finished successfully.")


def _with_retries(config: Config, most: int | None) -> Config:
    """The option of the command line takes precedence over the configuration."""
    if most is None:
        return config
    retry = msgspec.structs.replace(config.sending.retry, most=most)
    return msgspec.structs.replace(config, sending=msgspec.structs.replace(config.sending, retry=retry))
