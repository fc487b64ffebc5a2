"""The audit log of the project over HTTP. It does not depend on a branch."""

from __future__ import annotations

from penstock.foundation import audit
from penstock.foundation.callers import Right
from penstock.services.storage.models.audit_log import AuditQuery, AuditView, audit_view
from penstock.web.requests import Request
from penstock.web.routing import Route, get


def routes() -> list[Route]:
    return [get("/v2/storage/audit-log", list_entries, needs=Right.MASTER, title="List entries of the audit log")]


def list_entries(request: Request, query: AuditQuery) -> list[AuditView]:
    """List who used which secret of the project and changed which permissions, newest first."""
    wanted = audit.AuditFilter(
        project_id=request.caller.project_id,
        event=query.event,
        actor=query.actor,
        before=query.before,
        limit=query.limit,
    )
    with request.reading() as tx:
        return [audit_view(entry) for entry in audit.list_entries(tx, wanted)]
