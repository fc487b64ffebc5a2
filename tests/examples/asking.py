"""What is sent for an operation, and by whom: most requests are those of the tests' world, some need more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.developer import interface as developer
from penstock.web.auth.manage_token import HEADER
from penstock.web.routing import Route
from tests.examples import places, sign_in
from tests.support.forms import KIND, form
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.management.people import add_place
from tests.unit.services.world import JSON, MANAGEMENT, QUERIES, World, name_of, service_of, to_path
from tests.unit.services.world_bodies import make_body

FILE = b"id,name\n9,nine\n"
SIGN_IN = "/v1/auth/"


class Sent(NamedTuple):
    values: dict[str, str]
    query: dict[str, Any]
    body: Any
    headers: dict[str, str]


class Asker:
    def __init__(self, services: ServicesOnly, world: World) -> None:
        self.services, self.world = services, world

    def find_request(self, row: Route) -> Sent:
        query = dict(parse_qsl(QUERIES.get(name_of(row), "").lstrip("?")))
        sent = Sent(self._values(row), query, self._body(row), {})
        make = OTHERS.get(name_of(row))
        return sent._replace(**make(self, row)) if make else sent

    def _values(self, row: Route) -> dict[str, str]:
        """What is done to a user is done to a colleague, so that the caller can go on."""
        values = self.world.values(row)
        is_of_colleague = "user" in values and row.needs is Right.SUPER
        return {**values, "user": self.world.main["management.member"]} if is_of_colleague else values

    def send(self, row: Route, sent: Sent) -> Response:
        path = to_path(row, sent.values).partition("?")[0] + (f"?{urlencode(sent.query)}" if sent.query else "")
        client = self.world.client(row)
        client.headers |= sent.headers
        if row.form:
            return client.send(row.method, path, form(FILE, list(sent.body.items())), KIND)
        content = json.dumps(sent.body).encode() if sent.body is not None else None
        return client.send(row.method, path, content, JSON if content is not None else {})

    def _body(self, row: Route) -> Any:
        if row.form:
            return make_body(row, self.world.things_for(row), self.world.name)
        is_of_people = service_of(row) == MANAGEMENT and (row.auth or row.path.startswith(SIGN_IN))
        return None if is_of_people else self.world.body(row)

    @property
    def boss(self) -> Http:
        """A super administrator."""
        base = self.world.storage.base.removesuffix(STORAGE) + MANAGEMENT
        return Http(base, headers={HEADER: self.world.super_token})

    @property
    def email(self) -> str:
        """Of the person who sends the requests to Management."""
        return f"{self.world.name}@example.com"


Make = Callable[[Asker, Route], dict[str, Any]]
"""Makes the parts of a request that differ from those of the world: `values`, `query`, `body`, `headers`."""


def _developer_login(asker: Asker, _row: Route) -> dict[str, Any]:
    name = f"{asker.world.name}.robot"
    with asker.services.stack.database.writing(0) as tx:
        _, password = developer.create_account(tx, name, [], is_admin=False, description=name)
    return {"body": {"email": name, "password": password}}


def _ready_session(asker: Asker, row: Route) -> dict[str, Any]:
    editor, session = asker.world.client(row), asker.world.values(row)["session_id"]
    wait_for(lambda: editor.get(f"/sql/sessions/{session}").json["status"] == "ready")
    return {}


def _of_place(make: places.Make) -> Make:
    return lambda asker, _row: make(asker.boss, asker.world)


def _of_sign_in(make: Callable[[ServicesOnly], dict[str, Any]]) -> Make:
    return lambda asker, _row: make(asker.services)


def _resolve_token(asker: Asker, _row: Route) -> dict[str, Any]:
    project = add_place(asker.boss).project
    asker.boss.post(f"/manage/projects/{project}/users", {"email": asker.email})
    return {"headers": {"X-Subject-Token": f"Bearer {asker.world.person_token}"}, "body": {"projectId": project}}


OTHERS: dict[str, Make] = {
    "developer POST /auth/login": _developer_login,
    "editor POST /sql/sessions/{session_id}/unload": _ready_session,
    "oauth POST /authorize/{component_id}": lambda *_: {"body": {"id": "main", "authorizedFor": "Ann"}},
    "management POST /v1/auth/password/reset": lambda asker, _: {"body": {"email": asker.email}},
    "management POST /manage/internal/auth-bridge/resolve-storage-token": _resolve_token,
    **{f"management {key}": _of_place(make) for key, make in places.REQUESTS.items()},
    **{f"management {key}": _of_sign_in(make) for key, make in sign_in.REQUESTS.items()},
}
