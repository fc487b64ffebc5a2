"""How a conditional flow ended, in the words of its result."""

from __future__ import annotations

from penstock.services.queue.flows.conditional.course import Course, Visit
from penstock.services.queue.flows.conditional.document import Flow, Task
from penstock.services.queue.flows.outcomes import FAILED, SKIPPED
from penstock.services.queue.flows.tasks import JobTask, TaskRun
from penstock.services.queue.flows.views import Ran, Shown, TaskName, find_ran, phase_view, task_view
from penstock.services.queue.flows.work import FlowResult, Work, read_message
from penstock.services.queue.models.statuses import Status


def conclude(work: Work, flow: Flow, course: Course, status: Status) -> FlowResult:
    ran = find_ran(work, [run for visit in course.visits for run in visit.tasks])
    failed = [_explain(ran, flow, visit, run) for visit in course.visits for run in visit.tasks if run.status in FAILED]
    return work.make_result(
        status,
        "\n".join(failed) or "Flow finished.",
        config_version=work.config_version,
        phases=_list_phases(flow, course),
        tasks=_list_tasks(ran, flow, course),
    )


def _explain(ran: Ran, flow: Flow, visit: Visit, run: TaskRun) -> str:
    job = ran.find_job(run)
    said = f"(job {job.id}): {read_message(job)}" if job else f"could not be started: {run.message}"
    return f'Phase "{flow.phases[visit.phase].name}": task "{run.id}" {said}'


def _list_phases(flow: Flow, course: Course) -> list[Shown]:
    """Each phase that was entered, in that order; of one in a loop its last visit."""
    last = {visit.phase: visit for visit in course.visits}
    return [
        phase_view(visit.phase, flow.phases[visit.phase].name, visit.status, visit.start_time, visit.end_time)
        for visit in last.values()
    ]


def _list_tasks(ran: Ran, flow: Flow, course: Course) -> list[Shown]:
    """List the tasks of the phases that were entered; those that did not run are `skipped`."""
    runs: dict[str, list[TaskRun]] = {}
    for visit in course.visits:
        for run in visit.tasks:
            runs.setdefault(run.id, []).append(run)
    entered = {visit.phase for visit in course.visits}
    tasks = [task for task in flow.tasks if task.phase in entered]
    return [
        task_view(ran, _to_name(task), runs.get(task.id) or [TaskRun(id=task.id, status=SKIPPED)]) for task in tasks
    ]


def _to_name(task: Task) -> TaskName:
    component = task.work.component_id if isinstance(task.work, JobTask) else None
    return TaskName(id=task.id, name=task.name, type=task.type, phase=task.phase, component=component)
