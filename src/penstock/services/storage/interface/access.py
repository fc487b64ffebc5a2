"""Tokens, projects and branches."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.roles import ONLY_READS, require_writer
from penstock.foundation.stack import Stack
from penstock.services.login.interface import is_signed_in
from penstock.services.management.interface import User
from penstock.services.storage.errors.tokens import InvalidToken
from penstock.services.storage.operations import (
    authentication,
    branches,
    callers,
    issuing,
    members,
    projects,
    tokens,
)


class RunToken(msgspec.Struct, frozen=True):
    id: int
    text: str


def authenticate(stack: Stack, token: str) -> Caller:
    """Return the caller: for authentication schemes, which check the role by the row. Handlers call
    authenticate_writer()."""
    return callers.find_caller(stack, token)


def authenticate_writer(stack: Stack, token: str, refusal: str = ONLY_READS) -> Caller:
    """Return the caller, for handlers that look up a token themselves; raise if the role of its member, or the token,
    only reads."""
    caller = callers.find_caller(stack, token)
    require_writer(caller, refusal)
    return caller


def get_caller(tx: Transaction, project_id: int, token_id: int) -> Caller:
    """The caller that a token identifies; raises if it was revoked or has expired."""
    return authentication.get_caller(tx, project_id, token_id)


def get_writer(
    tx: Transaction, project_id: int, token_id: int, refusal: str = ONLY_READS, sign_in_id: int = 0
) -> Caller:
    """Return the caller as get_caller() does; raise also if the role of its member only reads now, or the sign-in or
    the personal access token that began the work (`Caller.sign_in_id`) was revoked."""
    caller = authentication.get_caller(tx, project_id, token_id)
    if sign_in_id and not is_signed_in(tx, sign_in_id):
        raise InvalidToken
    require_writer(caller, refusal)
    return caller


def service_caller(project_id: int, main_branch_id: int, token_id: int, description: str) -> Caller:
    """A service that acts by itself in the default branch, as events name it. It has no permissions."""
    return Caller(
        project_id=project_id,
        branch_id=main_branch_id,
        main_branch_id=main_branch_id,
        token_id=token_id,
        description=description,
    )


def create_run_token(tx: Transaction, caller: Caller, description: str, seconds: int | None) -> RunToken:
    """A token for what runs on behalf of the caller; it expires after `seconds` at the latest, or with the caller's."""
    issued = issuing.create_run_token(tx, caller, description, seconds)
    return RunToken(issued.row.id, issued.text)


def remove_run_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    issuing.remove_run_token(tx, caller, token_id)


def refresh_token(tx: Transaction, caller: Caller, token_id: int) -> None:
    """Replace its secret by one that nobody knows; raises if the token is gone or may do more than the caller."""
    tokens.refresh_token(tx, caller, str(token_id), is_shown=False)


def create_project(tx: Transaction, name: str, admin: str) -> tuple[str, Caller]:
    """Create a project; returns the text of its administrator's token, and the caller it identifies."""
    token, caller = projects.create_project(tx, name, admin)
    return token.text, caller


def create_admin_token(tx: Transaction, project_id: int, admin: str) -> str:
    return issuing.create_master_token(tx, project_id, admin).text


def ensure_member_token(tx: Transaction, project_id: int, user: User) -> int:
    """The id of the token that a member of the project has; raises if the user is not a member."""
    return members.ensure_token(tx, project_id, user)


def get_branch_id(tx: Transaction, caller: Caller, text: str) -> int:
    """A branch of the caller's project by its number or by the word `default`; raises if it does not exist."""
    return branches.get_branch(tx, caller, text).id


def in_branch(tx: Transaction, caller: Caller, text: str) -> Caller:
    """The caller in that branch of its project, as get_branch_id() finds it; without one, in Main."""
    return msgspec.structs.replace(caller, branch_id=get_branch_id(tx, caller, text or "default"))
