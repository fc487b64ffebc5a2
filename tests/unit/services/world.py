"""A project with one of everything, made through HTTP, so that every row of every service can be asked for something.

`fill` gives a row's path with the ids of this world, and `body` something valid to send; tests that go through all
tables need nothing else. A row that the world cannot fill, of a new service too, says what to add, and where.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast
from urllib.parse import quote

import msgspec

from penstock.app import list_scopes, list_services
from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.developer import interface as developer
from penstock.services.developer.registry.credentials import IMAGE_CREDENTIALS
from penstock.services.management import interface as management
from penstock.services.management.operations.users import ensure_user
from penstock.services.storage.models.blobs import ENDPOINT
from penstock.web.auth.developer_token import DEVELOPER_TOKEN, REFRESH_TOKEN
from penstock.web.auth.manage_token import HEADER
from penstock.web.routing import Route
from tests.support.examples import part_of
from tests.support.forms import KIND, form
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project
from tests.unit.services.world_bodies import make_body
from tests.unit.services.world_services import make_elsewhere
from tests.unit.services.world_things import COMPONENT, Maker, Things

LOGOUT = "/auth/logout"
ROOT, BRANCH = "/v2/storage", "/branch/{branch}"
JSON = {"Content-Type": "application/json"}
TABLES = {service.id: service.routes for service in list_services()}
DEVELOPER, MANAGEMENT = "developer", "management"
ROWS = [
    row
    for name, table in TABLES.items()
    for row in table
    if not row.path.startswith(f"/{ENDPOINT}/") and name != MANAGEMENT
]
"""Of all services; but for the blob endpoint, whose requests and answers are another protocol's, and Management, whose
callers are people and not tokens of a project."""
MANAGE_ROWS = [row for row in TABLES[MANAGEMENT] if row.path.startswith("/manage/") and not row.auth]
"""Of Management, for whoever has a manage token. Its own tests try every standing and hostile values with each."""
ROWS_OF_PEOPLE = [row for row in MANAGE_ROWS if row.needs is not Right.SUPER]
"""Those of them that show a person only what that person belongs to."""
_OWNERS = {row.handler: name for name, table in TABLES.items() for row in table}


def invitation_of(path: str) -> str:
    """Whose invitation a row of Management is about: `project_invitation_id`, or `own_…` for those of the caller."""
    of_caller, words = "/current-user/" in path, path.split("/")
    return f"own_{words[3].partition('s-')[0]}_invitation_id" if of_caller else f"{words[2][:-1]}_invitation_id"


OTHER_THINGS = {
    "POST /components/{component_id}/configs/{config_id}/restore": {"config_id": "trashed_id"},
    "POST /tables/{table_id}/alias-filter": {"table_id": "alias_id"},
    "DELETE /tables/{table_id}/alias-filter": {"table_id": "alias_id"},
    "POST /tables/{table_id}/alias-columns-auto-sync": {"table_id": "alias_id"},
    "DELETE /tables/{table_id}/alias-columns-auto-sync": {"table_id": "alias_id"},
    "POST /tables/{table_id}/primary-key": {"table_id": "keyless_id"},
    "POST /tables/{table_id}/swap": {"table_id": "keyless_id"},
    "PUT /tables/{table_id}/columns/{column}/definition": {"table_id": "typed_id"},
    "GET /tables/{table_id}/profile": {"table_id": "typed_id"},
    "DELETE /tables/{table_id}": {"table_id": "keyless_id"},
    "PUT /dev-branches/{branch}": {"branch": "spare_branch"},
    "DELETE /dev-branches/{branch}": {"branch": "spare_branch"},
    "queue POST /jobs/{job_id}/kill": {"queue.job_id": "queue.other_job_id"},
    "vault DELETE /variables/{hash}": {"vault.hash": "vault.other_hash"},
    "oauth DELETE /credentials/{component_id}/{credential_id}": {"oauth.credential_id": "oauth.other_credential_id"},
    "scheduler DELETE /schedules/{schedule_id}": {"scheduler.schedule_id": "scheduler.other_schedule_id"},
    "metastore DELETE /api/v1/repository/{document_type}/{document_id}": {
        "metastore.document_id": "metastore.other_document_id"
    },
    "developer DELETE /vendors/{vendor}/apps/{app}": {"developer.app": "developer.other_app"},
    "editor DELETE /sql/sessions/{session_id}": {"editor.session_id": "editor.other_session_id"},
    **{
        f"management {row.method} {row.path}": {"management.invitation_id": f"management.{invitation_of(row.path)}"}
        for row in TABLES[MANAGEMENT]
        if "invitation_id" in row.parameters
    },
    **{
        f"management {row.method} {row.path}": {"management.user": "management.member"}
        for row in TABLES[MANAGEMENT]
        if row.path.endswith("/users/{user}") and row.path.count("/") > 3
    },
    **{
        f"management {row.method} {row.path}": {"management.request_id": "management.own_request_id"}
        for row in TABLES[MANAGEMENT]
        if "request_id" in row.parameters and "/current-user/" in row.path
    },
}
"""Where a row is not about the thing that its parameter usually names."""

OF_STACK = {"developer": (), "GET ": ("components",), "GET /": ("components",)}
"""Services, and keys of rows, that show what belongs to the stack and not to a project: apps of vendors."""

_TODAY = datetime.now(UTC).date()
_USAGE_PERIOD = f"?from={_TODAY - timedelta(days=100)}&to={_TODAY + timedelta(days=100)}"
"""The same days for as long as the tests run: the default ends today, which may be another day at the end of a run."""

QUERIES = {
    "DELETE /buckets/{bucket_id}": "?force=1",
    "GET /global-search": "?query=a",
    "GET /stats": "?runId=1",
    "GET /search/tables": "?metadataKey=KBC.description",
    "queue GET /search/grouped-jobs": "?groupBy=configId",
    "queue GET /configurations-jobs": "?configIds=sample-orders",
    "sync-actions GET /actions": f"?componentId={COMPONENT}",
    "vault GET /variables/merged/branch": "?branchId=default",
    "billing GET /usage": _USAGE_PERIOD,
    "billing GET /usage.csv": _USAGE_PERIOD,
    "query GET /api/v1/queries/{job_id}/{statement_id}/export": "?fileType=csv",
    "editor GET /sql/sessions/{session_id}/table-ddl": "?tableName=nothing",
}
"""Without which a row would rightly refuse."""


def service_of(row: Route) -> str:
    return _OWNERS[row.handler]


def name_of(row: Route) -> str:
    """The same for a row and for its twin within branches. Those of Storage need not say whose they are."""
    service = service_of(row)
    of = "" if service == STORAGE else f"{service} "
    return f"{of}{row.method} {row.path.removeprefix(ROOT).removeprefix(BRANCH)}"


def is_in_branch(row: Route) -> bool:
    return row.path.startswith(f"{ROOT}{BRANCH}/")


def without_twins(rows: Sequence[Route]) -> list[Route]:
    """Without rows within branches that are there without one too; test_authorization.py checks that both declare the
    same."""
    names = {name_of(row) for row in rows if not is_in_branch(row)}
    return [row for row in rows if not is_in_branch(row) or name_of(row) not in names]


def with_some_twins(rows: Sequence[Route]) -> list[Route]:
    """The same, with every third of those twins; in `make soak` with all."""
    alone = {id(row) for row in without_twins(rows)}
    tried = alone | {id(row) for row in part_of([row for row in rows if id(row) not in alone], 0)}
    return [row for row in rows if id(row) in tried]


def in_order(rows: Iterable[Route]) -> list[Route]:
    """What deletes comes last, and of that what is inside before what it is in."""
    return sorted(rows, key=_place_in_order)


def _place_in_order(row: Route) -> tuple[int, ...]:
    deletes = row.method == "DELETE" or row.path.endswith("/reset-to-default")
    return (1, -row.path.count("/"), len(row.path)) if deletes else (0,)


def to_path(row: Route, values: Mapping[str, str]) -> str:
    path = row.template
    for name, value in values.items():
        # A blob's name or a tag may have slashes of its own.
        path = path.replace(f"{{{name}}}", quote(value, safe="/" if f"{{{name}:path}}" in row.path else ""))
    return path + QUERIES.get(name_of(row), "")


class World(msgspec.Struct, frozen=True, kw_only=True):
    """A project, and what is in it: once for rows without a branch, and once for their twins within one."""

    name: str
    project: Project
    storage: Http
    main: Things
    in_branch: Things
    manage_token: str
    """For rows of the operator's programs, with all scopes."""
    super_token: str
    """Of a super administrator, for rows of Management that need one."""
    person_token: str
    """Of a person who is a member of the maintainer, for the other rows of Management."""
    developer_tokens: dict[str, str]
    """For rows of the developer portal, of an administrator, by the scheme; and one to log out with."""

    def at(self, services: ServicesOnly) -> World:
        """The same in a copy of the stack that it was made in."""
        return msgspec.structs.replace(self, storage=services.service(STORAGE, self.project.token))

    def values(self, row: Route) -> dict[str, str]:
        """What each parameter of a row's path is here."""
        return {name: self._thing(row, name) for name in row.parameters}

    def fill(self, row: Route) -> str:
        return to_path(row, self.values(row))

    def body(self, row: Route) -> dict[str, Any] | None:
        if row.body:
            return make_body(row, self.things_for(row), self.name)
        return {} if "application/json" in row.takes else None

    def ask(
        self, row: Route, client: Http | None = None, *, path: str | None = None, body: dict[str, Any] | None = None
    ) -> Response:
        """Ask for a row as this project's administrator, or as someone else."""
        if row.form and body is None:
            fields = list(make_body(row, self.things_for(row), self.name).items())
            content = form(b"id,name\n9,nine\n", fields)
            return self.client(row, client).send(row.method, path or self.fill(row), content, KIND)
        sent = self.body(row) if body is None else body
        content = json.dumps(sent).encode() if sent is not None else None
        return self.client(row, client).send(row.method, path or self.fill(row), content, JSON)

    def client(self, row: Route, who: Http | None = None) -> Http:
        """The service that the row is one of, asked by the administrator, or by someone else."""
        base = self.storage.base.removesuffix(STORAGE) + service_of(row)
        return Http(base, (who or self.storage).token, headers=self._headers(row))

    def _headers(self, row: Route) -> dict[str, str]:
        if service_of(row) == MANAGEMENT:
            return {HEADER: self.super_token if row.needs is Right.SUPER else self.person_token}
        if not row.auth:
            return {}
        if row.needs is Right.USER:
            return {HEADER: self.person_token}
        kind = LOGOUT if row.path == LOGOUT else row.auth.name
        token = self.developer_tokens.get(kind)
        return {"Authorization": token} if token else {HEADER: self.manage_token}

    def things_for(self, row: Route) -> Things:
        return self.in_branch if is_in_branch(row) else self.main

    def look(self) -> dict[str, Any]:
        """Everything that can be read in this project, as it is now."""
        rows = [row for row in ROWS if row.method == "GET" and not row.auth and service_of(row) not in OF_STACK]
        rows += [row for row in ROWS_OF_PEOPLE if row.method == "GET"]
        return {row.path: shown(self.ask(row), *OF_STACK.get(name_of(row), ())) for row in rows}

    def limited(self, **rights: Any) -> Http:
        """Someone of this project who may do this and nothing else."""
        response = self.storage.post(f"{ROOT}/tokens", {"description": "limited", **rights})
        assert response.status == 201, response.text
        return Http(self.storage.base, response.json["token"])

    def _thing(self, row: Route, name: str) -> str:
        if name == "metadata_id":
            # Everything has metadata of its own: which one is meant is said by what stands before.
            name = f"{row.parameters[-2].removesuffix('_id')}_metadata_id"
        service = service_of(row)
        name = name if service == STORAGE else f"{service}.{name}"
        name = OTHER_THINGS.get(name_of(row), {}).get(name, name)
        found = self.things_for(row).get(name)
        assert found, f'{name_of(row)} is about a "{name}", and the world has none: add it to world_things.py.'
        return found


class Worlds(NamedTuple):
    """A stack with two projects that have one of everything, and nothing of each other's."""

    services: ServicesOnly
    mine: World
    theirs: World


def make_world(services: ServicesOnly, name: str, project: Project, word: str = "twin") -> World:
    """The word is in the names of what is in the branch; with "main" they are those of what is in Main."""
    storage = services.service(STORAGE, project.token)
    maker = Maker(storage, name)
    with services.stack.database.writing() as tx:
        _, manage_token = management.create_manage_token(tx, name, list_scopes())
        boss = management.ensure_administrator(tx, f"{name}-super@example.com")
        _, super_token = management.create_manage_token(tx, name, [], user=boss)
        person = ensure_user(tx, f"{name}@example.com")
        _, person_token = management.create_manage_token(tx, name, [], user=person)
    tokens = make_developer_tokens(services, name)
    of_developer, of_others = {"Authorization": tokens[DEVELOPER_TOKEN]}, {HEADER: manage_token}
    main = maker.make_for_main() | make_elsewhere(
        storage, name, lambda service: of_developer if service == DEVELOPER else of_others, (super_token, person_token)
    )
    return World(
        name=name,
        project=project,
        storage=storage,
        main=main,
        in_branch=maker.make_for_branch(main["branch"], word),
        manage_token=manage_token,
        super_token=super_token,
        person_token=person_token,
        developer_tokens={**tokens, IMAGE_CREDENTIALS: f"Basic {main['developer.credentials']}"},
    )


def make_developer_tokens(services: ServicesOnly, name: str, *, is_admin: bool = True) -> dict[str, str]:
    with services.stack.database.writing(0) as tx:
        _, password = developer.create_account(tx, name, [], is_admin=is_admin, description=name)
    portal = Http(services.service("developer").base)
    login, other = (portal.post("/auth/login", {"email": name, "password": password}).json for _ in range(2))
    return {DEVELOPER_TOKEN: login["token"], REFRESH_TOKEN: login["refreshToken"], LOGOUT: other["token"]}


def shown(response: Response, *others: str) -> Any:
    """A response without what differs each time that it is asked for, and without other keys."""
    keys = ("url", "exceptionId", "lastUsed", *others)
    return response.status, _without(response.json, *keys) if is_json(response) else response.body


def is_json(response: Response) -> bool:
    return response.headers.get("content-type") == "application/json"


def _without(document: Any, *keys: str) -> Any:
    if isinstance(document, dict):
        return {key: _without(value, *keys) for key, value in cast(dict[str, Any], document).items() if key not in keys}
    return [_without(value, *keys) for value in cast(list[Any], document)] if isinstance(document, list) else document
