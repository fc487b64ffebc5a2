"""Two projects in one stack: whatever one asks for that is the other's, it is as if it were not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import pytest
from msgspec import inspect

from penstock.services.storage.models.blobs import ENDPOINT
from penstock.web.openapi_errors import NOT_IMPLEMENTED
from penstock.web.routing import Route
from tests.support.corpora import read_lines, read_words
from tests.support.files import to_read
from tests.support.http import Response
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.models import fields_of, list_fields
from tests.unit.services.world import (
    MANAGE_ROWS,
    MANAGEMENT,
    ROWS,
    ROWS_OF_PEOPLE,
    World,
    Worlds,
    in_order,
    name_of,
    service_of,
    shown,
    to_path,
    with_some_twins,
)

ABSENT = {name: nobodys for name, nobodys in read_words("path_parameters.txt") if nobodys != "-"}
"""Ids of things that are nowhere, by the parameter that they are for."""

OF_NOBODY = {name for name, nobodys in read_words("path_parameters.txt") if nobodys == "-"}
"""Parameters that name nothing of a project's own."""

ALL_ROWS = [*ROWS, *ROWS_OF_PEOPLE]
TRIED = with_some_twins(ALL_ROWS)
"""A twin within branches has the same handler; that its branch is looked for is tried with each."""

FIELDS = dict(read_words("fields.txt"))
"""What each field of queries and bodies names."""

TEXT_ONLY = set(read_lines("foreign_ids_as_text.txt"))
"""Fields that take the id of a thing without looking for it, and do nothing with it."""

REFUSED = {
    **{f"{row.method} {row.path}": row.status for row in ROWS if row.status == NOT_IMPLEMENTED},
    "GET /v2/storage/search/component-configurations": 501,  # only within a branch
    "POST /v2/storage/components/{component_id}/configs/{config_id}/reset-to-default": 400,  # only within a branch
    "DELETE /v2/storage/buckets/{bucket_id}/links/{project_id}": 404,  # nobody has linked it
    "DELETE /v2/storage/branch/{branch}/buckets/{bucket_id}/links/{project_id}": 404,
    "GET /apps/{app_id}": 404,  # there are none yet
    "POST /authorize/{component_id}": 400,  # its fields are in a form
    "GET /authorize/{component_id}/callback": 400,  # no authorization is under way
    "DELETE /configurations/{configuration_id}": 204,  # removes what there is, which may be nothing
}
"""What does not work, although it is one's own, or works although there is nothing."""

ALSO_REFUSED = {
    "GET /assets/{path:path}": 404,  # names of built files have a hash
    "POST /migrate-configuration": 403,  # the person does not have the feature
    "POST /mcp": 406,  # only a client of the protocol accepts what it returns
    "POST /auth/login": 401,  # nobody has such a password
    "POST /auth/signup": 403,  # the stack has no sign-up
    "POST /auth/forgot/{email}": 400,  # the stack sends no e-mails
    "POST /v2/storage/tokens/{token_id}/share": 400,
    "POST /v2/storage/branch/{branch}/tokens/{token_id}/share": 400,
    "POST /vendors/{vendor}/invitations/{email}": 422,
    "POST /auth/forgot/{email}/confirm": 404,  # nobody has such a link
    "GET /auth/confirm/{email}/{code}": 404,
    "POST /auth/confirm/{email}/{code}": 404,
    "GET /vendors/{vendor}/invitations/{email}/{code}": 404,
    "POST /vendors/{vendor}/invitations/{email}/{code}": 404,
    "POST /admin/users/{username}/confirm": 404,  # the user exists
    "POST /auth/mfa": 422,  # the account is a program
    "POST /auth/mfa/confirm": 422,
    "POST /vendors/{vendor}/users": 403,
    "GET /icons/{checksum}": 404,  # nobody has uploaded it
    "PUT /icons/uploads/{ticket}": 422,  # the body is not an icon
    "PUT /v2/{vendor}/{app}/blobs/uploads/{upload_id}": 400,  # it has no digest
    "PUT /v2/{vendor}/{app}/manifests/{reference}": 400,  # the body is not a manifest
    "POST /vendors/{vendor}/apps/{app}/versions": 422,  # the body is not an archive
    "GET /orchestration-rerun-plan/{job_id}": 400,  # the job is not a flow
    "POST /v2/storage/jobs/{job_id}/cancel": 400,  # it has ended
    "POST /api/v1/queries/{job_id}/cancel": 400,
    "POST /sql/sessions/{session_id}/acknowledge-last-error": 400,  # there is none
    "POST /sql/sessions/{session_id}/unload": 400,  # it has no configuration
    "GET /sql/sessions/{session_id}/credentials": 400,  # only BigQuery has them
    "GET /sql/sessions/{session_id}/table-ddl": 404,  # there is no such table
    "POST /manage/current-user/accept-invitation": 400,  # nobody has such a link
    "POST /manage/current-user/decline-invitation": 400,
    "DELETE /manage/organizations/{organization_id}": 400,  # its project is deleted, and not purged
    "POST /manage/projects/{project_id}/request-access": 400,  # the person has joined it before
    "DELETE /manage/projects/{project_id}/join-requests/{request_id}": 404,  # it was approved before
    **{
        f"DELETE /manage/current-user/{level}s-invitations/{{invitation_id}}": 404  # they were accepted before
        for level in ("maintainer", "organization", "project")
    },
}
"""The same, but to others it is as if it were not there."""


class Asked(NamedTuple):
    """A row with one of its parameters being another project's."""

    row: Route
    parameter: str
    foreign: str
    values: dict[str, str]


@pytest.fixture(scope="module")
def as_it_was(worlds: Worlds) -> dict[str, Any]:
    """What our project shows before others ask for what is its own: after each test it is the same."""
    return worlds.mine.look()


def test_every_parameter_is_known() -> None:
    unknown = {name for row in ALL_ROWS for name in row.parameters} - ABSENT.keys() - OF_NOBODY

    assert unknown == set(), "say in tests/data/path_parameters.txt what such an id looks like"


def test_every_field_is_known() -> None:
    models = [model for row in [*ROWS, *MANAGE_ROWS] for model in (row.query, row.body) if model]
    unknown = {name for model in models for name in list_fields(inspect.type_info(model))} - FIELDS.keys()

    assert unknown == set(), "say in tests/data/fields.txt what these name"


def test_what_is_another_projects_is_answered_as_if_it_were_not_there(
    worlds: Worlds, as_it_was: dict[str, Any]
) -> None:
    found = [_say(asked, theirs) for asked in _mixed(worlds) if (theirs := _differs(worlds.theirs, asked))]

    assert not found, "\n".join(found)
    _check_same(as_it_was, worlds.mine)


def test_a_body_that_names_another_projects_things_is_refused(worlds: Worlds, as_it_was: dict[str, Any]) -> None:
    rows = [
        (row, body) for row in in_order(TRIED) if (body := worlds.mine.body(row)) and _names_things(worlds.mine, body)
    ]
    assert rows

    responses = [(row, worlds.theirs.ask(row, body=body)) for row, body in rows]

    assert [
        f"{name_of(row)}: {response.status}" for row, response in responses if response.status not in (400, 404)
    ] == []
    _check_same(as_it_was, worlds.mine)


@pytest.mark.parametrize(
    ("name", "thing"), [("dataFileId", "file_id"), ("snapshotId", "snapshot_id"), ("sourceTableId", "table_id")]
)
def test_no_table_is_made_of_what_another_project_has(worlds: Worlds, name: str, thing: str) -> None:
    path = f"/v2/storage/buckets/{worlds.theirs.main['bucket_id']}/tables-async"
    response = worlds.theirs.storage.post(path, {"name": "taken", name: worlds.mine.main[thing]})

    assert response.status in (400, 404), response.text


def test_a_bucket_that_is_not_shared_cannot_be_linked(worlds: Worlds) -> None:
    source = {"sourceProjectId": worlds.mine.main["project_id"], "sourceBucketId": worlds.mine.main["bucket_id"]}
    response = worlds.theirs.storage.post("/v2/storage/buckets", {"name": "link", **source})

    assert (response.status, response.json["code"]) == (400, "storage.bucket.notShared")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT"])
def test_the_signature_of_one_file_does_not_open_another(worlds: Worlds, method: str) -> None:
    signature = to_read(worlds.theirs.storage, int(worlds.theirs.main["file_id"])).signature
    for world, things in ((worlds.mine, worlds.mine.main), (worlds.theirs, worlds.theirs.in_branch)):
        path = f"/{ENDPOINT}/{things['container']}/{things['blob']}?{signature}"
        response = world.storage.send(method, path, b"" if method == "PUT" else None)

        assert response.status == 403
        assert response.headers["x-ms-error-code"] == "AuthenticationFailed"


def test_nothing_that_one_can_read_tells_of_the_other(worlds: Worlds) -> None:
    assert worlds.mine.name not in json.dumps(worlds.theirs.look(), default=str)
    assert worlds.theirs.name not in json.dumps(worlds.mine.look(), default=str)


def test_a_field_of_a_query_that_names_another_projects_thing_finds_nothing(worlds: Worlds) -> None:
    found = list[str]()
    for row, field, foreign in _fields(worlds, "query"):
        path = worlds.theirs.fill(row)
        response = worlds.theirs.ask(row, path=f"{path}{'&' if '?' in path else '?'}{field}={foreign}")
        if response.status >= 500 or _tells_of(worlds.mine, response, foreign):
            found.append(f"{name_of(row)} {field}: {response.status} {response.text}")

    assert not found, "\n".join(found)


def test_a_field_of_a_body_that_names_another_projects_thing_does_nothing_there(
    worlds: Worlds, as_it_was: dict[str, Any]
) -> None:
    found = list[str]()
    for row, field, foreign in _fields(worlds, "body"):
        body = {**(worlds.theirs.body(row) or {}), field: foreign}
        response = worlds.theirs.ask(row, body=body)
        is_refused = response.status in (400, 403, 404, 409, 422) or f"{name_of(row)} {field}" in TEXT_ONLY
        if not is_refused or _tells_of(worlds.mine, response, foreign):
            found.append(f"{name_of(row)} {field}: {response.status} {response.text}")

    assert not found, "\n".join(found)
    _check_same(as_it_was, worlds.mine)


def test_what_was_refused_to_others_works_for_those_whose_it_is(own_world: tuple[ServicesOnly, World]) -> None:
    """So that the tests above have refused because of who asked, and not because of what. It takes the world apart."""
    mine, failed = own_world[1], list[str]()
    for row in in_order(TRIED):
        response, expected = _ask_when_ready(mine, row), (REFUSED | ALSO_REFUSED).get(f"{row.method} {row.path}")
        if response.status != expected and (expected or response.status >= 400):
            failed.append(f"{row.method} {row.path}: {response.status} {response.text}")

    assert failed == [], "\n".join(failed)
    jobs = mine.storage.get("/v2/storage/jobs?limit=1000").json
    assert [job for job in jobs if job["status"] == "error"] == []


def _ask_when_ready(mine: World, row: Route) -> Response:
    """A session that is loading has to end that first."""
    response = mine.ask(row)
    if response.status == 409 and row.path.startswith("/sql/sessions/"):
        return wait_for(lambda: again if (again := mine.ask(row)).status != 409 else None)
    return response


def _mixed(worlds: Worlds) -> Iterator[Asked]:
    """Every row, once for each of its ids: that one is ours, and all others are of those who ask."""
    tried = {id(row) for row in TRIED}
    for row in in_order(ALL_ROWS):
        mine, theirs = worlds.mine.values(row), worlds.theirs.values(row)
        names = row.parameters if id(row) in tried else ("branch",)
        for name in (name for name in names if _known_as(row, name) not in OF_NOBODY):
            yield Asked(row, name, mine[name], {**theirs, name: mine[name]})


def _known_as(row: Route, parameter: str) -> str:
    """A project is somebody's in Management, and the caller's own elsewhere."""
    name = f"{MANAGEMENT}.{parameter}"
    return name if service_of(row) == MANAGEMENT and name in ABSENT else parameter


def _differs(world: World, asked: Asked) -> Response | None:
    """What is answered, unless it is what is answered to an id that nobody has."""
    nobodys = _absent_like(asked)
    absent = {**asked.values, asked.parameter: nobodys}
    foreign, unknown = (world.ask(asked.row, path=to_path(asked.row, values)) for values in (asked.values, absent))
    is_same = _masked(foreign, asked.foreign) == _masked(unknown, nobodys)
    # A branch is looked for before anything else.
    is_refused = asked.parameter != "branch" or asked.row.status != NOT_IMPLEMENTED
    expected = REFUSED.get(f"{asked.row.method} {asked.row.path}", 404) if is_refused else 404
    return None if foreign.status == expected and is_same else foreign


def _absent_like(asked: Asked) -> str:
    """An id that nobody has; of a table or a column it has the same name, which a 404 repeats, in another bucket."""
    bucket, names = ABSENT[_known_as(asked.row, asked.parameter)].split(".")[:2], asked.foreign.split(".")[2:]
    return ".".join([*bucket, *names])


def _masked(response: Response, given: str) -> str:
    """The response, with one word in the place of the id; of a table's or a column's id that is its bucket's."""
    word = re.escape(".".join(given.split(".")[:2]))
    return re.sub(rf"(?<!\w){word}(?!\w)", "given", json.dumps(shown(response), default=str))


def _fields(worlds: Worlds, place: str) -> Iterator[tuple[Route, str, Any]]:
    """Every field that names something, with what ours is."""
    for row in (row for row in in_order(TRIED) if row.method != "DELETE"):
        model = getattr(row, place)
        for field in fields_of(model):
            thing = FIELDS.get(f"{model.__name__}.{field.encode_name}", FIELDS[field.encode_name])
            if thing != "-":
                foreign = _thing(worlds.mine, row, thing)
                yield row, field.encode_name, _as_type(field.type, foreign) if place == "body" else quote(foreign)


def _thing(world: World, row: Route, name: str) -> str:
    return world.things_for(row).get(name) or world.main[name]


def _as_type(kind: inspect.Type, text: str) -> Any:
    if isinstance(kind, inspect.DictType):
        return {text: "read"}
    if isinstance(kind, inspect.UnionType):
        kinds = [each for each in kind.types if isinstance(each, inspect.CollectionType | inspect.DictType)]
        return _as_type(kinds[0], text) if kinds else text
    return [text] if isinstance(kind, inspect.CollectionType) else text


def _tells_of(world: World, response: Response, asked: Any) -> bool:
    """Whether it holds something of the project, beyond what it was asked with."""
    words = [asked] if isinstance(asked, str) else list(asked)
    text = response.body.decode(errors="replace")
    for word in map(unquote, words):
        # A message about a table names its bucket.
        text = text.replace(word, "").replace(".".join(word.split(".")[:2]), "")
    return world.name in text


def _names_things(world: World, body: dict[str, Any]) -> bool:
    ids = {world.main[name] for name in ABSENT if name in world.main} | {world.main["token_id"]}
    ids |= {world.in_branch[name] for name in ABSENT if name in world.in_branch}
    return any(json.dumps(thing) in json.dumps(body) for thing in ids)


def _check_same(before: dict[str, Any], world: World) -> None:
    after = world.look()
    assert [path for path in before if before[path] != after[path]] == []


def _say(asked: Asked, response: Response) -> str:
    return f"{asked.row.method} {asked.row.path}, {asked.parameter}: {response.status} {response.text}"
