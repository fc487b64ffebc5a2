"""`keboola.orchestrator`: a child for each phase, all made at the beginning; a phase waits for those it depends on."""

from __future__ import annotations

import msgspec

from penstock.services.queue.flows.earlier import find_reusable
from penstock.services.queue.flows.orchestration import phases
from penstock.services.queue.flows.orchestration.document import (
    Orchestration,
    Phase,
    Task,
    choose_tasks,
    find_change,
    read_orchestration,
)
from penstock.services.queue.flows.orchestration.phases import PhasePlan
from penstock.services.queue.flows.outcomes import Outcome, overall_status
from penstock.services.queue.flows.views import Shown, phase_view
from penstock.services.queue.flows.work import FlowResult, Work, find_hosts, read_message, read_result
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.parsing import read_name
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import JobPlacement
from penstock.services.storage import interface as storage


class OrchestrationPlan(msgspec.Struct, frozen=True, kw_only=True):
    flow: Orchestration
    """As it was when it began."""
    jobs: dict[str, int] = {}
    """The job of each phase."""


def begin(work: Work) -> FlowResult | None:
    document = work.read_document()
    flow, hosts, reused = read_orchestration(document), find_hosts(work.job, document), find_reusable(work)
    if work.job.only_orchestration_task_ids:
        flow = choose_tasks(flow, work.job.only_orchestration_task_ids)
    plans = [_plan(phase, _list_enabled(flow, phase), hosts, reused) for phase in flow.phases]
    stored = work.read_stored()
    made = {plan.phase.id: _create(work, plan, stored).id for plan in plans}
    work.save_progress(OrchestrationPlan(flow=flow, jobs=made))
    return None if made else work.make_result(Status.SUCCESS, "The flow has no phases.", phases=[], tasks=[])


def advance(work: Work) -> FlowResult | None:
    plan = work.read_progress(OrchestrationPlan)
    found = _list_phases(work, plan)
    outcomes = {phase.id: _to_outcome(phase, job) for phase, job in found if job.is_finished}
    held = {phase.id: job for phase, job in found if not job.is_finished and job.is_held}
    change = find_change(plan.flow, outcomes, set(held))
    for phase_id in change.cancelled:
        work.cancel(held[phase_id])
    for phase_id in change.released:
        work.release(held[phase_id])
    if len(outcomes) + len(change.cancelled) < len(found):
        return None
    return _conclude(work, plan)


def _plan(phase: Phase, tasks: list[Task], hosts: str, reused: dict[str, int]) -> PhasePlan:
    own = {task.id: reused[task.id] for task in tasks if task.id in reused}
    return PhasePlan(phase=phase, tasks=tasks, hosts=hosts, reused=own)


def _list_enabled(flow: Orchestration, phase: Phase) -> list[Task]:
    return [task for task in flow.list_tasks(phase.id) if task.enabled]


def _create(work: Work, plan: PhasePlan, stored: storage.Configuration | None) -> JobRow:
    phase = plan.phase
    wanted = JobRequest(
        component=work.job.component,
        config=work.job.config,
        config_data={"phaseId": phase.id, "name": phase.name, "dependsOn": phase.depends_on},
        mode=work.job.mode,
        on_error=phase.behavior.on_error,
        orchestration_job_id=str(work.job.id),
        orchestration_phase_id=read_name("orchestrationPhaseId", phase.id),
    )
    # Without a lock: the flow has that of their configuration.
    progress = msgspec.json.encode(plan)
    place = JobPlacement(
        type=Kind.PHASE, is_held=bool(phase.depends_on), has_lock=False, progress=progress, stored=stored
    )
    return work.create_child(wanted, place)


def _list_phases(work: Work, plan: OrchestrationPlan) -> list[tuple[Phase, JobRow]]:
    children = {child.id: child for child in work.list_children()}
    return [(phase, children[plan.jobs[phase.id]]) for phase in plan.flow.phases]


def _to_outcome(phase: Phase, job: JobRow) -> Outcome:
    return Outcome(job.status, is_tolerated=phase.behavior.on_error == "warning")


def _conclude(work: Work, plan: OrchestrationPlan) -> FlowResult:
    found = _list_phases(work, plan)
    status = overall_status(_to_outcome(phase, job) for phase, job in found)
    failed = [f'Phase "{phase.name}" failed. {read_message(job)}' for phase, job in _list_failed(found)]
    return work.make_result(
        status,
        "\n".join(failed) or "Flow finished.",
        config_version=work.config_version,
        phases=[phase_view(phase.id, phase.name, job.status, job.start_time, job.end_time) for phase, job in found],
        tasks=_list_tasks(work, found),
    )


def _list_failed(jobs: list[tuple[Phase, JobRow]]) -> list[tuple[Phase, JobRow]]:
    """Return the jobs that failed; without any, those that were cancelled, which otherwise only follows."""
    broken = [(phase, job) for phase, job in jobs if job.status in (Status.ERROR, Status.TERMINATED)]
    return broken or [(phase, job) for phase, job in jobs if job.status is Status.CANCELLED]


def _list_tasks(work: Work, jobs: list[tuple[Phase, JobRow]]) -> list[Shown]:
    """A phase that has come to its end has them in its own result; of one that has not they are found out."""
    tasks: list[Shown] = []
    for _, job in jobs:
        known = read_result(job).get("tasks")
        tasks += known if known is not None else phases.list_shown(work, job)
    return tasks
