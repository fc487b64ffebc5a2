"""How a job ended and why, in sentences made from its result, its log and its configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, NotFound
from penstock.services.ai.documents import member, members
from penstock.services.ai.failures.api import API
from penstock.services.ai.failures.code import CODE
from penstock.services.ai.failures.diagnosis import Diagnosis, Source, diagnose
from penstock.services.ai.failures.running import RUNNING
from penstock.services.ai.failures.settings import SETTINGS
from penstock.services.ai.operations.retrieval import Quote
from penstock.services.queue import interface as queue
from penstock.services.queue.interface import JobReport
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import RunEvent, Snapshot

EVENTS = 200
LINES_SHOWN = 10
WARNINGS_SHOWN = 10
BAD = ("error", "warn")
FAILED = ("error", "terminated", "cancelled", "warning")
TABLES = (API, RUNNING, CODE, SETTINGS)
"""In which a message is looked up, in this order."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a job, as far as the caller may see it."""

    report: JobReport
    events: list[RunEvent]
    snapshot: Snapshot | None
    """Its configuration as it is now, if it still exists."""

    @property
    def message(self) -> str:
        return self.report.job.message


def read_ended(tx: Transaction, caller: Caller, job_id: str) -> Ended:
    """Raises for a job that is not there, or that the caller may not see."""
    report = queue.get_report(tx, caller, job_id)
    events = storage.list_run_events(tx, caller, queue.list_runs(tx, caller.project_id, job_id), EVENTS)
    return Ended(report=report, events=events, snapshot=_find_snapshot(tx, caller, report))


def _find_snapshot(tx: Transaction, caller: Caller, report: JobReport) -> Snapshot | None:
    job = report.job
    if not job.config:
        return None
    try:
        there = storage.in_branch(tx, caller, str(job.branch_id))
        return storage.read_snapshot(tx, there, job.component, job.config)
    except (NotFound, Forbidden):
        return None


def find_diagnosis(ended: Ended) -> Diagnosis | None:
    """Look the message of a failed job up, and where in its configuration the cause is."""
    if ended.report.job.status not in ("error", "warning"):
        return None
    return diagnose(ended.message, list(_sources(ended)), TABLES)


def _sources(ended: Ended) -> Iterator[Source]:
    """The documents that the job ran with. Rows come first: what they set replaces the rest."""
    if ended.report.config_data:
        yield Source("", ended.report.config_data)
    elif ended.snapshot:
        chosen = ended.report.row_ids
        for row in ended.snapshot.rows:
            if not chosen or row.id in chosen:
                yield Source(f"rows[{row.id}].", row.document)
        yield Source("", ended.snapshot.document)


def explain(ended: Ended, diagnosis: Diagnosis | None, quotes: list[Quote]) -> str:
    return "\n\n".join(_paragraphs(ended, diagnosis, quotes))


def _paragraphs(ended: Ended, diagnosis: Diagnosis | None, quotes: list[Quote]) -> Iterator[str]:
    job = ended.report.job
    yield f"{_name_job(ended)} {_STATUSES.get(job.status, f'is {job.status}')}." + (
        f" It says:\n\n> {_in_quote(ended.message)}" if ended.message else ""
    )
    if diagnosis:
        yield from _list("Why, and what to do:", _lines(diagnosis), LINES_SHOWN)
    yield from _list("Warnings:", _warnings(ended.report.result), WARNINGS_SHOWN)
    yield from _list("Tasks that failed:", _failed_tasks(ended.report.result), LINES_SHOWN)
    if job.status not in FAILED:
        return
    said = [event.message for event in ended.events if event.type in BAD and event.message != ended.message]
    yield from _list("Errors and warnings of its log:", said[-LINES_SHOWN:], LINES_SHOWN)
    if not said:
        lines = [event.message for event in ended.events if event.message != ended.message]
        yield from _list("The end of its log:", lines[-LINES_SHOWN:], LINES_SHOWN)
    yield from _list("What to check:", _checks(ended), LINES_SHOWN)
    yield from _list("In the documentation:", [f"[{each.title}]({each.url})" for each in quotes], LINES_SHOWN)


_STATUSES = {
    "success": "succeeded",
    "error": "failed",
    "warning": "ended with a warning",
    "terminated": "was terminated",
    "cancelled": "was cancelled before it began",
    "processing": "is running",
    "waiting": "waits for its turn",
    "created": "waits for a worker",
    "terminating": "is being terminated",
}


def _name_job(ended: Ended) -> str:
    job, rows = ended.report.job, ended.report.row_ids
    name = f' "{ended.snapshot.name}"' if ended.snapshot else ""
    config = f" with the configuration{name} (`{job.config}`)" if job.config else " with a configuration of its own"
    return f"Job {job.id} of `{job.component}`{config}" + (f", rows {', '.join(rows)}," if rows else "")


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    yield f"Cause: {diagnosis.cause}"
    if diagnosis.path:
        yield f"Where: `{diagnosis.path}` of the configuration"
    yield f"Fix: {diagnosis.fix}"


def _warnings(result: dict[str, Any]) -> list[str]:
    found = result.get("warnings")
    return [each for each in cast(list[Any], found) if isinstance(each, str)] if isinstance(found, list) else []


def _failed_tasks(result: dict[str, Any]) -> list[str]:
    """Return the failed tasks of a flow."""
    failed = [task for task in members(result, "tasks") if task.get("status") in ("error", "terminated")]
    return [f"{_first(task, 'name', 'id')}: {_message(task)}" for task in failed]


def _message(task: dict[str, Any]) -> str:
    results = members(task, "results") or [task]
    found = next((text for each in results if (text := member(each, "result", "message"))), None)
    return str(found or task.get("status"))


def _first(node: dict[str, Any], *keys: str) -> str:
    return next((str(node[key]) for key in keys if node.get(key)), "")


def _checks(ended: Ended) -> Iterator[str]:
    job, snapshot = ended.report.job, ended.snapshot
    kind, exception_id = (member(ended.report.result, "error", key) for key in ("type", "exceptionId"))
    if kind == "user":
        yield "The component has ended because of its configuration or of what it was given; the message says what."
    elif kind == "application":
        yield f"The component or the stack is at fault: give `{exception_id}` to the operator, whose log has the cause."
    if job.status in ("terminated", "cancelled"):
        yield "Somebody, or the flow that it is a part of, has stopped it: run it again if that was not intended."
    if not snapshot and job.config:
        yield "Its configuration does not exist any more, or this token may not read it."
    version = ended.report.result.get("configVersion")
    if snapshot and version and str(snapshot.version) != str(version):
        yield f"It ran version {version} of its configuration, which has version {snapshot.version} now: run it again."
    if snapshot and snapshot.is_disabled:
        yield "Its configuration is disabled."


def _list(title: str, lines: Iterator[str] | list[str], most: int) -> Iterator[str]:
    found = list(lines)
    more = [f"- and {len(found) - most} more"] if len(found) > most else []
    if found:
        yield "\n".join([title, *(f"- {_in_quote(each)}" for each in found[:most]), *more])


def _in_quote(text: str) -> str:
    """Return the text on one line, so that it stays within its quote in the Markdown."""
    return " ".join(text.split())[:1000]
