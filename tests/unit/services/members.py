"""Users who are members of a project, with the token that each of them has there."""

from __future__ import annotations

import itertools
from datetime import datetime

from penstock.foundation import clock, ids
from penstock.foundation.stacks import STORAGE
from penstock.services.management import interface as management
from penstock.services.management.models.people import Member, Role, User
from penstock.services.management.store.members import add_member
from penstock.services.management.store.users import add_user
from penstock.services.storage import interface as storage
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project

_numbers = itertools.count(1)


def make_user(services: ServicesOnly, name: str = "Ada") -> User:
    with services.stack.database.writing() as tx:
        email = f"{name.lower()}-{next(_numbers)}@people.example"
        user = User(id=ids.new_id(tx), email=email, name=name, created=clock.now(), features=["early-preview"])
        add_user(tx, user)
    return user


def join(services: ServicesOnly, project: Project, user: User, role: Role, expires: datetime | None = None) -> None:
    member = Member(
        level="project",
        owner_id=project.caller.project_id,
        user_id=user.id,
        role=role,
        created=clock.now(),
        expires=expires,
    )
    with services.stack.database.writing() as tx:
        add_member(tx, member)


def sign_in(services: ServicesOnly, project: Project, user: User) -> Http:
    """Storage, asked by a member: the secret of its token is made known by an administrator who refreshes it."""
    with services.stack.database.writing() as tx:
        token_id = storage.ensure_member_token(tx, project.caller.project_id, user)
    admin = services.service(STORAGE, project.token)
    response = admin.post(f"/v2/storage/tokens/{token_id}/refresh")
    assert response.status == 200, response.text
    return Http(admin.base, response.json["token"])


def add_member_with(services: ServicesOnly, project: Project, role: Role, *, of_organization: bool = False) -> Http:
    user = make_user(services)
    join(services, project, user, role)
    if of_organization:
        with services.stack.database.writing() as tx:
            organization_id = management.get_project(tx, project.caller.project_id).organization_id
            add_member(tx, Member(level="organization", owner_id=organization_id, user_id=user.id, created=clock.now()))
    return sign_in(services, project, user)
