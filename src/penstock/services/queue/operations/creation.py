"""Creates jobs."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.component import Component, Runs
from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, NotFound
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.runtime.launchers import check_launchable
from penstock.services.billing import interface as billing
from penstock.services.developer import interface as developer
from penstock.services.encryption.interface import bindings
from penstock.services.queue.errors import (
    ComponentForbidden,
    ConfigurationDisabled,
    InvalidJob,
    JobExists,
    NotRunnable,
    UnknownBranch,
    UnknownComponent,
    UnknownConfiguration,
    UnknownTag,
)
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.processors import check_processors
from penstock.services.queue.operations.resolution import find_configured_tag, find_kind, resolve
from penstock.services.queue.operations.sealing import seal_configuration
from penstock.services.queue.store import jobs
from penstock.services.queue.variables import values_scope
from penstock.services.storage import interface as storage


class JobPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """How a new job relates to other jobs."""

    parent: JobRow | None = None
    """The flow that it is a part of."""
    type: Kind | None = None
    """Given by its flow; otherwise it follows from the request."""
    is_held: bool = False
    """Whether it waits until its flow releases it."""
    has_lock: bool = True
    """Whether it waits for other jobs of its configuration; parts that run in parallel do not."""
    progress: bytes | None = None
    """Progress that it begins with."""
    stored: storage.Configuration | None = None
    """Its configuration, if its flow has read it already: there may be thousands of children."""


ALONE = JobPlacement()


def create_job(
    tx: Transaction, caller: Caller, stack: Stack, request: JobRequest, place: JobPlacement = ALONE
) -> JobRow:
    """Create a job, by itself or as a part of a flow. It is `waiting` if it cannot begin yet."""
    billing.check_credits(tx, stack, caller)
    component = _get_component(tx, caller, request)
    caller = _in_branch(tx, caller, request, place)
    stored = place.stored or _find_configuration(tx, caller, request, component.id)
    if not place.stored:  # what a container has read was checked when the container was created
        check_processors(tx, caller, stack.settings.launcher, request, stored)
    if not place.parent and request.tag != find_configured_tag(request, stored):
        check_tag(component, request.tag)
    request = resolve(component, request, stored)
    if request.tag and request.tag != component.tag:  # raises if it has no such version
        component = developer.find_component(tx, component.id, request.tag, project_id=caller.project_id) or component
    check_launchable(stack.settings.launcher, component.image, has_command=component.has_command)
    job = _make_job(tx, caller, component, request, place, stored)
    job = msgspec.structs.replace(job, **_seal(tx, stack.cipher, caller, component, request))
    if job.deduplication_id and jobs.has_deduplication(tx, job.project_id, job.deduplication_id):
        raise JobExists(job.deduplication_id)
    if jobs.has_unfinished(tx, job):
        job = msgspec.structs.replace(job, status=Status.WAITING)
    jobs.add_job(tx, job)
    return job


def _make_job(
    tx: Transaction,
    caller: Caller,
    component: Component,
    request: JobRequest,
    place: JobPlacement,
    stored: storage.Configuration | None,
) -> JobRow:
    """Make a job without encrypted fields."""
    kind = place.type or find_kind(component, request, stored.rows if stored else [])
    has_lock = place.has_lock and request.config is not None
    job_id, parent = ids.new_id(tx), place.parent
    above = parent.run_id if parent else request.parent_run_id or ""
    return JobRow(
        id=job_id,
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        has_storage_branches=caller.has_storage_branches,
        run_id=f"{above}.{job_id}".lstrip("."),
        parent_run_id=above,
        parent_id=parent.id if parent else None,
        token_id=caller.token_id,
        token_description=caller.description,
        mode=request.mode,
        component=component.id,
        component_type=component.type,
        config=request.config,
        config_data=None,
        config_version=stored.version if stored and request.config_data is None else None,
        config_row_ids=request.config_row_ids,
        tag=request.tag,
        type=kind,
        status=Status.WAITING if place.is_held else Status.CREATED,
        is_finished=False,
        is_held=place.is_held,
        lock_key=f"{component.id}/{request.config}" if has_lock else None,
        result=b"{}",
        progress=place.progress,
        variable_values_id=request.variable_values_id,
        backend=_with_context(request.backend, kind, caller, component),
        executor=request.executor,
        parallelism=request.parallelism,
        on_error=request.on_error,
        orchestration_job_id=request.orchestration_job_id,
        orchestration_task_id=request.orchestration_task_id,
        orchestration_phase_id=request.orchestration_phase_id,
        only_orchestration_task_ids=request.only_orchestration_task_ids,
        previous_job_id=request.previous_job_id,
        deduplication_id=request.deduplication_id,
        delayed_start_time=request.delayed_start_time,
        created_time=clock.now(),
    )


def _with_context(backend: dict[str, str], kind: Kind, caller: Caller, component: Component) -> dict[str, str]:
    if kind is not Kind.STANDARD or "context" in backend:
        return backend
    return {**backend, "context": f"{caller.project_id}-{component.type}"}


def _in_branch(tx: Transaction, caller: Caller, request: JobRequest, place: JobPlacement) -> Caller:
    """The caller, in the branch of the job: that of its parent, else the wanted one, else Main."""
    if place.parent:
        return msgspec.structs.replace(caller, branch_id=place.parent.branch_id)
    given = request.branch_id
    if given in (None, "default", str(caller.main_branch_id)):
        return msgspec.structs.replace(caller, branch_id=caller.main_branch_id)
    try:
        return msgspec.structs.replace(caller, branch_id=storage.get_branch_id(tx, caller, given))
    except NotFound as error:
        raise UnknownBranch(given) from error


def _get_component(tx: Transaction, caller: Caller, request: JobRequest) -> Component:
    try:
        component = storage.get_component(tx, caller, request.component)
    except NotFound as error:
        raise UnknownComponent(request.component) from error
    except Forbidden as error:
        raise ComponentForbidden(request.component) from error
    if not component.is_runnable:
        raise NotRunnable(component.id, component.why_not_runnable)
    return component


def check_tag(component: Component, tag: str | None) -> None:
    """Raise if a request names another version of a bundled component: there is one. Configurations may name one, since
    they are brought from other stacks, and so may jobs that are run again. The tag of a flow is for its tasks."""
    if component.module and component.runs is Runs.PROGRAM and tag and tag != component.tag:
        raise UnknownTag(component.id, tag, component.tag)


def _find_configuration(
    tx: Transaction, caller: Caller, request: JobRequest, component_id: str
) -> storage.Configuration | None:
    """The stored configuration; optional for a job with its own configuration data."""
    config_id, is_needed = request.config, request.config_data is None
    if config_id is None:
        if is_needed:
            raise InvalidJob("config", "This field is missing: which configuration shall run?")
        return None
    try:
        stored = storage.read_configuration(tx, caller, component_id, config_id)
    except NotFound as error:
        if not is_needed:
            return None
        raise UnknownConfiguration(config_id, component_id) from error
    if is_needed and stored.is_disabled and request.mode != "forceRun":
        raise ConfigurationDisabled(config_id, component_id)
    return stored


def _seal(tx: Transaction, cipher: Cipher, caller: Caller, component: Component, request: JobRequest) -> dict[str, Any]:
    """The fields of a job that may hold secrets, encrypted."""
    values = {"values": request.variable_values} if request.variable_values else {}
    sealed: dict[str, Any] = {
        "variable_values_data": cipher.encrypt(
            values, values_scope(caller.project_id, component.id), bindings.to_seal(tx, caller.project_id)
        )
    }
    if (document := request.config_data) is not None:
        encrypted = seal_configuration(tx, caller, cipher, component, document, request.config or "")
        sealed["config_data"] = msgspec.json.encode(encrypted)
    return sealed
