"""Maintainers, organizations and projects alike: what one can be a member of."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.management.models.people import Level
from penstock.services.management.store import maintainers, organizations, projects
from penstock.services.management.store.members import list_memberships


def get_name(tx: Transaction, level: Level, owner_id: int) -> str:
    finders = {
        "maintainer": maintainers.find_maintainer,
        "organization": organizations.find_organization,
        "project": projects.find_project,
    }
    found = finders[level](tx, owner_id)
    return found.name if found else ""


def list_organizations_of(tx: Transaction, level: Level, owner_id: int) -> set[int]:
    """Return the organizations of a maintainer, that of a project, or the organization itself."""
    if level == "maintainer":
        return {each.id for each in organizations.list_organizations(tx, owner_id)}
    if level == "organization":
        return {owner_id}
    project = projects.find_project(tx, owner_id)
    return {project.organization_id} if project else set()


def is_in_organizations(tx: Transaction, user_id: int, organization_ids: set[int]) -> bool:
    """Whether the user is a member of one of them, or of a project of one."""
    mine = list_memberships(tx, user_id)
    project_ids = [member.owner_id for member in mine if member.level == "project"]
    known = {member.owner_id for member in mine if member.level == "organization"}
    known |= {project.organization_id for project in projects.list_by_ids(tx, project_ids)}
    return bool(known & organization_ids)
