"""What other services may call in Management."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Right, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.errors import NotFound
from penstock.services.management.credits import add_credits, sum_credits
from penstock.services.management.limits import (
    JOBS_IN_PARALLEL,
    STORAGE_BYTES,
    STORAGE_ROWS,
    Limit,
    show_metrics,
    show_values,
)
from penstock.services.management.login.attempts import begin_invitation, begin_reset
from penstock.services.management.login.first_administrator import get_user_or_first, make_link_of
from penstock.services.management.login.models import (
    IssuedPersonalToken,
    MfaRequired,
    NewPersonalToken,
    PersonalToken,
)
from penstock.services.management.login.oauth.models import SCOPES as OAUTH_SCOPES
from penstock.services.management.login.oauth.requests import PATH_OF_MCP
from penstock.services.management.login.oauth.requests import find_resource as find_mcp_resource
from penstock.services.management.login.other_services import (
    begin_sign_in,
    create_user,
    end_sign_in,
    find_owner,
    find_user_of,
    hash_new_password,
    is_signed_in,
    set_forgotten_password,
)
from penstock.services.management.login.people import Person, identify_person
from penstock.services.management.login.personal_tokens import (
    create_token as create_personal_token,
)
from penstock.services.management.login.personal_tokens import (
    list_tokens as list_personal_tokens,
)
from penstock.services.management.login.personal_tokens import (
    revoke_token as revoke_personal_token,
)
from penstock.services.management.login.resets import request_reset
from penstock.services.management.login.second_factor import Setup, confirm_setup, remove_second_factor, start_setup
from penstock.services.management.login.signing_in import forget_user, sign_in, sign_in_with_code
from penstock.services.management.manage_tokens import (
    ManageToken,
    authenticate_manager,
    create_manage_token,
    list_manage_tokens,
    revoke_manage_token,
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
from penstock.services.management.operations.users import check_email
from penstock.services.management.ports import Storage, Usage
from penstock.services.management.purging import remove_portion, remove_rows, remove_rows_of, tables_of
from penstock.services.management.store import projects as store
from penstock.services.management.store.logins import has_any_password
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
    list_ids_beside,
    list_projects,
    projects,
)
from penstock.services.management.store.users import (
    find_first_super_admin,
    find_user,
    find_user_by_email,
    list_all_users,
)

__all__ = [
    "CLAIMED",
    "FEATURES",
    "FIRST_ORGANIZATION",
    "JOBS_IN_PARALLEL",
    "NATIVE_TYPES",
    "OAUTH_SCOPES",
    "PATH_OF_MCP",
    "PAY_AS_YOU_GO",
    "RESET_SEALED_FOR",
    "ROLES",
    "SEALED_FOR",
    "STORAGE_BRANCHES",
    "STORAGE_BYTES",
    "STORAGE_ROWS",
    "InvitationCreated",
    "IssuedPersonalToken",
    "Level",
    "Limit",
    "MadeToken",
    "ManageToken",
    "Member",
    "MemberRemoved",
    "MfaRequired",
    "NewPersonalToken",
    "NewStorageToken",
    "PasswordResetRequested",
    "Person",
    "PersonalToken",
    "Project",
    "ProjectDeleted",
    "ProjectDisabled",
    "ProjectMoved",
    "ProjectPurged",
    "ProjectRestored",
    "ProjectState",
    "Purchase",
    "Role",
    "Setup",
    "Storage",
    "Usage",
    "User",
    "add_credits",
    "authenticate_manager",
    "begin_invitation",
    "begin_reset",
    "begin_sign_in",
    "check_email",
    "confirm_setup",
    "count_members",
    "count_projects",
    "create_manage_token",
    "create_personal_token",
    "create_project",
    "create_user",
    "end_sign_in",
    "ensure_administrator",
    "find_first_project",
    "find_invited_user",
    "find_mcp_resource",
    "find_member",
    "find_owner",
    "find_project",
    "find_user",
    "find_user_by_email",
    "find_user_of",
    "forget_user",
    "get_project",
    "get_user_or_first",
    "hash_new_password",
    "identify_person",
    "is_closed",
    "is_signed_in",
    "list_all_users",
    "list_ids_beside",
    "list_manage_tokens",
    "list_members",
    "list_memberships",
    "list_personal_tokens",
    "list_projects",
    "make_first_link",
    "make_link_of",
    "members",
    "projects",
    "remove_portion",
    "remove_rows",
    "remove_rows_of",
    "remove_second_factor",
    "request_reset",
    "require_second_factor",
    "revoke_manage_token",
    "revoke_personal_token",
    "set_feature",
    "set_forgotten_password",
    "show_metrics",
    "show_values",
    "sign_in",
    "sign_in_with_code",
    "start_setup",
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


def make_first_link(tx: Transaction, email: str) -> str | None:
    """The path of a link for the first administrator, as long as nobody can sign in with a password."""
    if has_any_password(tx):
        return None
    known = find_first_super_admin(tx) or ensure_administrator(tx, email)
    return make_link_of(tx, known.email)[1]


def ensure_administrator(tx: Transaction, email: str) -> User:
    """The first administrator of a stack, a super administrator and a member of all that a stack begins with."""
    user = users.ensure_user(tx, email)
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
    return users.get_user(tx, str(invitations.find_by_code(tx, code).user_id))
