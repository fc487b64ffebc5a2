"""What is sent for an operation, and by whom: most requests are those of the tests' world, some need more."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE, service_host
from penstock.services.developer import interface as developer
from penstock.services.encryption.migration import FEATURE
from penstock.web.auth.manage_token import HEADER
from penstock.web.routing import Route
from tests.examples import developers, places, sign_in, states
from tests.support.forms import KIND, form
from tests.support.http import Http, Response
from tests.support.providers import Provider
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_place, made
from tests.unit.services.management.test_members import find_code
from tests.unit.services.world import JSON, MANAGEMENT, QUERIES, World, name_of, service_of, to_path
from tests.unit.services.world_bodies import make_body
from tests.unit.services.world_things import COMPONENT

FILE = b"id,name\n9,nine\n"
SIGN_IN, FORM = "/v1/auth/", "application/x-www-form-urlencoded"


class Sent(NamedTuple):
    values: dict[str, str]
    query: dict[str, Any]
    body: Any
    headers: dict[str, str]
    content: bytes | None = None
    """Sent instead of the body, and not shown."""


class Asker:
    def __init__(self, services: ServicesOnly, world: World, provider: Provider) -> None:
        self.services, self.world, self.provider = services, world, provider

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
        if FORM in row.takes:
            return client.send(row.method, path, urlencode(sent.body).encode(), {"Content-Type": FORM})
        if sent.content is not None:
            return client.send(row.method, path, sent.content)
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


def _of_place(make: places.Make) -> Make:
    return lambda asker, _row: make(asker.boss, asker.world)


def _of_state(make: states.Make) -> Make:
    return lambda asker, row: make(asker.services, asker.world, row)


def _of_developer(make: developers.Make) -> Make:
    return lambda asker, _row: make(asker.services, asker.world)


def _of_sign_in(make: Callable[[ServicesOnly], dict[str, Any]]) -> Make:
    return lambda asker, _row: make(asker.services)


def _resolve_token(asker: Asker, _row: Route) -> dict[str, Any]:
    project = add_place(asker.boss).project
    asker.boss.post(f"/manage/projects/{project}/users", {"email": asker.email})
    return {"headers": {"X-Subject-Token": f"Bearer {asker.world.person_token}"}, "body": {"projectId": project}}


def _migration(asker: Asker, _row: Route) -> dict[str, Any]:
    """By a person with the feature, into another project."""
    feature = {"name": FEATURE, "type": "admin", "title": "Migrate secrets", "description": "Migrate secrets."}
    made(asker.boss.post("/manage/features", feature))
    made(asker.boss.post(f"/manage/users/{asker.email}/features", {"feature": FEATURE}), 200)
    source, destination = (_add_project(asker) for _ in range(2))
    configs = f"/v2/storage/components/{COMPONENT}/configs"
    made(Http(asker.world.storage.base, source).post(configs, {"configurationId": "shop-config", "name": "Shop"}))
    tokens = {"sourceStorageApiToken": source, "destinationStorageApiToken": destination}
    moved = {"componentId": COMPONENT, "configId": "shop-config", "branchId": "default"}
    return {"body": {**tokens, **moved, "destinationStack": service_host(STORAGE, asker.services.stack.domain)}}


def _add_project(asker: Asker) -> str:
    """A token of a new project."""
    path = f"/manage/projects/{add_place(asker.boss).project}/tokens"
    return made(asker.boss.post(path, {"description": "migration", "canManageBuckets": True}))["token"]


def _invitation_code(asker: Asker, _row: Route) -> dict[str, Any]:
    """As it is in the link of the e-mail."""
    path = f"/manage/projects/{add_place(asker.boss).project}/invitations"
    made(asker.boss.post(path, {"email": asker.email}))
    return {"body": {"code": find_code(asker.services, asker.email)}}


OTHERS: dict[str, Make] = {
    "developer POST /auth/login": _developer_login,
    "oauth GET /authorize/{component_id}/callback": lambda asker, row: states.complete(
        asker.provider, asker.world, row
    ),
    "encryption POST /migrate-configuration": _migration,
    "management POST /v1/auth/password/reset": lambda asker, _: {"body": {"email": asker.email}},
    "management POST /manage/internal/auth-bridge/resolve-storage-token": _resolve_token,
    "management POST /manage/current-user/accept-invitation": _invitation_code,
    "management POST /manage/current-user/decline-invitation": _invitation_code,
    **{f"developer {key}": _of_developer(make) for key, make in developers.REQUESTS.items()},
    **{key: _of_state(make) for key, make in states.REQUESTS.items()},
    **{f"management {key}": _of_place(make) for key, make in places.REQUESTS.items()},
    **{f"management {key}": _of_sign_in(make) for key, make in sign_in.REQUESTS.items()},
}
