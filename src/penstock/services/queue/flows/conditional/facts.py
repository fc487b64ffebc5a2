"""What the conditions of a flow may ask about its phases and tasks."""

from __future__ import annotations

from typing import Any

from penstock.foundation import clock
from penstock.services.queue.flows.conditional.comparing import StatusWord
from penstock.services.queue.flows.conditional.conditions import Facts
from penstock.services.queue.flows.conditional.course import Course
from penstock.services.queue.flows.tasks import TaskRun
from penstock.services.queue.flows.work import Work, read_result
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.models.views import duration_of, to_text
from penstock.services.queue.store.children import RanJob, list_ran


def read_facts(work: Work, course: Course) -> Facts:
    """Return the outcomes of tasks; of a phase in a loop, the last ones."""
    children = {child.id: child for child in list_ran(work.tx, work.job)}
    last = {visit.phase: visit for visit in course.visits}
    tasks: dict[str, dict[str, Any]] = {}
    for visit in last.values():
        for run in visit.tasks:
            if run.status:
                job = children.get(run.job_id or 0) or (work.find_job(run.job_id) if run.job_id else None)
                tasks[run.id] = _to_document(visit.phase, run, job)
    phases = {phase_id: visit.status.value for phase_id, visit in last.items() if visit.is_over}
    return Facts(now=clock.now(), variables=course.variables, phases=phases, tasks=tasks)


def no_facts(course: Course) -> Facts:
    """Return facts for a step that asks about no task."""
    return Facts(now=clock.now(), variables=course.variables, phases={}, tasks={})


def _to_document(phase_id: str, run: TaskRun, job: JobRow | RanJob | None) -> dict[str, Any]:
    shown = _job_view(job) if job else _missing_view(run)
    return {"taskId": run.id, "phaseId": phase_id, "status": shown["status"], "job": shown}


def _job_view(job: JobRow | RanJob) -> dict[str, Any]:
    result = read_result(job)
    return {
        "id": str(job.id),
        "componentId": job.component,
        "configId": job.config,
        "status": _to_word(job.status, result),
        "result": result,
        "startTime": to_text(job.start_time) if job.start_time else None,
        "endTime": to_text(job.end_time) if job.end_time else None,
        "duration": duration_of(job),
    }


def _missing_view(run: TaskRun) -> dict[str, Any]:
    """A task that could not become a job, or needs none."""
    result: dict[str, Any] = {"message": run.message}
    if run.status == Status.ERROR:
        result["error"] = {"type": "user"}
    return {"status": _to_word(run.status, result), "result": result, "duration": 0}


def _to_word(status: str, result: dict[str, Any]) -> StatusWord:
    """`error` is also `user_error` or `application_error`."""
    error = result.get("error")
    kind = error.get("type") if isinstance(error, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return StatusWord(str(status), f"{kind}_error" if kind and status == Status.ERROR else "")
