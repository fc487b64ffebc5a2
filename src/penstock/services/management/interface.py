"""What other services may call in Management."""

from __future__ import annotations

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid, NotFound
from penstock.services.management.credits import add_credits, sum_credits
from penstock.services.management.limits import (
    JOBS_IN_PARALLEL,
    STORAGE_BYTES,
    STORAGE_ROWS,
    Limit,
    show_metrics,
    show_values,
)
from penstock.services.management.manage_tokens import (
    ManageToken,
    authenticate_manager,
    create_manage_token,
    list_manage_tokens,
    revoke_manage_token,
)
from penstock.services.management.models.events import (
    MemberRemoved,
    ProjectDeleted,
    ProjectDisabled,
    ProjectPurged,
    ProjectRestored,
)
from penstock.services.management.models.people import ROLES, Level, Member, Role, User
from penstock.services.management.models.projects import (
    FEATURES,
    FIRST_ORGANIZATION,
    NATIVE_TYPES,
    PAY_AS_YOU_GO,
    STORAGE_BRANCHES,
    Project,
    ProjectState,
)
from penstock.services.management.models.purchases import Purchase
from penstock.services.management.ports import Storage, Usage
from penstock.services.management.purging import remove_rows, remove_rows_of, tables_of
from penstock.services.management.store import projects as store
from penstock.services.management.store.members import (
    count_members,
    find_member,
    list_members,
    list_memberships,
    members,
)
from penstock.services.management.store.projects import (
    CLAIMED,
    count_projects,
    find_first_project,
    find_project,
    is_closed,
    list_existing_ids,
    list_projects,
    projects,
)
from penstock.services.management.store.users import find_user, find_user_by_email

__all__ = [
    "CLAIMED",
    "FEATURES",
    "FIRST_ORGANIZATION",
    "JOBS_IN_PARALLEL",
    "NATIVE_TYPES",
    "PAY_AS_YOU_GO",
    "ROLES",
    "STORAGE_BRANCHES",
    "STORAGE_BYTES",
    "STORAGE_ROWS",
    "Level",
    "Limit",
    "ManageToken",
    "Member",
    "MemberRemoved",
    "Project",
    "ProjectDeleted",
    "ProjectDisabled",
    "ProjectPurged",
    "ProjectRestored",
    "ProjectState",
    "Purchase",
    "Role",
    "Storage",
    "Usage",
    "User",
    "add_credits",
    "authenticate_manager",
    "count_members",
    "count_projects",
    "create_manage_token",
    "create_project",
    "find_first_project",
    "find_member",
    "find_project",
    "find_user",
    "find_user_by_email",
    "get_project",
    "is_closed",
    "list_existing_ids",
    "list_manage_tokens",
    "list_members",
    "list_memberships",
    "list_projects",
    "members",
    "projects",
    "remove_rows",
    "remove_rows_of",
    "revoke_manage_token",
    "set_feature",
    "show_metrics",
    "show_values",
    "sum_credits",
    "tables_of",
]


class UnknownFeature(Invalid):
    def __init__(self, feature: str) -> None:
        super().__init__(f'"{feature}" is not a feature of projects. Use one of: {", ".join(FEATURES)}.')


def create_project(tx: Transaction, name: str, organization_id: int = FIRST_ORGANIZATION) -> Project:
    project = Project(id=ids.new_id(tx), name=name, created=clock.now(), organization_id=organization_id)
    store.add_project(tx, project)
    return project


def get_project(tx: Transaction, project_id: int) -> Project:
    project = find_project(tx, project_id)
    if not project:
        raise NotFound(f"Project {project_id} not found")
    return project


def set_feature(tx: Transaction, project_id: int, feature: str, *, is_on: bool) -> Project:
    """Enable or disable a feature of a project; effective for requests after the commit."""
    if feature not in FEATURES:
        raise UnknownFeature(feature)
    project = get_project(tx, project_id)
    others = [each for each in project.features if each != feature]
    changed = msgspec.structs.replace(project, features=[*others, feature] if is_on else others)
    store.change_project(tx, changed)
    event = "feature.enabled" if is_on else "feature.disabled"
    audit.record(tx, audit.NewEntry(event=event, project_id=project_id, target=f"feature {feature}"))
    ids.count_change(tx, CALLERS)  # a caller's access depends on the features of its project
    return changed
