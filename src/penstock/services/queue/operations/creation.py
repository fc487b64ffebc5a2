"""A job is accepted."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.component import Component
from penstock.components.sealing import scope_of, seal_secrets
from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.foundation.secrets import Cipher
from penstock.services.queue.errors import (
    ConfigurationDisabled,
    InvalidJob,
    JobExists,
    NotOneOf,
    NotRunnable,
    UnknownBranch,
    UnknownComponent,
    UnknownConfiguration,
)
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.requests import MODES, NewJob
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations import parsing
from penstock.services.queue.operations.kinds import find_kind
from penstock.services.queue.operations.processors import check_processors
from penstock.services.queue.operations.resolution import resolve
from penstock.services.queue.store import jobs
from penstock.services.queue.variables import values_scope
from penstock.services.storage import interface as storage


class JobPlacement(msgspec.Struct, frozen=True, kw_only=True):
    """Where a job stands among others."""

    parent: JobRow | None = None
    """What it is a part of."""
    type: Kind | None = None
    """What its container knows it to be; otherwise it is found out."""
    is_held: bool = False
    """Whether it waits until its container lets it begin."""
    has_lock: bool = True
    """Whether it waits for others of its configuration; parts that run side by side do not."""
    progress: bytes | None = None
    """What it has to know that its request does not say."""
    stored: storage.Configuration | None = None
    """Its configuration, if its container has read it: with thousands of rows, once is enough."""


ALONE = JobPlacement()


def create_job(tx: Transaction, caller: Caller, cipher: Cipher, wanted: NewJob, place: JobPlacement = ALONE) -> JobRow:
    """Accept a job, by itself or as a part of another. It is `waiting` if it cannot begin yet."""
    component = _get_component(tx, caller, wanted)
    caller = _in_branch(tx, caller, wanted, place)
    stored = place.stored or _find_configuration(tx, caller, wanted, component.id)
    if not place.stored:  # what a container has read was checked when the container was created
        check_processors(tx, caller, wanted, stored)
    job = _make_job(tx, caller, component, wanted, place, stored)
    values = cipher.encrypt(job.variable_values_data, values_scope(job.project_id, job.component))
    sealed = _seal(cipher, caller, component, wanted)
    job = msgspec.structs.replace(job, config_data=sealed, variable_values_data=values)
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
    wanted: NewJob,
    place: JobPlacement,
    stored: storage.Configuration | None,
) -> JobRow:
    documents = [document for document in (wanted.config_data, stored and stored.document) if document]
    resolved = resolve(component, wanted, documents)
    is_own = wanted.config_data is not None
    kind = place.type or find_kind(component, wanted, stored.rows if stored else [], resolved.parallelism)
    config_id = parsing.read_name("config", wanted.config)
    job_id, parent = ids.new_id(tx), place.parent
    above = parent.run_id if parent else parsing.read_name("parentRunId", wanted.parent_run_id) or ""
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
        mode=_read_mode(wanted),
        component=component.id,
        component_type=component.type,
        config=config_id,
        config_data=None,
        config_version=stored.version if stored and not is_own else None,
        config_row_ids=[] if is_own else parsing.read_row_ids(wanted.config_row_ids),
        tag=resolved.tag,
        type=kind,
        status=Status.WAITING if place.is_held else Status.CREATED,
        is_finished=False,
        is_held=place.is_held,
        lock_key=f"{component.id}/{config_id}" if place.has_lock and config_id is not None else None,
        result=b"{}",
        progress=place.progress,
        variable_values_id=resolved.variable_values_id,
        variable_values_data=resolved.variable_values_data,
        backend=_with_context(resolved.backend, kind, caller, component),
        executor=resolved.executor,
        parallelism=resolved.parallelism,
        on_error=parsing.read_on_error(wanted.behavior),
        delayed_start_time=parsing.read_start(wanted),
        only_orchestration_task_ids=parsing.read_task_ids(wanted.only_orchestration_task_ids),
        created_time=clock.now(),
        **_links(wanted),
    )


def _links(wanted: NewJob) -> dict[str, Any]:
    """The other jobs and tasks that it names, and the name that only one unfinished job may have."""
    names = {
        "orchestration_job_id": "orchestrationJobId",
        "orchestration_task_id": "orchestrationTaskId",
        "orchestration_phase_id": "orchestrationPhaseId",
        "previous_job_id": "previousJobId",
        "deduplication_id": "deduplicationId",
    }
    return {name: parsing.read_name(field, getattr(wanted, name)) for name, field in names.items()}


def _with_context(backend: dict[str, str], kind: Kind, caller: Caller, component: Component) -> dict[str, str]:
    if kind is not Kind.STANDARD or "context" in backend:
        return backend
    return {**backend, "context": f"{caller.project_id}-{component.type}"}


def _read_mode(wanted: NewJob) -> str:
    if wanted.mode not in MODES:
        raise NotOneOf("mode", wanted.mode, MODES)
    return wanted.mode


def _in_branch(tx: Transaction, caller: Caller, wanted: NewJob, place: JobPlacement) -> Caller:
    """The caller, in the branch of the job: that of its parent, else the wanted one, else Main."""
    if place.parent:
        return msgspec.structs.replace(caller, branch_id=place.parent.branch_id)
    given = parsing.read_name("branchId", wanted.branch_id)
    if given in (None, "default", str(caller.main_branch_id)):
        return msgspec.structs.replace(caller, branch_id=caller.main_branch_id)
    try:
        return msgspec.structs.replace(caller, branch_id=storage.get_branch_id(tx, caller, given))
    except NotFound as error:
        raise UnknownBranch(given) from error


def _get_component(tx: Transaction, caller: Caller, wanted: NewJob) -> Component:
    if not wanted.component:
        raise InvalidJob("component", "This field is missing: which component shall run?")
    try:
        component = storage.get_component(tx, caller, wanted.component)
    except NotFound as error:
        raise UnknownComponent(wanted.component) from error
    if not component.is_runnable:
        raise NotRunnable(component.id, component.why_not_runnable)
    return component


def _find_configuration(
    tx: Transaction, caller: Caller, wanted: NewJob, component_id: str
) -> storage.Configuration | None:
    """The stored one; a job with configuration data of its own can do without."""
    config_id, is_needed = parsing.read_name("config", wanted.config), wanted.config_data is None
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
    if is_needed and stored.is_disabled and wanted.mode != "forceRun":
        raise ConfigurationDisabled(config_id, component_id)
    return stored


def _seal(cipher: Cipher, caller: Caller, component: Component, wanted: NewJob) -> bytes | None:
    if wanted.config_data is None:
        return None
    document = wanted.config_data
    scope = scope_of(caller.project_id, component.id, component.hosts_of(document), document)
    return msgspec.json.encode(seal_secrets(cipher, document, scope))
