"""Maintainers and organizations."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation import clock, ids
from penstock.foundation.callers import CALLERS, AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import AccessDenied, NotEmpty, ThingNotFound
from penstock.services.management.models.groups import (
    DEFAULTS,
    Defaults,
    Maintainer,
    MaintainerChange,
    MaintainerView,
    NewMaintainer,
    NewOrganization,
    Organization,
    OrganizationChange,
    OrganizationView,
    ProjectRef,
    maintainer_view,
    organization_view,
)
from penstock.services.management.models.people import Level
from penstock.services.management.models.projects import FIRST_ORGANIZATION
from penstock.services.management.models.wire import to_text
from penstock.services.management.operations import memberships
from penstock.services.management.operations.auditing import record
from penstock.services.management.operations.standing import is_member, is_super, user_id_of
from penstock.services.management.store import (
    invitations,
    maintainers,
    members,
    metadata,
    organizations,
    projects,
    users,
)


def read_number(kind: str, value: str) -> int:
    """The number in a path that nothing has checked yet."""
    number = ids.read_id(value)
    if number is None:
        raise ThingNotFound(kind, value)
    return number


def get_maintainer(tx: Transaction, maintainer_id: int) -> Maintainer:
    found = maintainers.find_maintainer(tx, maintainer_id)
    if not found:
        raise ThingNotFound("Maintainer", maintainer_id)
    return found


def list_maintainers(tx: Transaction, caller: AnyCaller) -> list[Maintainer]:
    """List the maintainers that the caller is a member of; for a super administrator all."""
    found = maintainers.list_maintainers(tx)
    return found if is_super(caller) else [each for each in found if _is_in(tx, caller, "maintainer", each.id)]


def list_organizations(tx: Transaction, caller: AnyCaller) -> list[Organization]:
    found = organizations.list_organizations(tx)
    return found if is_super(caller) else [each for each in found if _is_in(tx, caller, "organization", each.id)]


def _is_in(tx: Transaction, caller: AnyCaller, level: Level, owner_id: int) -> bool:
    return is_member(tx, level, owner_id, user_id_of(caller))


def create_maintainer(tx: Transaction, caller: AnyCaller, new_maintainer: NewMaintainer) -> Maintainer:
    row = Maintainer(
        id=ids.new_id(tx), name=new_maintainer.name, created=clock.now(), defaults=_given_defaults(new_maintainer)
    )
    maintainers.add_maintainer(tx, row)
    record(tx, caller, "maintainer.created", f"maintainer {row.id}")
    _add_creator(tx, caller, "maintainer", row.id)
    return row


def change_maintainer(tx: Transaction, caller: AnyCaller, maintainer_id: int, change: MaintainerChange) -> Maintainer:
    row = get_maintainer(tx, maintainer_id)
    name = change.name if isinstance(change.name, str) else row.name
    changed = msgspec.structs.replace(row, name=name, defaults={**row.defaults, **_given_defaults(change)})
    maintainers.change_maintainer(tx, changed)
    record(tx, caller, "maintainer.updated", f"maintainer {row.id}")
    return changed


def _given_defaults(defaults: Defaults) -> dict[str, Any]:
    return {name: value for name in DEFAULTS if (value := getattr(defaults, name)) is not UNSET}


def remove_maintainer(tx: Transaction, caller: AnyCaller, maintainer_id: int) -> None:
    _keep_first(maintainer_id, "maintainer")
    if organizations.list_organizations(tx, maintainer_id):
        raise NotEmpty("maintainer", "organizations")
    maintainers.remove_maintainer(tx, maintainer_id)
    _forget(tx, "maintainer", maintainer_id)
    record(tx, caller, "maintainer.deleted", f"maintainer {maintainer_id}")


def get_organization(tx: Transaction, organization_id: int) -> Organization:
    found = organizations.find_organization(tx, organization_id)
    if not found:
        raise ThingNotFound("Organization", organization_id)
    return found


def create_organization(
    tx: Transaction, caller: AnyCaller, maintainer_id: int, new_organization: NewOrganization
) -> Organization:
    row = Organization(
        id=ids.new_id(tx),
        maintainer_id=maintainer_id,
        name=new_organization.name,
        created=clock.now(),
        crm_id=new_organization.crm_id,
    )
    organizations.add_organization(tx, row)
    record(tx, caller, "organization.created", f"organization {row.id}")
    _add_creator(tx, caller, "organization", row.id)
    return row


def _add_creator(tx: Transaction, caller: AnyCaller, level: Level, owner_id: int) -> None:
    creator = users.find_user(tx, user_id_of(caller))
    if creator:
        memberships.add_member(tx, caller, level, owner_id, creator)


def change_organization(
    tx: Transaction, caller: AnyCaller, organization_id: int, change: OrganizationChange
) -> Organization:
    row = get_organization(tx, organization_id)
    given = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not UNSET}
    _check_target(tx, caller, row, given)
    changed = msgspec.structs.replace(row, **given)
    organizations.change_organization(tx, changed)
    ids.count_change(tx, CALLERS)  # whether members above may administer its projects
    record(tx, caller, "organization.updated", f"organization {row.id}", fields=sorted(given))
    return changed


def _check_target(tx: Transaction, caller: AnyCaller, row: Organization, change: dict[str, Any]) -> None:
    """Another maintainer and a project must be such that the caller knows them."""
    target = change.get("maintainer_id", row.maintainer_id)
    if target != row.maintainer_id and not is_super(caller) and not _is_in(tx, caller, "maintainer", target):
        raise ThingNotFound("Maintainer", target)
    get_maintainer(tx, target)
    project_id = change.get("activity_center_project_id")
    project = projects.find_project(tx, project_id) if project_id else None
    if project_id and (not project or project.deleted or project.organization_id != row.id):
        raise ThingNotFound("Project", project_id)


def remove_organization(tx: Transaction, caller: AnyCaller, organization_id: int) -> None:
    _keep_first(organization_id, "organization")
    if projects.has_project_in(tx, organization_id):
        raise NotEmpty("organization", "projects, maybe deleted ones")
    organizations.remove_organization(tx, organization_id)
    _forget(tx, "organization", organization_id)
    record(tx, caller, "organization.deleted", f"organization {organization_id}")


def _keep_first(number: int, level: Level) -> None:
    if number == FIRST_ORGANIZATION:
        raise Invalid(f"This is the {level} that every stack begins with: commands create projects in it.")


def _forget(tx: Transaction, level: Level, owner_id: int) -> None:
    members.remove_members(tx, level, owner_id)
    invitations.remove_invitations(tx, level, owner_id)
    metadata.remove_entries(tx, level, owner_id)


def join_maintainer(tx: Transaction, caller: AnyCaller, maintainer_id: int) -> None:
    if not is_super(caller):
        raise AccessDenied
    memberships.join_freely(tx, caller, "maintainer", maintainer_id, is_open=True)


def view_maintainer(tx: Transaction, row: Maintainer) -> MaintainerView:
    return maintainer_view(row, organizations.list_organizations(tx, row.id))


def view_organization(tx: Transaction, row: Organization) -> OrganizationView:
    """Return the organization with its projects and its maintainer."""
    refs = [
        ProjectRef(id=each.id, name=each.name, created=to_text(each.created))
        for each in projects.list_projects(tx, row.id)
    ]
    above = maintainer_view(get_maintainer(tx, row.maintainer_id))
    return msgspec.structs.replace(organization_view(row), projects=refs, maintainer=above)
