"""Projects: created in an organization, changed, moved, and given limits and credits."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import available_timezones

import msgspec
from msgspec import UNSET

from penstock.foundation import clock, ids, strtotime
from penstock.foundation.callers import CALLERS, AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.events import publish
from penstock.services.management.credits import add_credits as add_purchase
from penstock.services.management.errors import ThingNotFound, UnknownKind
from penstock.services.management.models.backends import BACKEND
from penstock.services.management.models.events import ProjectMoved
from penstock.services.management.models.project_views import (
    TEMPLATES,
    CreditsView,
    Disabling,
    NewCredits,
    NewLimit,
    NewProject,
    ProjectChange,
    ProjectTemplate,
)
from penstock.services.management.models.projects import Project
from penstock.services.management.models.wire import to_text
from penstock.services.management.operations import features, lifecycle, memberships
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.groups import get_organization
from penstock.services.management.operations.standing import is_member, is_super, user_id_of
from penstock.services.management.ports import Storage
from penstock.services.management.store import projects as store
from penstock.services.management.store import users


def get_project(tx: Transaction, project_id: int) -> Project:
    """One that is not deleted."""
    found = store.find_project(tx, project_id)
    if not found or found.deleted:
        raise ThingNotFound("Project", project_id)
    return found


def create_project(
    tx: Transaction, storage: Storage, caller: AnyCaller, organization_id: int, new_project: NewProject
) -> Project:
    """Create a project with its Main branch and what its template has; the creator is its first administrator."""
    template = get_template(
        new_project.type, UnknownKind("type of project", new_project.type, [each.id for each in TEMPLATES])
    )
    _check_backend(new_project.default_backend)
    now = clock.now()
    project = Project(
        id=ids.new_id(tx),
        name=new_project.name,
        created=now,
        organization_id=organization_id,
        type=template.id,
        data_retention_days=new_project.data_retention_time_in_days,
        features=[each.name for each in features.list_of_template(tx, template.id)],
        expires=now + timedelta(days=template.expiration_days) if template.expiration_days else None,
    )
    store.add_project(tx, project)
    storage.open_project(tx, project)
    record(tx, caller, "project.created", f"project {project.id}", project.id)
    creator = users.find_user(tx, user_id_of(caller))
    if creator:
        memberships.add_member(tx, caller, "project", project.id, creator)
    return project


def get_template(value: str, error: Exception | None = None) -> ProjectTemplate:
    found = next((each for each in TEMPLATES if each.id == value), None)
    if not found:
        raise error or ThingNotFound("Project template", value)
    return found


def _check_backend(value: str) -> None:
    if value != BACKEND:
        raise UnknownKind("backend of this stack", value, [BACKEND])


def change_project(tx: Transaction, caller: AnyCaller, project_id: int, change: ProjectChange) -> Project:
    project = get_project(tx, project_id)
    given = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not UNSET}
    _check_change(caller, given)
    changes: dict[str, object] = {name: given[name] for name in ("name", "type", "timezone") if name in given}
    if "has_try_mode_on" in given:
        changes["has_try_mode"] = given["has_try_mode_on"]
    if "expiration_days" in given:
        days = given["expiration_days"]
        changes["expires"] = clock.now() + timedelta(days=days) if days else None
    if "billed_monthly_price" in given:
        price = given["billed_monthly_price"]
        changes["billed_monthly_price"] = None if price is None else str(price)
    if "data_retention_time_in_days" in given:
        changes["data_retention_days"] = given["data_retention_time_in_days"]
    changed = msgspec.structs.replace(project, **changes)
    store.change_project(tx, changed)
    ids.count_change(tx, CALLERS)
    record(tx, caller, "project.updated", f"project {project.id}", project.id, fields=sorted(given))
    return changed


_OF_SUPER = {"type": "type", "expiration_days": "expirationDays", "billed_monthly_price": "billedMonthlyPrice"}


def _check_change(caller: AnyCaller, change: dict[str, object]) -> None:
    for name, shown in _OF_SUPER.items():
        if name in change and not is_super(caller):
            raise Invalid(f"Only a super administrator changes {shown} of a project.")
    if "default_backend" in change:
        _check_backend(str(change["default_backend"]))
    if "type" in change:
        get_template(
            str(change["type"]), UnknownKind("type of project", str(change["type"]), [t.id for t in TEMPLATES])
        )
    zone = change.get("timezone")
    if zone and zone not in available_timezones():
        raise Invalid(f'"{str(zone)[:200]}" is not a time zone. Use a name such as Europe/Prague.')


def set_limits(tx: Transaction, caller: AnyCaller, project_id: int, limits: list[NewLimit]) -> Project:
    project = get_project(tx, project_id)
    given = {each.name: each.value for each in limits}
    return _change_limits(tx, caller, project, {**project.limits, **given})


def remove_limit(tx: Transaction, caller: AnyCaller, project_id: int, name: str) -> None:
    project = get_project(tx, project_id)
    if name not in project.limits:
        raise ThingNotFound("Limit", name)
    _change_limits(tx, caller, project, {key: value for key, value in project.limits.items() if key != name})


def _change_limits(tx: Transaction, caller: AnyCaller, project: Project, limits: dict[str, float]) -> Project:
    changed = msgspec.structs.replace(project, limits=limits)
    store.change_project(tx, changed)
    ids.count_change(tx, CALLERS)
    record(tx, caller, "project.limits", f"project {project.id}", project.id, limits=limits)
    return changed


def set_disabled(tx: Transaction, caller: AnyCaller, project_id: int, disabling: Disabling) -> Project:
    project = get_project(tx, project_id)
    if not disabling.is_disabled:
        return lifecycle.enable_project(tx, caller, project)
    return lifecycle.disable_project(
        tx, caller, project, disabling.disable_reason, _read_time(disabling.estimated_end_time)
    )


def _read_time(value: str | None) -> datetime | None:
    if not value:
        return None
    found = strtotime.read_time(value)
    if not found:
        raise Invalid(f'"{value[:200]}" is not a date. Use one such as 2026-12-24T18:00:00+0100, or "+1 hour".')
    return found


def move_project(
    tx: Transaction, storage: Storage, caller: AnyCaller, project_id: int, organization_id: int
) -> Project:
    """Move a project to an organization that the caller is a member of too. What the projects of the old one share
    ends."""
    project = get_project(tx, project_id)
    if not is_super(caller) and not is_member(tx, "organization", organization_id, user_id_of(caller)):
        raise ThingNotFound("Organization", organization_id)
    target = get_organization(tx, organization_id)
    changed = msgspec.structs.replace(project, organization_id=target.id)
    store.change_project(tx, changed)
    if target.id != project.organization_id:
        storage.cut_links(tx, project.id)
        publish(tx, ProjectMoved(project_id=project.id, organization_id=target.id))
    record(tx, caller, "project.moved", f"project {project.id}", project.id, organization=target.id)
    return changed


def add_credits(tx: Transaction, caller: AnyCaller, project_id: int, new_credits: NewCredits) -> CreditsView:
    project = get_project(tx, project_id)
    made = add_purchase(tx, project.id, Decimal(str(new_credits.amount)), new_credits.description, caller)
    return CreditsView(
        id=made.id, credits_amount=float(made.amount), description=made.description, created=to_text(made.created)
    )
