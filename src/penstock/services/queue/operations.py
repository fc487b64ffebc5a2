"""What Queue does for those who ask: create a job, show a job."""

from __future__ import annotations

import msgspec

from penstock.components.component import Component
from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.management import interface as management
from penstock.services.queue import store
from penstock.services.queue.errors import (
    ConfigurationDisabled,
    InvalidJob,
    JobNotFound,
    UnknownComponent,
    UnknownConfiguration,
)
from penstock.services.queue.models import MODES, NOT_YET, JobRow, NewJob, Status
from penstock.services.storage import interface as storage


def create_job(tx: Transaction, caller: Caller, cipher: Cipher, wanted: NewJob) -> JobRow:
    """Accept a job. It is `waiting` if an earlier one of the same configuration has not ended."""
    _check(caller, wanted)
    component = _get_component(caller, wanted)
    config_id = str(wanted.config) if wanted.config not in (None, "") else None
    _check_configuration(tx, caller, wanted, component.id, config_id)
    job_id = ids.new_id(tx)
    job = JobRow(
        id=job_id,
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        run_id=f"{wanted.parent_run_id}.{job_id}".lstrip("."),
        token_id=caller.token_id,
        token_description=caller.description,
        mode=wanted.mode,
        component=component.id,
        config=config_id,
        config_data=_seal(cipher, caller, component, wanted),
        status=Status.CREATED,
        is_finished=False,
        result=b"{}",
        created_time=clock.now(),
    )
    if store.has_unfinished(tx, job):
        job = msgspec.structs.replace(job, status=Status.WAITING)
    store.add_job(tx, job)
    return job


def get_job(tx: Transaction, caller: Caller, job_id: str) -> JobRow:
    """A job of the caller's project and of a component that they may use."""
    number = ids.read_id(job_id)
    job = store.find_job(tx, caller.project_id, number) if number is not None else None
    if not job or not (caller.may_use_component(job.component) or job.token_id == caller.token_id):
        raise JobNotFound(job_id)
    return job


def get_project_name(tx: Transaction, job: JobRow) -> str:
    return management.get_project(tx, job.project_id).name


def check_health(tx: Transaction) -> None:
    """Raises unless the database answers."""
    store.list_unfinished_ids(tx)


def _check(caller: Caller, wanted: NewJob) -> None:
    if wanted.mode not in MODES:
        raise InvalidJob("mode", f"{wanted.mode!r} is not a mode; use one of {', '.join(MODES)}.")
    if str(wanted.branch_id) not in ("None", "", "default", str(caller.branch_id)):
        raise InvalidJob("branchId", f"There is no branch {wanted.branch_id} in this project.")
    for field, name in NOT_YET.items():
        if getattr(wanted, field) not in (None, "", {}, {"values": []}, 0, "0"):
            raise InvalidJob(name, "Not supported yet.")


def _get_component(caller: Caller, wanted: NewJob) -> Component:
    if not wanted.component:
        raise InvalidJob("component", "This field is missing: which component shall run?")
    try:
        return storage.get_component(caller, wanted.component)
    except NotFound as error:
        raise UnknownComponent(wanted.component) from error


def _check_configuration(
    tx: Transaction, caller: Caller, wanted: NewJob, component_id: str, config_id: str | None
) -> None:
    if wanted.config_data is not None:
        return
    if config_id is None:
        raise InvalidJob("config", "This field is missing: which configuration shall run?")
    try:
        stored = storage.read_configuration(tx, caller, component_id, config_id)
    except NotFound as error:
        raise UnknownConfiguration(config_id, component_id) from error
    if stored.is_disabled and wanted.mode != "forceRun":
        raise ConfigurationDisabled(config_id, component_id)


def _seal(cipher: Cipher, caller: Caller, component: Component, wanted: NewJob) -> bytes | None:
    if wanted.config_data is None:
        return None
    scope = Scope(caller.project_id, component.id, component.hosts_of(wanted.config_data))
    return msgspec.json.encode(cipher.encrypt(wanted.config_data, scope))
