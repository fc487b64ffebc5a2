"""A stack whose jobs are claimed and finished by hand, as a worker would that needs no time."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.results import Failure, Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.store import children, jobs
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project

EXTRACTOR, FLOW, ORCHESTRATOR = "ex-generic-v2", "keboola.flow", "keboola.orchestrator"

Outcome = tuple[Status, str]
FINE: Outcome = (Status.SUCCESS, "Component processing finished.")
BAD: Outcome = (Status.ERROR, "The API said no.")


class World:
    def __init__(self, services: ServicesOnly) -> None:
        self.services, self.stack = services, services.stack
        self.storage, self.queue = services.service("storage"), services.service("queue")
        self._project_id = first_project(services).caller.project_id
        self.ran: list[str] = []
        """The configurations of the jobs that ran, in their order."""

    def configure(self, *config_ids: str) -> None:
        """Configurations for tasks to run; what they hold does not matter here."""
        for config_id in config_ids:
            self.save(EXTRACTOR, config_id, {"parameters": {}})

    def save(self, component: str, config_id: str, document: Any) -> None:
        wanted = {"name": config_id, "configurationId": config_id, "configuration": document}
        response = self.storage.post(f"/v2/storage/components/{component}/configs", wanted)
        assert response.status == 201, response.text

    def save_row(self, config_id: str, row_id: str, **fields: Any) -> None:
        wanted = {"rowId": row_id, "name": row_id, "configuration": {}, **fields}
        response = self.storage.post(f"/v2/storage/components/{EXTRACTOR}/configs/{config_id}/rows", wanted)
        assert response.status == 201, response.text

    def start(self, component: str, config: str, kind: Kind = Kind.ORCHESTRATION, **fields: Any) -> int:
        response = self.queue.post("/jobs", {"component": component, "config": config, "mode": "run"})
        assert response.status == 201, response.text
        job_id = int(response.json["id"])
        self.change(job_id, type=kind, **fields)
        return job_id

    def change(self, job_id: int, **fields: Any) -> None:
        with self.stack.database.writing() as tx:
            jobs.change_job(tx, self.find(job_id), **fields)

    def find(self, job_id: int) -> JobRow:
        with self.stack.database.reading() as tx:
            job = jobs.find_job(tx, self._project_id, job_id)
        assert job
        return job

    def children(self, job_id: int) -> list[JobRow]:
        with self.stack.database.reading() as tx:
            return children.list_children(tx, self.find(job_id))

    def claim(self) -> JobRow | None:
        """The next job that runs a component; containers on the way to it are begun."""
        while job := leases.claim_job(self.stack, "worker"):
            if job.type is Kind.STANDARD:
                self.ran.append(str(job.config))
                return job
            leases.begin_flow(self.stack, job)
        return None

    def finish(self, job: JobRow, outcome: Outcome = FINE) -> None:
        status, message = outcome
        error = Failure(type="user", exception_id="exception-1") if status is Status.ERROR else msgspec.UNSET
        result = Result(message=message, error=error)
        leases.finish_job(self.stack, caller_of(job), job, leases.JobOutcome(status=status, result=result))

    def work(self, outcome: Callable[[JobRow], Outcome] = lambda _: FINE) -> None:
        """Until there is nothing more to do."""
        while job := self.claim():
            self.finish(job, outcome(job))

    def work_with(self, **outcomes: Outcome | list[Outcome]) -> None:
        """Outcomes by configuration; a list is one after another."""

        def choose(job: JobRow) -> Outcome:
            found = outcomes.get(str(job.config), FINE)
            return found.pop(0) if isinstance(found, list) else found

        self.work(choose)

    def show(self, job_id: int) -> dict[str, Any]:
        return self.queue.get(f"/jobs/{job_id}").json

    def result(self, job_id: int) -> dict[str, Any]:
        return json.loads(self.find(job_id).result)

    def events(self, job_id: int) -> list[dict[str, Any]]:
        """Oldest first."""
        return self.storage.get(f"/v2/storage/events?runId={job_id}").json[::-1]


def by_id(items: list[dict[str, Any]]) -> dict[str, str]:
    return {item["id"]: item["status"] for item in items}


def job_task(task_id: str, phase: str, config: str, **fields: Any) -> dict[str, Any]:
    outer = {name: fields.pop(name) for name in ("enabled", "continueOnFailure") if name in fields}
    inner = {"type": "job", "componentId": EXTRACTOR, "configId": config, "mode": "run", **fields}
    return {"id": task_id, "name": f"Task {task_id}", "phase": phase, "task": inner, **outer}


def phase(phase_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": phase_id, "name": f"Phase {phase_id}", **fields}


def is_status(task_id: str, status: str) -> dict[str, Any]:
    operands = [{"type": "task", "task": task_id, "value": "job.status"}, {"type": "const", "value": status}]
    return {"type": "operator", "operator": "EQUALS", "operands": operands}


def step(goto: str | None, condition: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"id": f"to-{goto}", "goto": goto, **({"condition": condition} if condition else {})}
