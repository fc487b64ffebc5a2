"""Billing over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right, of_scope
from penstock.services.billing import operations, usage
from penstock.services.billing.models import (
    Balance,
    JobDuration,
    Recorded,
    SandboxDuration,
    WorkspaceDuration,
    to_credits,
)
from penstock.services.billing.usage import Usage, UsageQuery
from penstock.services.login.interface import authenticate_manager
from penstock.web.auth.manage_token import manage_token
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, get, post, put

MANAGE_BILLING = of_scope("MANAGE_BILLING", "billing:manage")
CSV = "text/csv; charset=utf-8"


def routes() -> list[Route]:
    by_manager = manage_token(authenticate_manager)
    return [
        get("/credits", read_credits, needs=Right.TOKEN, title="Get the balance of credits"),
        post("/credits", check_credits, needs=Right.TOKEN, title="Check the balance of credits"),
        put(
            "/duration/job",
            report_job,
            needs=MANAGE_BILLING,
            auth=by_manager,
            status=201,
            title="Charge a job of another queue",
        ),
        put(
            "/duration/workspace",
            report_workspace,
            needs=MANAGE_BILLING,
            auth=by_manager,
            status=201,
            title="Charge the use of a workspace",
        ),
        put(
            "/duration/container-sandbox",
            report_sandbox,
            needs=MANAGE_BILLING,
            auth=by_manager,
            status=201,
            title="Charge the use of a sandbox",
        ),
        get("/usage", read_usage, needs=Right.MANAGE_BUCKETS, title="Get the usage of the project"),
        get(
            "/usage.csv",
            download_usage,
            needs=Right.MANAGE_BUCKETS,
            media_type=CSV,
            title="Download the usage of the project as CSV",
        ),
        get(
            "/usage/projects",
            read_projects,
            needs=MANAGE_BILLING,
            auth=by_manager,
            title="Get the usage of each project",
        ),
        health_check(description_of("billing")),
        description("billing"),
    ]


def read_credits(request: Request) -> Balance:
    """The balance of the project: what it has used, and what is left."""
    with request.reading() as tx:
        return operations.get_balance(tx, request.stack.settings.prices, request.caller.project_id)


def check_credits(request: Request) -> Balance:
    """The balance. There are no automatic payments here, so nothing is added first."""
    return read_credits(request)


def report_job(request: Request, body: JobDuration) -> Recorded:
    """Charge a job of another queue, once for each `jobId`."""
    project_id = int(body.project_id)
    with request.writing(project_id=project_id) as tx:
        return _recorded(operations.report_job(tx, request.stack.settings.prices, project_id, body))


def report_workspace(request: Request, body: WorkspaceDuration) -> Recorded:
    """Charge the use of a workspace that is not one of this stack."""
    project_id = int(body.project_id)
    with request.writing(project_id=project_id) as tx:
        return _recorded(operations.report_workspace(tx, request.stack.settings.prices, project_id, body))


def report_sandbox(request: Request, body: SandboxDuration) -> Recorded:
    """Charge the use of a sandbox or a data app."""
    project_id = int(body.project_id)
    with request.writing(project_id=project_id) as tx:
        return _recorded(operations.report_sandbox(tx, request.stack.settings.prices, project_id, body))


def read_usage(request: Request, query: UsageQuery) -> Usage:
    """What the project used and what that cost, grouped by day, component, configuration or kind."""
    with request.reading() as tx:
        return usage.read_usage(tx, request.caller.project_id, query)


def download_usage(request: Request, query: UsageQuery) -> Text:
    """What was used and what it cost, as CSV."""
    with request.reading() as tx:
        found = usage.read_usage(tx, request.caller.project_id, query)
    return Text(usage.write_csv(found.rows, query.group_by), CSV)


def read_projects(request: Request, query: UsageQuery) -> Usage:
    """What each project of the stack used, grouped by project and then as the query says."""
    with request.reading() as tx:
        return usage.read_usage(tx, None, query, by_project=True)


def _recorded(amount: int) -> Recorded:
    return Recorded(to_credits(amount))
