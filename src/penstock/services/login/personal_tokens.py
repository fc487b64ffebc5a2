"""Personal access tokens: what people give their programs instead of a password."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from penstock.foundation import audit
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid, NotFound
from penstock.services.login.models import IssuedPersonalToken, NewPersonalToken, PersonalToken
from penstock.services.login.store import tokens as store
from penstock.services.login.store.tokens import Token
from penstock.services.login.tokens import make_with_row
from penstock.services.management.interface import find_member

MAX_TOKENS = 1_000
"""Of one user."""


class TokenNotFound(NotFound):
    def __init__(self, token_id: str | int) -> None:
        super().__init__(f"There is no personal access token {token_id}.")


class NotYourProject(Invalid):
    def __init__(self, project_id: int) -> None:
        super().__init__(f"projectIds: you are not a member of the project {project_id}.")


def create_token(tx: Transaction, caller: Identity, user_id: int, new_token: NewPersonalToken) -> IssuedPersonalToken:
    """Create a token; return it with its text, which is returned this once."""
    if len(store.list_tokens(tx, ("personal",), user_id)) >= MAX_TOKENS:
        raise Invalid(f"You have {MAX_TOKENS} personal access tokens. Revoke those that you do not use.")
    for project_id in new_token.project_ids:
        if not find_member(tx, "project", project_id, user_id):
            raise NotYourProject(project_id)
    lifetime = timedelta(seconds=new_token.expires_in) if new_token.expires_in else None
    fields: dict[str, object] = {"description": new_token.description, "only_reads": new_token.only_reads}
    projects = sorted(set(new_token.project_ids))
    token, text = make_with_row(tx, "personal", user_id, lifetime, project_ids=projects, **fields)
    expires = token.expires.isoformat() if token.expires else None
    details = {**fields, "projects": projects, "expires": expires}
    audit.record(tx, audit.NewEntry.of(caller, "token.created", f"personal access token {token.id}", **details))
    return IssuedPersonalToken(**msgspec.structs.asdict(view(token)), token=text)


def list_tokens(tx: Transaction, user_id: int | None = None) -> list[PersonalToken]:
    """List the tokens of one user, or of all."""
    return [view(token) for token in store.list_tokens(tx, ("personal",), user_id)]


def revoke_token(tx: Transaction, caller: Identity, token_id: int | None, user_id: int | None = None) -> None:
    """Revoke a token; of any user without `user_id`: for the operator."""
    token = store.find_token(tx, token_id) if token_id is not None else None
    if not token or token.kind != "personal" or (user_id is not None and token.user_id != user_id):
        raise TokenNotFound(token_id or 0)
    store.remove_family(tx, token.user_id, token.family_id)
    audit.record(tx, audit.NewEntry.of(caller, "token.deleted", f"personal access token {token.id}"))


def view(token: Token) -> PersonalToken:
    return PersonalToken(
        id=token.id,
        description=token.description,
        created=token.created,
        expires=token.expires,
        is_expired=token.is_expired,
        project_ids=token.project_ids,
        only_reads=token.only_reads,
        last_used=token.last_used,
    )
