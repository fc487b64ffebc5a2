"""What other services may call in Management."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.services.management.credits import add_credits, sum_credits
from penstock.services.management.last_uses import note_use
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
    authenticate_program,
    check_scopes,
    create_manage_token,
    list_manage_tokens,
    revoke_manage_token,
    rights_of,
)
from penstock.services.management.models.events import (
    RESET_SEALED_FOR,
    SEALED_FOR,
    InvitationCreated,
    MemberRemoved,
    PasswordResetRequested,
    ProjectDeleted,
    ProjectDisabled,
    ProjectMoved,
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
from penstock.services.management.models.tokens import MadeToken, NewStorageToken
from penstock.services.management.operations import features, invitations, memberships, users
from penstock.services.management.operations.standing import require_second_factor, user_id_of
from penstock.services.management.operations.users import check_email, ensure_user, get_user
from penstock.services.management.ports import Logins, PersonToken, Storage, Usage
from penstock.services.management.purging import remove_portion, remove_rows, remove_rows_of, tables_of
from penstock.services.management.store import projects as store
from penstock.services.management.store.logins import Login, get_login, has_any_password, remove_login, save_login
from penstock.services.management.store.members import (
    add_member,
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
    list_ids_beside,
    list_projects,
    projects,
)
from penstock.services.management.store.users import (
    add_user,
    find_first_super_admin,
    find_user,
    find_user_by_email,
    list_all_users,
    rename_user,
)

__all__ = [
    "CLAIMED",
    "FEATURES",
    "FIRST_ORGANIZATION",
    "JOBS_IN_PARALLEL",
    "NATIVE_TYPES",
    "PAY_AS_YOU_GO",
    "RESET_SEALED_FOR",
    "ROLES",
    "SEALED_FOR",
    "STORAGE_BRANCHES",
    "STORAGE_BYTES",
    "STORAGE_ROWS",
    "InvitationCreated",
    "Level",
    "Limit",
    "Login",
    "Logins",
    "MadeToken",
    "ManageToken",
    "Member",
    "MemberRemoved",
    "NewStorageToken",
    "PasswordResetRequested",
    "PersonToken",
    "Project",
    "ProjectDeleted",
    "ProjectDisabled",
    "ProjectMoved",
    "ProjectPurged",
    "ProjectRestored",
    "ProjectState",
    "Purchase",
    "Role",
    "Storage",
    "Usage",
    "User",
    "accept_invitation",
    "add_credits",
    "add_member",
    "add_user",
    "authenticate_program",
    "check_email",
    "check_scopes",
    "count_members",
    "count_projects",
    "create_manage_token",
    "create_project",
    "ensure_administrator",
    "ensure_user",
    "find_first_project",
    "find_first_super_admin",
    "find_invited_user",
    "find_member",
    "find_project",
    "find_user",
    "find_user_by_email",
    "get_login",
    "get_project",
    "get_user",
    "has_any_password",
    "is_closed",
    "list_all_users",
    "list_ids_beside",
    "list_manage_tokens",
    "list_members",
    "list_memberships",
    "list_projects",
    "members",
    "note_use",
    "projects",
    "remove_login",
    "remove_portion",
    "remove_rows",
    "remove_rows_of",
    "rename_user",
    "require_second_factor",
    "revoke_manage_token",
    "rights_of",
    "save_login",
    "set_feature",
    "show_metrics",
    "show_values",
    "sum_credits",
    "tables_of",
    "user_id_of",
]


THE_OPERATOR = SignedIn(
    scheme="command",
    project_id=0,
    token_id=0,
    description="operator",
    subject="operator",
    rights=frozenset({Right.SUPER}),
)
"""Who runs commands on the data folder."""


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
    """Enable or disable a feature of a project, as the operator; effective for requests after the commit."""
    return features.set_of_project(tx, THE_OPERATOR, get_project(tx, project_id), feature, is_on=is_on)


def ensure_administrator(tx: Transaction, email: str) -> User:
    """The first administrator of a stack, a super administrator and a member of all that a stack begins with."""
    user = ensure_user(tx, email)
    if not user.is_super_admin:
        user = users.set_super_admin(tx, THE_OPERATOR, str(user.id), is_super=True)
    first = find_first_project(tx)
    places: list[tuple[Level, int]] = [("maintainer", FIRST_ORGANIZATION), ("organization", FIRST_ORGANIZATION)]
    if first:
        places.append(("project", first.id))
    for level, number in places:
        if not find_member(tx, level, number, user.id):
            memberships.add_member(tx, THE_OPERATOR, level, number, user)
    return user


def find_invited_user(tx: Transaction, code: str) -> User:
    """Whom an invitation is for, by the code in the link of its e-mail; raises unless that still works."""
    return get_user(tx, str(invitations.find_by_code(tx, code).user_id))


def accept_invitation(tx: Transaction, caller: SignedIn, code: str) -> None:
    """Accept an invitation of the caller by the code in the link of its e-mail."""
    invitations.accept(tx, caller, invitations.find_own_by_code(tx, caller, code))
