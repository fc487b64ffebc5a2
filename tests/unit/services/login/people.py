"""Users for tests, what they send to sign in, and the browser that they use."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode, urlsplit

import pyotp

from penstock.foundation import audit, clock, ids
from penstock.services.login.first_administrator import make_link_of
from penstock.services.management.models.people import Member, Role, User
from penstock.services.management.store.members import add_member
from penstock.services.management.store.users import add_user
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly

PASSWORD = "correct horse battery"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_numbers = itertools.count(1)


def management(stack: ServicesOnly) -> Http:
    return Http(f"http://127.0.0.1:{stack.port}/_svc/management")


def add_person(stack: ServicesOnly, role: Role | None = "admin", project_id: int | None = None) -> User:
    """A member of the first project, or of the given one; of none without a role."""
    number = next(_numbers)
    with stack.stack.database.writing() as tx:
        user = User(id=ids.new_id(tx), email=f"ann{number}@example.com", name=f"Ann {number}", created=clock.now())
        add_user(tx, user)
        if role:
            owner = project_id or stack.project.id
            member = Member(level="project", owner_id=owner, user_id=user.id, role=role, created=clock.now())
            add_member(tx, member)
    return user


def make_link(stack: ServicesOnly, user: User) -> str:
    with stack.stack.database.writing() as tx:
        return make_link_of(tx, user.email)[1]


def set_password(stack: ServicesOnly, user: User, password: str = PASSWORD) -> Response:
    """With a link, as people do."""
    link = make_link(stack, user)
    return Browser(stack).send_form(link.partition("?")[0], code=link.partition("=")[2], password=password, name="Ann")


def sign_up(stack: ServicesOnly, role: Role | None = "admin") -> User:
    user = add_person(stack, role)
    assert set_password(stack, user).status == 303
    return user


def log_in(stack: ServicesOnly, user: User | str, password: str = PASSWORD, **headers: str) -> Response:
    email = user if isinstance(user, str) else user.email
    client = management(stack)
    client.headers = headers
    return client.post("/v1/auth/login", {"grantType": "password", "email": email, "password": password})


def sign_in(stack: ServicesOnly, user: User) -> dict[str, Any]:
    response = log_in(stack, user)
    assert response.status == 200, response.text
    return response.json


def as_person(stack: ServicesOnly, token: str, service: str = "management", project: object = "") -> Http:
    """A client that sends a token of a person."""
    named = {"X-KBC-ProjectId": str(project)} if project != "" else {}
    base = f"http://127.0.0.1:{stack.port}/_svc/{service}"
    return Http(base, headers={"Authorization": f"Bearer {token}", **named})


def personal_token(stack: ServicesOnly, user: User, **fields: Any) -> str:
    client = as_person(stack, sign_in(stack, user)["accessToken"])
    response = client.post("/v1/auth/personal-tokens", {"description": "a program", **fields})
    assert response.status == 201, response.text
    return response.json["token"]


def enable_second_factor(stack: ServicesOnly, user: User, access: str = "") -> tuple[pyotp.TOTP, list[str]]:
    """With the access token of a sign-in, or with a new one: all others end."""
    client = as_person(stack, access or sign_in(stack, user)["accessToken"])
    app = pyotp.TOTP(client.post("/v1/auth/second-factor").json["secret"])
    response = client.post("/v1/auth/second-factor/confirm", {"code": app.at(clock.now())})
    assert response.status == 200, response.text
    return app, response.json["recoveryCodes"]


def audited(stack: ServicesOnly, event: str) -> list[audit.AuditEntry]:
    with stack.stack.database.reading() as tx:
        return audit.list_entries(tx, audit.AuditFilter(event=event))


def _without_service(path: str) -> str:
    return path.removeprefix("/_svc/management").removeprefix("/_svc/storage")


@dataclass
class Browser:
    """Keeps cookies, follows no redirects by itself, and fills in forms."""

    stack: ServicesOnly
    cookies: dict[str, str] = field(default_factory=dict)
    origin: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def open(self, address: str) -> Response:
        return self._send("GET", address)

    def send_form(self, address: str, **fields: str) -> Response:
        return self._send("POST", address, urlencode(fields).encode())

    def submit(self, page: Response, address: str, **fields: str) -> Response:
        """The form of a page, with its hidden fields."""
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
        return self.send_form(address, **{name: unescape(value) for name, value in hidden}, **fields)

    def sign_in(self, user: User, password: str = PASSWORD) -> Response:
        return self.send_form("/v1/auth/page/sign-in", email=user.email, password=password)

    def _send(self, method: str, address: str, body: bytes | None = None) -> Response:
        parts = urlsplit(address)
        path = f"{_without_service(parts.path)}{'?' if parts.query else ''}{parts.query}"
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        origin = {"Origin": self.origin or f"http://127.0.0.1:{self.stack.port}"} if method == "POST" else {}
        headers = {**self.headers, **(cookie if self.cookies else {}), **origin, **(FORM if body is not None else {})}
        response = management(self.stack).send(method, path, body, headers)
        self._keep(response)
        return response

    def _keep(self, response: Response) -> None:
        for header in response.cookies.values():
            if found := re.match(r'([^=]+)=("?)([^;"]*)\2;', header):
                self.cookies[found[1]] = found[3]
