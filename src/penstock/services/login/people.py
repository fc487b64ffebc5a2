"""Who is signed in, and the projects of a user."""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Unauthorized
from penstock.foundation.stack import Stack
from penstock.services.login.errors import InvalidToken
from penstock.services.login.models import Introspection, Me, Membership, Session, Signed
from penstock.services.login.store import tokens as store
from penstock.services.login.store.tokens import Token
from penstock.services.login.tokens import identify
from penstock.services.management.interface import User, find_project, find_user, list_memberships, note_use


def describe(tx: Transaction, user_id: int, token_id: int) -> Me:
    """Describe the user, with the projects that the token opens."""
    user, token = find_user(tx, user_id), store.find_token(tx, token_id)
    if not user:
        raise InvalidToken
    return Me(
        user=Signed(user.id, user.email, user.name),
        is_super_admin=user.is_super_admin,
        mfa_enabled=user.mfa_enabled,
        projects=list_projects(tx, user, token.project_ids if token else None),
    )


def list_projects(tx: Transaction, user: User, only: list[int] | None = None) -> list[Membership]:
    """List the projects that the user is a member of now; `only` limits them to these ids."""
    found: list[Membership] = []
    for member in list_memberships(tx, user.id):
        project = find_project(tx, member.owner_id) if member.level == "project" else None
        has_ended = member.expires is not None and member.expires <= clock.now()
        if project and not project.deleted and not has_ended and (not only or project.id in only):
            found.append(Membership(id=project.id, name=project.name, role=member.role))
    return found


def introspect(tx: Transaction, text: str) -> Introspection:
    """Inactive for whatever is not valid now, without a reason (RFC 7662)."""
    try:
        token, user = identify(tx, text, ("personal", "access", "refresh", "session"))
    except Unauthorized:
        return Introspection(active=False)
    return Introspection(
        active=token.used is None,
        token_type=token.kind,
        session_id=str(token.family_id),
        expires=token.expires,
        user=Signed(user.id, user.email, user.name),
        projects=list_projects(tx, user, token.project_ids),
    )


class Person(msgspec.Struct, frozen=True):
    """Whom a token of a person identifies, and what the token is limited to."""

    user: User
    token_id: int
    expires: datetime | None
    project_ids: list[int]
    only_reads: bool
    is_personal: bool
    """Whether it is one that the user has made for a program, and not one of a sign-in."""
    is_of_client: bool
    """Whether it is one of a registered program, which opens one project."""
    sign_in_id: int = 0
    """What it is revoked with: the sign-in that it came of, or a personal access token itself."""

    @property
    def grants_until(self) -> datetime | None:
        """Tokens that it creates expire with it; those of a sign-in outlive it."""
        return self.expires if self.is_personal else None


def identify_person(stack: Stack, tx: Transaction, text: str) -> Person:
    """Identify a person by a personal access token or an access token; raise if it is not valid."""
    token, user = identify(tx, text, ("personal", "access"))
    note_use(stack, store.tokens, token.id)
    is_personal, is_of_client = token.kind == "personal", bool(token.client_id)
    return Person(
        user=user,
        token_id=token.id,
        expires=token.expires,
        project_ids=token.project_ids,
        only_reads=token.only_reads,
        is_personal=is_personal,
        is_of_client=is_of_client,
        sign_in_id=token.family_id,
    )


def list_sessions(tx: Transaction, user_id: int, token_id: int) -> list[Session]:
    """The sign-ins of a user that are still valid, of browsers and of programs. `token_id` is of the request."""
    found, own = store.list_tokens(tx, ("session", "refresh"), user_id), store.find_token(tx, token_id)
    current = own.family_id if own else 0
    return [_to_session(token, current) for token in found if token.used is None and not token.is_expired]


def _to_session(token: Token, current: int) -> Session:
    return Session(
        id=str(token.family_id),
        type="browser" if token.kind == "session" else "program",
        description=token.description,
        created=token.created,
        expires=token.expires,
        is_current=token.family_id == current,
    )
