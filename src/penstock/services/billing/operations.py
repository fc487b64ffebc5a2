"""Billing's operations: the balance of a project, whether it may start jobs, and durations that others report."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.prices import Prices, to_micro
from penstock.services.billing import store
from penstock.services.billing.charging import charge, count_free
from penstock.services.billing.errors import NoCredits, UnknownProject
from penstock.services.billing.models import (
    MINUTE,
    Account,
    Balance,
    Consumed,
    FreeMinutes,
    JobDuration,
    Kind,
    SandboxDuration,
    Stats,
    Used,
    WorkspaceDuration,
    WorkspaceJobs,
    to_credits,
    to_duration,
)
from penstock.services.developer import interface as developer
from penstock.services.management import interface as management

STANDARD = "standard"


def get_balance(tx: Transaction, prices: Prices, project_id: int) -> Balance:
    account = _get_account(tx, project_id)
    free = count_free(prices, account, clock.now())
    used = round(prices.free_minutes * MINUTE) - free if account.is_pay_as_you_go else 0
    return Balance(
        consumed=to_credits(account.consumed),
        remaining=to_credits(_count_remaining(tx, project_id, account)),
        stats=Stats(
            component_jobs=Consumed(to_credits(account.jobs or 0)),
            workspace_jobs=WorkspaceJobs(consumed=to_credits(account.workspaces or 0)),
            free_minutes=FreeMinutes(used / MINUTE, free / MINUTE),
        ),
    )


def check_credits(tx: Transaction, prices: Prices, caller: Caller) -> None:
    """Raise if the project must pay for jobs and cannot. It costs nothing for other projects."""
    if not caller.is_pay_as_you_go:
        return
    account = _get_account(tx, caller.project_id)
    if count_free(prices, account, clock.now()) or _count_remaining(tx, caller.project_id, account) > 0:
        return
    raise NoCredits(caller.project_id)


def report_job(tx: Transaction, prices: Prices, project_id: int, reported: JobDuration) -> int:
    """The amount; 0 if the job was charged before, or is made of other jobs."""
    job_id = str(reported.job_id)
    _check_project(tx, project_id)
    own = store.find_account_for(tx, project_id, Kind.JOB, job_id)
    if reported.job_type != STANDARD or (own and own.is_charged):
        return 0
    component = developer.find_component(tx, reported.component_id) if reported.component_id else None
    used = Used(
        project_id=project_id,
        kind=Kind.REPORTED_JOB,
        reference=job_id,
        duration=to_duration(reported.duration_seconds),
        component=component.id if component else reported.component_id,
        component_type=component.type if component else "",
        size=reported.backend.type or reported.backend.container_type,
    )
    return charge(tx, prices, used) or 0


def report_workspace(tx: Transaction, prices: Prices, project_id: int, reported: WorkspaceDuration) -> int:
    """Every report is charged: it does not say of which use it is."""
    _check_project(tx, project_id)
    used = Used(
        project_id=project_id,
        kind=Kind.WORKSPACE,
        reference=ids.new_uuid(),
        duration=to_duration(reported.duration_seconds),
        size=reported.warehouse_size,
    )
    return charge(tx, prices, used) or 0


def report_sandbox(tx: Transaction, prices: Prices, project_id: int, reported: SandboxDuration) -> int:
    """Every report is charged: a sandbox is stopped and started again."""
    _check_project(tx, project_id)
    used = Used(
        project_id=project_id,
        kind=Kind.SANDBOX,
        reference=f"{reported.sandbox_id}/{ids.new_uuid()}",
        duration=to_duration(reported.duration_seconds),
        component_type=reported.sandbox_type,
        size=reported.sandbox_size,
    )
    return charge(tx, prices, used) or 0


def _count_remaining(tx: Transaction, project_id: int, account: Account) -> int:
    return to_micro(management.sum_credits(tx, project_id)) - (account.owed or 0)


def _check_project(tx: Transaction, project_id: int) -> None:
    _get_account(tx, project_id)


def _get_account(tx: Transaction, project_id: int) -> Account:
    found = store.find_account(tx, project_id)
    if not found:
        raise UnknownProject(project_id)
    return found
