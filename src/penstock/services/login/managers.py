"""Who calls the Manage API: with a manage token, or with a token of a person."""

from __future__ import annotations

from penstock.foundation.callers import SignedIn
from penstock.foundation.errors import Forbidden
from penstock.foundation.stack import Stack
from penstock.services.login.people import identify_person
from penstock.services.management.interface import authenticate_program, rights_of
from penstock.web.auth.manage_token import MANAGE_TOKEN
from penstock.web.auth.storage_token import PERSONAL


class LimitedToken(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "This personal access token is limited to projects or to reading, so that it does not open the Manage API. "
            "Use one without limits."
        )


def authenticate_manager(stack: Stack, text: str) -> SignedIn:
    """Return who has this manage token, or this token of a person; the scopes of a manage token are its rights."""
    if not text.startswith(PERSONAL):
        return authenticate_program(stack, text)
    with stack.database.reading() as tx:
        person = identify_person(stack, tx, text)
    if person.project_ids or person.only_reads:
        raise LimitedToken
    return SignedIn(
        scheme=MANAGE_TOKEN,
        project_id=0,
        token_id=person.token_id,
        description=person.user.email,
        expires=person.expires,
        grants_until=person.grants_until,
        subject=f"token {person.token_id} of a person",
        rights=rights_of(person.user),
        user_id=person.user.id,
    )
