"""One phase of an orchestration: its tasks side by side."""

from __future__ import annotations

import msgspec

from penstock.services.queue.flows.errors import NothingToRun
from penstock.services.queue.flows.orchestration.document import Phase, Task
from penstock.services.queue.flows.outcomes import Outcome, overall_status
from penstock.services.queue.flows.task_jobs import (
    Start,
    count_free,
    has_turn,
    is_waiting,
    reuse,
    settle,
    start_task,
)
from penstock.services.queue.flows.tasks import TaskRun
from penstock.services.queue.flows.views import Ran, Shown, TaskName, find_ran, task_view
from penstock.services.queue.flows.work import FlowResult, Work, read_message
from penstock.services.queue.models.jobs import JobRow


class PhasePlan(msgspec.Struct, frozen=True, kw_only=True):
    phase: Phase
    tasks: list[Task]
    """Those that run."""
    hosts: str = ""
    """What the secrets of the whole flow are meant for."""
    reused: dict[str, int] = {}
    runs: list[TaskRun] = []


def begin(work: Work) -> FlowResult | None:
    if work.job.progress is None:
        raise NothingToRun
    plan = work.read_progress(PhasePlan)
    if plan.runs:  # an earlier transaction has tried some of them
        return _go_on(work, plan)
    plan = msgspec.structs.replace(plan, runs=[TaskRun(id=task.id) for task in plan.tasks])
    return _conclude_or_wait(work, _start_some(work, plan))


def advance(work: Work) -> FlowResult | None:
    return _go_on(work, work.read_progress(PhasePlan)) if has_turn(work) else None


def _go_on(work: Work, plan: PhasePlan) -> FlowResult | None:
    settled = msgspec.structs.replace(plan, runs=settle(work.tx, work.job, plan.runs))
    return _conclude_or_wait(work, _start_some(work, settled), settled)


def _start_some(work: Work, plan: PhasePlan) -> PhasePlan:
    """Start some of the tasks that wait, in their order; one that cannot be started has ended, and the next one takes
    its turn."""
    free = count_free(plan.runs)
    if not free or not any(map(is_waiting, plan.runs)):
        return plan
    runs = list(reuse(work, plan.runs, plan.reused))
    flow = work.find_job(work.job.parent_id) if work.job.parent_id is not None else None
    if not flow:
        raise NothingToRun
    for number, task in enumerate(plan.tasks):
        if free and work.may_try and is_waiting(runs[number]):
            runs[number] = _start(work, plan, task, flow)
            free -= not runs[number].status
    return msgspec.structs.replace(plan, runs=runs)


def list_shown(work: Work, phase_job: JobRow) -> list[Shown]:
    """The tasks of a phase that has begun."""
    plan = msgspec.json.decode(phase_job.progress or b"{}", type=PhasePlan)
    runs = settle(work.tx, phase_job, plan.runs)
    return _show(plan, runs, find_ran(work, runs))


def _show(plan: PhasePlan, runs: list[TaskRun], ran: Ran) -> list[Shown]:
    tasks = {task.id: task for task in plan.tasks}
    return [task_view(ran, _to_name(tasks[run.id]), [run]) for run in runs]


def _start(work: Work, plan: PhasePlan, task: Task, flow: JobRow) -> TaskRun:
    start = Start(
        task_id=task.id,
        phase_id=plan.phase.id,
        wanted=task.task,
        flow=flow,
        hosts=plan.hosts,
        retry=task.task.retry,
        is_tolerated=task.continue_on_failure,
    )
    return start_task(work, start)


def _conclude_or_wait(work: Work, plan: PhasePlan, before: PhasePlan | None = None) -> FlowResult | None:
    """What is remembered is large, so only what cannot be found out again is: which tasks have become jobs."""
    is_over = all(run.status for run in plan.runs)
    if is_over or plan is not before:
        work.save_progress(plan)
    if not is_over:
        if not work.may_try:
            work.continue_later()
        return None
    outcomes = {
        run.id: Outcome(run.status, task.continue_on_failure) for run, task in zip(plan.runs, plan.tasks, strict=True)
    }
    status = overall_status(outcomes.values())
    ran = find_ran(work, plan.runs)
    failed = [_explain(ran, run) for run in plan.runs if outcomes[run.id].is_failed]
    message = "\n".join(failed) or f'Phase "{plan.phase.name}" finished.'
    return work.make_result(status, message, tasks=_show(plan, plan.runs, ran))


def _explain(ran: Ran, run: TaskRun) -> str:
    job = ran.find_job(run)
    return f'Task "{run.id}" (job {job.id}): {read_message(job)}' if job else f'Task "{run.id}": {run.message}'


def _to_name(task: Task) -> TaskName:
    return TaskName(id=task.id, name=task.name, phase=task.phase, component=task.task.component_id)
