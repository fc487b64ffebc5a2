"""Users of a stack and programs of its operator, each with a client that has its manage token."""

from __future__ import annotations

import itertools
import json
from typing import Any, NamedTuple

from penstock.services.management import interface as management
from penstock.services.management.operations import users
from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly

STORAGE = "storage"
_numbers = itertools.count(1)


class Person(NamedTuple):
    id: int
    email: str
    http: Http


def new_name(word: str) -> str:
    return f"{word}-{next(_numbers)}"


def client(services: ServicesOnly, token: str | None, **headers: str) -> Http:
    """At the host of Storage, as official clients send it."""
    sent = headers if token is None else {HEADER: token, **headers}
    return Http(services.service(STORAGE).base, None, headers=sent)


def add_person(services: ServicesOnly, word: str = "person", *, is_super: bool = False) -> Person:
    with services.stack.database.writing() as tx:
        user = users.ensure_user(tx, f"{new_name(word)}@example.com")
        if is_super:
            user = users.set_super_admin(tx, management.THE_OPERATOR, str(user.id), is_super=True)
    return sign_in(services, user.email)


def sign_in(services: ServicesOnly, email: str, **headers: str) -> Person:
    with services.stack.database.writing() as tx:
        user = management.find_user_by_email(tx, email)
        assert user
        _, token = management.create_manage_token(tx, f"token of {email}", [], user=user)
    return Person(user.id, user.email, client(services, token, **headers))


def program(services: ServicesOnly, *scopes: str, **headers: str) -> Http:
    with services.stack.database.writing() as tx:
        _, token = management.create_manage_token(tx, "a program", scopes)
    return client(services, token, **headers)


def made(response: Response, status: int = 201) -> Any:
    assert response.status == status, response.text
    return response.json


class Place(NamedTuple):
    """A maintainer, its organization and a project of it."""

    maintainer: int
    organization: int
    project: int


def add_place(boss: Http) -> Place:
    """By a super administrator."""
    maintainer = made(boss.post("/manage/maintainers", {"name": new_name("maintainer")}))["id"]
    path = f"/manage/maintainers/{maintainer}/organizations"
    organization = made(boss.post(path, {"name": new_name("organization")}))["id"]
    path = f"/manage/organizations/{organization}/projects"
    return Place(maintainer, organization, made(boss.post(path, {"name": new_name("project")}))["id"])


def patch(http: Http, path: str, document: Any) -> Response:
    return http.send("PATCH", path, json.dumps(document).encode(), {"Content-Type": "application/json"})
