"""What all flows do: create children, release and cancel them, and store their own progress."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.components.catalogue import find_component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound, Unauthorized
from penstock.foundation.secrets import Scope
from penstock.foundation.stack import Stack
from penstock.runtime.exit_status import MESSAGE_CHARACTERS
from penstock.services.encryption.interface import bindings
from penstock.services.queue.flows.errors import TokenGone
from penstock.services.queue.flows.recursion import check_recursion
from penstock.services.queue.flows.stopping import stop_job
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.results import Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import JobPlacement, create_job
from penstock.services.queue.reports.failures import new_failure
from penstock.services.queue.reports.job_events import add_event, get_caller
from penstock.services.queue.store import children, jobs
from penstock.services.queue.store.children import RanJob
from penstock.services.queue.variables import values_scope
from penstock.services.queue.variables.sources import VARIABLES
from penstock.services.storage import interface as storage

T = TypeVar("T")

TRIES_PER_TRANSACTION = 100
"""What a flow may do in one transaction besides creating jobs: try tasks that then cannot be started or need no
job, and enter phases. Each takes about a millisecond, and there may be thousands."""


class FlowResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a flow ended."""

    status: Status
    message: str
    result: bytes


class Work:
    """A flow, in the transaction that takes its next step."""

    def __init__(self, tx: Transaction, stack: Stack, job: JobRow) -> None:
        self.tx, self.stack, self.job = tx, stack, job
        self._tries = TRIES_PER_TRANSACTION

    @property
    def may_try(self) -> bool:
        """Whether this transaction may do more; otherwise the rest is left to the next one."""
        return self._tries > 0

    def count_try(self) -> None:
        self._tries -= 1

    def continue_later(self) -> None:
        """Do the rest in another transaction: when a child ends or, if none is left, when a worker claims this job
        again, which then begins with its progress."""
        if not children.count_unfinished(self.tx, self.job):
            self.job = jobs.change_job(self.tx, self.job, status=Status.CREATED)

    def make_result(
        self, status: Status, message: str, *, kind: str = "user", cause: Exception | None = None, **fields: Any
    ) -> FlowResult:
        """`fields` are those of the job's result; an error is logged, as new_failure() says."""
        shown = message[:MESSAGE_CHARACTERS]
        error = new_failure(self.job.id, kind, shown, cause) if status is Status.ERROR else UNSET
        result = Result(message=shown, error=error, **fields)
        return FlowResult(status=status, message=shown, result=msgspec.json.encode(result))

    @cached_property
    def caller(self) -> Caller:
        """What the job's token may do now, in the job's branch."""
        try:
            return get_caller(self.tx, self.job)
        except Unauthorized as error:
            raise TokenGone from error

    def read_document(self) -> dict[str, Any]:
        """The job's own configuration, or the stored one; its secrets are still encrypted."""
        if self.job.config_data is not None:
            return msgspec.json.decode(self.job.config_data)
        return storage.read_configuration(self.tx, self.caller, self.job.component, self.job.config or "").document

    def read_stored(self) -> storage.Configuration | None:
        """The stored configuration, if there is one: read once for all children that have the same."""
        try:
            return storage.read_configuration(self.tx, self.caller, self.job.component, self.job.config or "")
        except NotFound:
            return None

    def open_secrets(self, data: dict[str, Any], hosts: str) -> dict[str, Any]:
        """A part of the flow's configuration, to be encrypted again for the component that it is meant for."""
        own = {"config_id": self.job.config or "", "branch_type": self.caller.branch_type}
        scope = Scope(self.job.project_id, self.job.component, hosts, **own)
        return self.stack.cipher.decrypt(data, scope, bindings=bindings.to_open(self.tx))

    def open_values(self, job: JobRow) -> dict[str, Any]:
        """The values of variables that a job was given, to be encrypted again for the component that gets them."""
        scope = values_scope(job.project_id, job.component)
        return self.stack.cipher.decrypt(job.variable_values_data, scope, "variableValuesData")

    def open_variables(self, config_id: str, row: dict[str, Any]) -> dict[str, Any]:
        """A stored set of values."""
        own = {"config_id": config_id, "branch_type": self.caller.branch_type}
        scope = Scope(self.job.project_id, VARIABLES, **own)
        return self.stack.cipher.decrypt(row, scope, bindings=bindings.to_open(self.tx))

    @property
    def config_version(self) -> str | UnsetType:
        return str(self.job.config_version) if self.job.config_version is not None else UNSET

    def create_child(self, request: JobRequest, place: JobPlacement) -> JobRow:
        """Raises an AppError if such a job cannot be created."""
        if place.has_lock:
            check_recursion(self.tx, self.caller, self.job, request)
        inside = msgspec.structs.replace(place, parent=self.job)
        return create_job(self.tx, self.caller, self.stack, request, inside)

    def list_children(self) -> list[JobRow]:
        return children.list_children(self.tx, self.job)

    def find_job(self, job_id: int) -> JobRow | None:
        return jobs.find_job(self.tx, self.job.project_id, job_id)

    def release(self, child: JobRow) -> None:
        """Release a child that was held back."""
        jobs.change_job(self.tx, child, is_held=False, status=Status.CREATED)

    def cancel(self, child: JobRow) -> None:
        """End a child that has not begun."""
        stop_job(self.tx, child)

    def save_progress(self, progress: msgspec.Struct) -> None:
        self.job = jobs.change_job(self.tx, self.job, progress=msgspec.json.encode(progress))

    def read_progress(self, kind: type[T]) -> T:
        return msgspec.json.decode(self.job.progress or b"{}", type=kind)

    def add_event(self, kind: str, message: str, params: dict[str, Any] | None = None) -> None:
        add_event(self.tx, self.job, kind, self.stack.paths.hide(message), params)


def find_hosts(job: JobRow, document: dict[str, Any]) -> str:
    """What the secrets in a flow's configuration are meant for."""
    component = find_component(job.component)
    return component.hosts_of(document) if component else ""


def read_result(job: JobRow | RanJob) -> dict[str, Any]:
    return msgspec.json.decode(job.result, type=dict[str, Any])


def read_message(job: JobRow | RanJob) -> str:
    return str(read_result(job).get("message", ""))
