"""Projects as clients see them, with what their tables hold and who has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from penstock.foundation.database import Transaction
from penstock.services.management.limits import show_metrics, show_values
from penstock.services.management.models.backends import BACKEND, ONLY_ID
from penstock.services.management.models.groups import Organization
from penstock.services.management.models.project_views import (
    BackendRef,
    DeletedProjectView,
    Disabled,
    FileStorageRef,
    OrganizationRef,
    PayAsYouGo,
    ProjectOrganizationRef,
    ProjectView,
)
from penstock.services.management.models.projects import PAY_AS_YOU_GO, Project
from penstock.services.management.models.wire import to_text, to_text_or_none
from penstock.services.management.ports import Storage, Usage
from penstock.services.management.store import members, organizations, purchases


def view_projects(tx: Transaction, storage: Storage, host: str, rows: list[Project]) -> list[ProjectView]:
    """`host` is where Storage answers."""
    bought = purchases.sum_by_project(tx, [row.id for row in rows if PAY_AS_YOU_GO in row.features])
    return [
        ProjectView(
            **facts,
            file_storage=FileStorageRef(id=ONLY_ID),
            backends={BACKEND: BackendRef(id=ONLY_ID, host=host)},
            timezone=row.timezone,
            disabled=_disabled(row) if row.is_disabled else UNSET,
            pay_as_you_go=PayAsYouGo(purchased_credits=float(bought.get(row.id, 0)))
            if PAY_AS_YOU_GO in row.features
            else UNSET,
        )
        for row, facts in zip(rows, _list_facts(tx, storage, rows, _organization), strict=True)
    ]


def _disabled(row: Project) -> Disabled:
    return Disabled(reason=row.disable_reason, estimated_end_time=to_text_or_none(row.enabled_again))


def view_deleted(tx: Transaction, storage: Storage, rows: list[Project]) -> list[DeletedProjectView]:
    return [
        DeletedProjectView(
            **facts,
            is_purged=row.purged is not None,
            is_deleted=row.deleted is not None,
            deleted_time=to_text_or_none(row.deleted),
            purged_time=to_text_or_none(row.purged),
        )
        for row, facts in zip(rows, _list_facts(tx, storage, rows, _name_organization), strict=True)
    ]


def _list_facts(
    tx: Transaction, storage: Storage, rows: list[Project], to_ref: Callable[[Organization], OrganizationRef]
) -> list[dict[str, Any]]:
    """Return the facts in as many queries for many projects as for one."""
    numbers = [row.id for row in rows]
    used, counts = storage.measure(tx, numbers), members.count_by_owner(tx, "project", numbers)
    above = organizations.list_by_ids(tx, {row.organization_id for row in rows})
    return [
        _facts(row, used.get(row.id, Usage()), counts.get(row.id, 0), to_ref(above[row.organization_id]))
        for row in rows
    ]


def _facts(row: Project, used: Usage, administrators: int, organization: OrganizationRef) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "type": row.type,
        "created": to_text(row.created),
        "expires": to_text_or_none(row.expires),
        "features": list(row.active_features),
        "data_size_bytes": used.size_bytes,
        "rows_count": used.rows,
        "default_backend": row.default_backend,
        "has_try_mode_on": "1" if row.has_try_mode else "0",
        "limits": show_values(row.limits),
        "metrics": show_metrics(used.rows, used.size_bytes, administrators),
        "is_disabled": row.is_disabled,
        "billed_monthly_price": None if row.billed_monthly_price is None else float(row.billed_monthly_price),
        "data_retention_time_in_days": row.data_retention_days,
        "organization": organization,
    }


def _name_organization(row: Organization) -> OrganizationRef:
    return OrganizationRef(id=row.id, name=row.name, created=to_text(row.created), allow_auto_join=row.allow_auto_join)


def _organization(row: Organization) -> ProjectOrganizationRef:
    project = row.activity_center_project_id
    return ProjectOrganizationRef(
        id=row.id,
        name=row.name,
        crm_id=row.crm_id,
        activity_center_project_id=None if project is None else str(project),
        created=to_text(row.created),
        allow_auto_join=row.allow_auto_join,
    )
