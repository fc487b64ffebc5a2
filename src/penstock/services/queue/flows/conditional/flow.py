"""`keboola.flow`: phase after phase, as its conditions say."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.services.queue.flows.conditional import recipients, results
from penstock.services.queue.flows.conditional.comparing import to_text
from penstock.services.queue.flows.conditional.conditions import evaluate
from penstock.services.queue.flows.conditional.course import Course, Step, Visit, find_first, find_next
from penstock.services.queue.flows.conditional.document import Flow, Notification, Phase, Task, Variable, read_flow
from penstock.services.queue.flows.conditional.facts import no_facts, read_facts
from penstock.services.queue.flows.earlier import find_reusable
from penstock.services.queue.flows.task_jobs import (
    Start,
    count_free,
    has_turn,
    is_waiting,
    reuse,
    settle,
    start_task,
)
from penstock.services.queue.flows.tasks import JobTask, TaskRun
from penstock.services.queue.flows.work import FlowResult, Work, find_hosts
from penstock.services.queue.models.events import PhaseEnded
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.notifications import publish_phase


def begin(work: Work) -> FlowResult | None:
    if work.job.progress is not None:  # an earlier transaction has done a part of it
        return _go_on(work)
    document = work.read_document()
    flow = read_flow(document)
    only = work.job.only_orchestration_task_ids or []
    course = Course(document=document, only=only, reused=find_reusable(work))
    return _follow(work, flow, course, find_first(flow, course))


def advance(work: Work) -> FlowResult | None:
    return _go_on(work) if has_turn(work) else None


def _go_on(work: Work) -> FlowResult | None:
    course = work.read_progress(Course)
    visit = course.visits[-1]
    course = _with_last(course, msgspec.structs.replace(visit, tasks=settle(work.tx, work.job, visit.tasks)))
    visit = course.visits[-1]
    if not visit.is_over and not (count_free(visit.tasks) and any(map(is_waiting, visit.tasks))):
        return None
    flow = read_flow(course.document)
    course = _start_some(work, flow, course)
    if not course.visits[-1].is_over:
        return _wait(work, course)
    course = _close(work, flow, course)
    return _follow(work, flow, course, _find_next(work, flow, course))


def _wait(work: Work, course: Course) -> None:
    """Wait until a job ends, or for the next transaction."""
    work.save_progress(course)
    if not work.may_try:
        work.continue_later()


def _find_next(work: Work, flow: Flow, course: Course) -> Step:
    """What came of the tasks is read only where a condition asks for it."""
    has_conditions = any(step.condition for step in flow.phases[course.visits[-1].phase].next)
    return find_next(flow, course, read_facts(work, course) if has_conditions else no_facts(course))


def _follow(work: Work, flow: Flow, course: Course, step: Step) -> FlowResult | None:
    """Follow the flow from phase to phase, until there are jobs to wait for or the flow has ended."""
    while step.phase is not None:
        if not work.may_try:
            return _wait(work, course)
        course = _enter(work, flow, course, flow.phases[step.phase])
        if not course.visits[-1].is_over:
            return _wait(work, course)
        course = _close(work, flow, course)
        step = _find_next(work, flow, course)
    work.save_progress(course)
    return results.conclude(work, flow, course, step.status)


def _enter(work: Work, flow: Flow, course: Course, phase: Phase) -> Course:
    """Variables first, so that the jobs beside them have them too."""
    work.count_try()
    tasks = [task for task in flow.list_tasks(phase.id) if not course.only or task.id in course.only]
    course = _set_variables(work, course, [task.work for task in tasks if isinstance(task.work, Variable)])
    visit = Visit(phase=phase.id, start_time=clock.now(), tasks=[TaskRun(id=task.id) for task in tasks])
    return _start_some(work, flow, msgspec.structs.replace(course, visits=[*course.visits, visit]))


def _start_some(work: Work, flow: Flow, course: Course) -> Course:
    """Start some of the tasks of the last phase that wait, in their order; a task that needs no job does not count."""
    visit = course.visits[-1]
    free, phase = count_free(visit.tasks), flow.phases[visit.phase]
    tasks = {task.id: task for task in flow.list_tasks(phase.id)}
    jobs = {task_id: job for task_id, job in course.reused.items() if _runs_job(tasks.get(task_id))}
    runs = list(reuse(work, visit.tasks, jobs))
    hosts = find_hosts(work.job, course.document)
    for number, run in enumerate(runs):
        if free and work.may_try and is_waiting(run):
            runs[number] = _start(work, course, phase, tasks[run.id], hosts)
            free -= not runs[number].status
    return _with_last(course, msgspec.structs.replace(visit, tasks=runs))


def _runs_job(task: Task | None) -> bool:
    return task is not None and isinstance(task.work, JobTask)


def _start(work: Work, course: Course, phase: Phase, task: Task, hosts: str) -> TaskRun:
    if isinstance(task.work, JobTask):
        return _start_job(work, course, phase, task, task.work, hosts)
    problem = _notify(work, task.work) if isinstance(task.work, Notification) else ""
    work.count_try()
    now, status = clock.now(), Status.ERROR if problem else Status.SUCCESS
    return TaskRun(id=task.id, status=status, message=problem, start_time=now, end_time=now)


def _start_job(work: Work, course: Course, phase: Phase, task: Task, job_task: JobTask, hosts: str) -> TaskRun:
    start = Start(
        task_id=task.id,
        phase_id=phase.id,
        wanted=job_task,
        flow=work.job,
        hosts=hosts,
        variables=course.variables,
        retry=job_task.retry or phase.retry,
    )
    return start_task(work, start)


def _set_variables(work: Work, course: Course, assignments: list[Variable]) -> Course:
    """One after another, so that each can use those before it. The tasks of the flow are read once for all of them."""
    if not assignments:
        return course
    variables = dict(course.variables)
    has_sources = any(variable.source for variable in assignments)
    facts = read_facts(work, course) if has_sources else no_facts(course)
    facts = msgspec.structs.replace(facts, variables=variables)
    for variable in assignments:
        value = evaluate(variable.source, facts) if variable.source else variable.value
        variables[variable.name] = _to_text(value)
    return msgspec.structs.replace(course, variables=variables)


def _to_text(value: Any) -> str:
    is_plain = value is None or isinstance(value, str | int | float | bool)
    return to_text(value) if is_plain else msgspec.json.encode(value).decode()


def _notify(work: Work, notification: Notification) -> str:
    """Send it with the commit of this transaction, and add an event; runs in a development branch send none. Returns
    why it cannot be sent, or an empty text."""
    if work.job.branch_id != work.caller.main_branch_id:
        return ""
    if problem := recipients.find_problem(work, notification):
        return problem
    recipients.send(work, notification)
    said = f"{notification.title}\n{notification.message}".strip()
    shown = [{"address": one} if isinstance(one, str) else msgspec.to_builtins(one) for one in notification.recipients]
    params = {"title": notification.title, "message": notification.message, "recipients": shown}
    work.add_event("info", said or "Notification", params)
    return ""


def _close(work: Work, flow: Flow, course: Course) -> Course:
    last = course.visits[-1]
    if last.end_time:  # an earlier transaction has closed it, and left the next phase to this one
        return course
    _publish(work, flow.phases[last.phase], last)
    return _with_last(course, msgspec.structs.replace(last, end_time=clock.now()))


def _publish(work: Work, phase: Phase, visit: Visit) -> None:
    ended = PhaseEnded(
        project_id=work.job.project_id,
        job_id=work.job.id,
        phase_id=phase.id,
        phase_name=phase.name,
        status=visit.status,
        message=" ".join(task.message for task in visit.tasks if task.message),
    )
    publish_phase(work.tx, ended)


def _with_last(course: Course, visit: Visit) -> Course:
    return msgspec.structs.replace(course, visits=[*course.visits[:-1], visit])
