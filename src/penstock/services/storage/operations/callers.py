"""Who sends a request: the holder of a Storage token, or of the token of a person, which is a personal access token or
one that a program got when somebody signed in.

The token of a person opens the projects that the user is a member of: the header X-KBC-ProjectId says which one. The
request is then that of the member's Storage token, within what the token of the person is limited to. That of a
registered program opens one project, which needs no header.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import READ_ONLY, Caller
from penstock.foundation.stack import Stack
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.storage.errors.tokens import NotForProject, NotYourProject, ProjectNotNamed
from penstock.services.storage.operations.authentication import authenticate, get_caller
from penstock.services.storage.operations.members import ensure_token
from penstock.services.storage.store import tokens
from penstock.web.auth.storage_token import PROJECT_HEADER, split_personal


def find_caller(stack: Stack, credential: str) -> Caller:
    """The caller that a Storage token identifies, or a token of a person with its project."""
    token, project = split_personal(credential)
    return _find_person(stack, token, project) if token else authenticate(stack, credential)


def _find_person(stack: Stack, token: str, project: str) -> Caller:
    """The caller that the token identifies in the project that the header names."""
    with stack.database.reading() as tx:
        person = login.identify_person(stack, tx, token)
        number = ids.read_id(project.strip()) or _only_project(person, project)
        if not number:
            raise ProjectNotNamed(PROJECT_HEADER)
        if person.project_ids and number not in person.project_ids:
            raise NotForProject(number)
        if not management.find_member(tx, "project", number, person.user.id):
            raise NotYourProject(number)
        management.require_second_factor(tx, number, person.user.id)
        known = tokens.find_member_token(tx, number, person.user.id)
        if known:
            return _limit(get_caller(tx, number, known), person)
    with stack.database.writing(number) as tx:
        return _limit(get_caller(tx, number, ensure_token(tx, number, person.user)), person)


def _only_project(person: login.Person, project: str) -> int | None:
    return person.project_ids[0] if person.is_of_client and not project.strip() else None


def _limit(caller: Caller, person: login.Person) -> Caller:
    """No more, and for no longer, than the token of the person says."""
    expires = _first(caller.expires, person.expires)
    role = READ_ONLY if person.only_reads and not caller.only_reads else caller.role
    return msgspec.structs.replace(
        caller,
        expires=expires,
        role=role,
        grants_until=person.grants_until,
        may_get_tokens=not person.is_of_client,
        sign_in_id=person.sign_in_id,
        ends_with_sign_in=person.is_personal or person.is_of_client,
    )


def _first(*moments: datetime | None) -> datetime | None:
    return min((each for each in moments if each), default=None)
