"""A flow begins, advances when one of its children has ended, and ends; then its parent advances."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.exc import OperationalError

from penstock.components.catalogue import find_component
from penstock.components.component import Runs
from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unavailable
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.stack import Stack
from penstock.services.queue.flows import retries, rows
from penstock.services.queue.flows.conditional import flow as conditional
from penstock.services.queue.flows.orchestration import flow as orchestration
from penstock.services.queue.flows.orchestration import phases
from penstock.services.queue.flows.stopping import TERMINATED, stop_children
from penstock.services.queue.flows.work import FlowResult, Work
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.failures import INTERNAL_ERROR
from penstock.services.queue.reports.notifications import publish_end
from penstock.services.queue.store import children, jobs

Decide = Callable[[Work], FlowResult | None]
"""Takes the next step of a flow; returns its result if that was the last one."""

EVENTS = {Status.SUCCESS: "success", Status.WARNING: "warn", Status.TERMINATED: "warn", Status.ERROR: "error"}
BEGIN: dict[Kind, Decide] = {
    Kind.CONTAINER: rows.begin,
    Kind.RETRY: retries.begin,
    Kind.ORCHESTRATION: orchestration.begin,
    Kind.PHASE: phases.begin,
}
ADVANCE: dict[Kind, Decide] = {
    Kind.CONTAINER: rows.advance,
    Kind.RETRY: retries.advance,
    Kind.ORCHESTRATION: orchestration.advance,
    Kind.PHASE: phases.advance,
}


def begin(tx: Transaction, stack: Stack, job: JobRow) -> None:
    """Create the first children of a job that was just claimed; none if it was terminated meanwhile."""
    job = jobs.find_job(tx, job.project_id, job.id) or job
    decide = conditional.begin if _is_conditional(job) else BEGIN[job.type]
    _advance(Work(tx, stack, job), decide)


def notify_parent(tx: Transaction, stack: Stack, job: JobRow) -> None:
    """Advance the parent of a job that has ended, in the same transaction, so that nothing has to poll for it."""
    parent = jobs.find_job(tx, job.project_id, job.parent_id) if job.parent_id is not None else None
    if not parent or parent.is_finished or parent.type not in ADVANCE:
        return
    if tx.has_concurrent_writers:
        # Locks the parent before its children are read, so that the last child to end sees all the others. Nothing is
        # changed: the progress of a flow is large, and would be written again.
        parent = jobs.change_job(tx, parent)
    decide = conditional.advance if _is_conditional(parent) else ADVANCE[parent.type]
    _advance(Work(tx, stack, parent), decide)


def _is_conditional(job: JobRow) -> bool:
    component = find_component(job.component)
    return job.type is Kind.ORCHESTRATION and component is not None and component.runs is Runs.FLOW


def _advance(work: Work, decide: Decide) -> None:
    """An error ends this flow, and not the transaction of the child that has ended."""
    try:
        with work.tx.connection.begin_nested():
            found = _decide(work, decide)
    except (LeaseLost, OperationalError, Unavailable):
        raise
    except AppError as error:
        found = work.make_result(Status.ERROR, work.stack.paths.hide(error.message))
    except Exception as error:
        found = work.make_result(Status.ERROR, INTERNAL_ERROR, kind="application", cause=error)
    if found:
        _end(work, found)


def _decide(work: Work, decide: Decide) -> FlowResult | None:
    if work.job.desired_status is not Status.TERMINATING:
        return decide(work)
    if children.count_unfinished(work.tx, work.job):
        return None
    return work.make_result(Status.TERMINATED, TERMINATED)


def _end(work: Work, flow_result: FlowResult) -> None:
    now = clock.now()
    job = jobs.change_job(
        work.tx,
        work.job,
        status=flow_result.status,
        is_finished=True,
        result=flow_result.result,
        end_time=now,
        lease_until=None,
    )
    stop_children(work.tx, job)
    work.add_event(EVENTS[flow_result.status], flow_result.message)
    publish_end(work.tx, job)
    notify_parent(work.tx, work.stack, job)
