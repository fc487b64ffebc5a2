"""Who may do what: rows of every service with every kind of wrong token, and every row with tokens that may do little.

The kinds are files in `tests/data/`. What a row answers to a kind follows from the right that the row declares, and
from what the row is about: a new row, of a new service too, runs through all of them. Wrong tokens are refused before
the handler of a row is known, so one row stands for those that declare the same.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.developer.operations.logins import MANAGE_APPS
from penstock.services.management import interface as management
from penstock.services.queue.running import leases
from penstock.web.auth.developer_token import DEVELOPER_TOKEN, REFRESH_TOKEN
from penstock.web.auth.manage_token import HEADER, MANAGE_TOKEN
from penstock.web.routing import Route
from tests.support.corpora import read_lines, read_objects
from tests.support.http import Http, Response
from tests.support.made_once import make_once
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import claim
from tests.unit.services.world import (
    JSON,
    ROWS,
    World,
    Worlds,
    in_order,
    is_in_branch,
    make_developer_tokens,
    name_of,
    service_of,
    with_some_twins,
)
from tests.unit.services.wrong_tokens import INVALID, MISSING, SENTENCES, wrong_tokens

CLOSED = [row for row in ROWS if row.needs is not Right.PUBLIC and not row.auth]
MOST = with_some_twins(CLOSED)
"""For many kinds of tokens: twins declare the same, as a test below says."""
MANAGED = [row for row in ROWS if row.auth and row.auth.name == MANAGE_TOKEN]
"""Rows for programs of the operator, which have manage tokens."""
OF_PORTAL = [row for row in ROWS if row.auth and row.auth.name in (DEVELOPER_TOKEN, REFRESH_TOKEN)]
"""Rows of the developer portal, which has accounts of its own."""
NO_JSON = b"not even json"
TYPICAL = ("none", "empty", "malformed", "unknown: secret", "revoked", "expired", "of another stack")
"""Wrong tokens for every declaration; the others are variations of these."""
LIMITED = {each["kind"]: each for each in read_objects("limited_tokens.jsonl")}
VERIFY = next(row for row in CLOSED if row.path == "/v2/storage/tokens/verify")
DENIED = "You don't have access to the resource."
FAMILIES = {
    "bucket": {"bucket_id", "table_id", "column_id", "snapshot_id"},
    "component": {
        "config_id",
        "component_id",
        "trigger_id",
        "queue.job_id",
        "oauth.component_id",
        "scheduler.schedule_id",
    },
    "file": {"file_id"},
    "storage job": {"job_id"},
    "token": {"token_id"},
    "event": {"event_id"},
    "branch": {"branch"},
    "workspace": {"workspace_id", "query.workspace_id", "query.job_id", "query.statement_id", "editor.session_id"},
    "variable": {"vault.hash", "vault.branch_id"},
}
"""What a row is about, by the parameters of its path; a token may be allowed each of them."""
DESCRIBED = {
    "ai POST /explain",
    "ai POST /describe/configuration",
    "ai POST /describe/configuration-version",
    "ai POST /describe/configuration-merge",
}
ALSO_ABOUT = {
    "POST /triggers": {"component"},
    "import POST /write-table": {"bucket"},
    **{name: {"component"} for name in DESCRIBED},
}
"""What is said by the body of a row, and not by its path."""
REFUSED = {
    "queue GET /orchestration-rerun-plan/{job_id}": 400,  # the job is not a flow
    "POST /jobs/{job_id}/cancel": 400,  # it has ended
    "mcp POST /mcp": 406,  # only a client of the protocol accepts what it returns
    "query POST /api/v1/queries/{job_id}/cancel": 400,
    "editor GET /sql/sessions/{session_id}/credentials": 400,  # only BigQuery has them
    "editor GET /sql/sessions/{session_id}/table-ddl": 404,  # there is no such table
    "data-science GET /apps/{app_id}": 404,  # there are none yet
}
"""What does not work, although it is allowed."""
READS = {
    "POST /tables/{table_id}/export-async",
    "POST /tables/{table_id}/profile",
    "POST /jobs/{job_id}/cancel",
    *DESCRIBED,
}
"""What whoever may read a thing may do with it, although it is no GET."""
ADDED = {
    *(
        "foundation_audit",
        "foundation_sequences",
        "storage_tokens",
        "storage_events",
        "storage_jobs",
        "storage_files",
        "storage_file_tags",
    ),
    *("storage_blobs", "queue_jobs", "web_repeats", "storage_workspaces", "storage_workspace_credentials"),
    *("query_jobs", "query_statements", "editor_sessions", "ai_feedback"),
    *("billing_entries", "billing_days", "billing_accounts"),
}
"""Tables of the database that any token may add something to."""
FOR_EVERYBODY = set(read_lines("routes_for_every_token.txt"))


def _declared(row: Route) -> tuple[object, ...]:
    """All that decides what happens to a request before it is known who sent it."""
    kind = (row.streams, row.is_async, row.is_cached, row.is_signed, row.document is None)
    content = (bool(row.body), bool(row.form), row.takes, bool(row.query))
    return service_of(row), row.method, row.needs is Right.TOKEN, row.only_reads, is_in_branch(row), *kind, *content


ALIKE = {_declared(row): row for row in reversed(CLOSED)}
"""The first row of each declaration."""
FIRSTS = [row for row in CLOSED if ALIKE[_declared(row)] is row]


@pytest.fixture(scope="module")
def wrong(worlds: Worlds, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | None]:
    return wrong_tokens(worlds.services, make_once(tmp_path_factory, "there", _make_stack)[1])


def _make_stack(folder: Path) -> str:
    """Another one; the token of its first project."""
    stack = ServicesOnly(folder)
    stack.close()
    return stack.project.token


@pytest.mark.parametrize("row", FIRSTS, ids=[name_of(row) + row.path[:20] for row in FIRSTS])
def test_a_row_refuses_every_wrong_token_before_it_reads_the_body(
    worlds: Worlds, wrong: dict[str, str | None], row: Route
) -> None:
    for kind in TYPICAL:
        _check_refused(worlds.mine, row, kind, wrong[kind])


def test_a_row_declares_the_same_within_branches_as_without() -> None:
    alone = {name_of(row): row for row in CLOSED if not is_in_branch(row)}
    different = [
        name_of(row)
        for row in CLOSED
        if is_in_branch(row) and (twin := alone.get(name_of(row))) and _rights_of(row) != _rights_of(twin)
    ]

    assert different == []


def _rights_of(row: Route) -> tuple[object, ...]:
    return row.needs, row.auth, row.writes, row.is_for_readers, row.is_confidential


def test_no_row_lets_in_whoever_has_no_token(worlds: Worlds, wrong: dict[str, str | None]) -> None:
    for row in CLOSED:
        _check_refused(worlds.mine, row, "none", wrong["none"])


def test_no_variation_of_a_wrong_token_is_let_in_by_any_service(worlds: Worlds, wrong: dict[str, str | None]) -> None:
    firsts = {service_of(row): row for row in reversed(CLOSED)}
    for row in (*firsts.values(), VERIFY):
        for kind, token in wrong.items():
            _check_refused(worlds.mine, row, kind, token)


def test_every_row_is_about_something_that_a_token_may_be_allowed() -> None:
    undecided = [name_of(row) for row in CLOSED if row.needs is Right.TOKEN and not _is_decided(row)]

    assert undecided == [], "say in FAMILIES what they are about, or in tests/data/routes_for_every_token.txt"
    assert sorted(FOR_EVERYBODY - {name_of(row) for row in ROWS}) == [], "these are not rows any more"
    not_granted = {"MANAGE_TOKENS", "MASTER", "SHARE_BUCKETS"}
    assert {right for each in LIMITED.values() for right in each["has"]} | not_granted == {
        right.name for right in Right if right not in (Right.PUBLIC, Right.TOKEN) and not right.is_of_manage_token
    }, "add a kind of token to tests/data/limited_tokens.jsonl that has the new right"


@pytest.mark.parametrize("kind", LIMITED)
def test_a_token_does_what_it_may_and_nothing_else(own_world: tuple[ServicesOnly, World], kind: str) -> None:
    services, world = own_world
    client, changes = _make_token(services, world, LIMITED[kind]), "write" in LIMITED[kind]["opens"].values()
    before = _read_state(services)

    found: list[str] = []
    for row in in_order(row for row in MOST if LIMITED[kind].get("branches") or not is_in_branch(row)):
        response = world.ask(row, client)
        if not _is_as_expected(row, LIMITED[kind], response):
            found.append(f"{row.method} {row.path}: {response.status} {response.text[:300]}")

    assert not found, "\n".join(found)
    after = _read_state(services)
    assert changes or [name for name in before if before[name] != after[name]] == []


@pytest.mark.parametrize("kind", LIMITED)
def test_a_row_that_needs_a_right_refuses_a_token_without_it(worlds: Worlds, kind: str) -> None:
    if "run" in LIMITED[kind]:
        pytest.skip("It has all rights but one, which the test above covers.")
    client = _make_token(worlds.services, worlds.mine, LIMITED[kind])
    for row in (row for row in MOST if row.needs is not Right.TOKEN and row.needs.name not in LIMITED[kind]["has"]):
        # With a body that nobody would take: whether one may comes first.
        response = worlds.mine.client(row, client).send(row.method, worlds.mine.fill(row), NO_JSON, JSON)
        code = "accessDenied" if service_of(row) == STORAGE else 403
        assert (response.status, response.json["code"]) == (403, code), name_of(row)
        assert response.json["error"].startswith(DENIED), name_of(row)
        assert row.needs.granted_by in response.json["error"], name_of(row)
        assert service_of(row) != STORAGE or response.json["error"] == DENIED, name_of(row)


def test_rows_of_the_operator_refuse_every_other_token_before_they_read_the_body(worlds: Worlds) -> None:
    with worlds.services.stack.database.writing() as tx:
        _, without_scope = management.create_manage_token(tx, "without a scope", [])
    tokens = {None: 401, "": 401, "manage-1-wrong": 401, worlds.mine.project.token: 401, without_scope: 403}
    for row in MANAGED:
        for token, status in tokens.items():
            headers = {**JSON, **({} if token is None else {HEADER: token})}
            client = Http(worlds.mine.client(row).base, worlds.mine.project.token)
            response = client.send(row.method, worlds.mine.fill(row), NO_JSON, headers)
            assert response.status == status, f"{name_of(row)} {token}: {response.text}"


def test_rows_of_the_developer_portal_refuse_every_other_token_before_they_read_the_body(worlds: Worlds) -> None:
    little = make_developer_tokens(worlds.services, "little", is_admin=False)
    wrong = ("", "nonsense", worlds.mine.project.token, worlds.mine.manage_token, f"Bearer {little[DEVELOPER_TOKEN]}")
    for row in OF_PORTAL:
        client = Http(worlds.mine.client(row).base, worlds.mine.project.token, headers={HEADER: "x"})
        for token in (None, *wrong):
            headers = {**JSON, **({} if token is None else {"Authorization": token})}
            response = client.send(row.method, worlds.mine.fill(row), NO_JSON, headers)
            assert response.status == 401, f"{name_of(row)} {token}: {response.text}"
        if row.needs == MANAGE_APPS:
            headers = {**JSON, "Authorization": little[DEVELOPER_TOKEN]}
            assert client.send(row.method, worlds.mine.fill(row), NO_JSON, headers).status == 403, name_of(row)


def test_lists_show_a_limited_token_what_it_may_read(worlds: Worlds) -> None:
    reader, stranger = (
        _make_token(worlds.services, worlds.mine, LIMITED[kind])
        for kind in ("reads its buckets", "reads another bucket")
    )
    mine = {worlds.mine.main["bucket_id"], worlds.mine.in_branch["bucket_id"]}

    for prefix in ("/v2/storage", "/v2/storage/branch/default"):
        assert {bucket["id"] for bucket in reader.get(f"{prefix}/buckets").json} == mine
        assert {table["id"].rpartition(".")[0] for table in reader.get(f"{prefix}/tables").json} == mine
        assert [bucket["id"] for bucket in stranger.get(f"{prefix}/buckets").json] == [
            worlds.mine.main["spare_bucket_id"]
        ]
        assert stranger.get(f"{prefix}/tables").json == []
        assert reader.get(f"{prefix}/components").json == []
    assert {file["creatorToken"]["id"] for file in reader.get("/v2/storage/files").json} <= {_id_of(reader)}
    assert {event["token"]["id"] for event in reader.get("/v2/storage/events").json} <= {_id_of(reader)}
    assert {job["creatorToken"]["id"] for job in reader.get("/v2/storage/jobs").json} <= {str(_id_of(reader))}


def _make_token(services: ServicesOnly, world: World, kind: dict[str, Any]) -> Http:
    if kind.get("run"):
        token = leases.create_run_token_of(
            services.stack, world.project.caller, claim(services), leases.Progress(), 600
        )
        return Http(world.storage.base, token.text)
    rights = {name: _filled(value, world) for name, value in kind["rights"].items()}
    return world.limited(**rights)


def _filled(value: Any, world: World) -> Any:
    return {_thing(key, world): right for key, right in value.items()} if isinstance(value, dict) else value


def _thing(name: str, world: World) -> str:
    """`$bucket_id` in Main, `$branch.bucket_id` in the branch."""
    of_branch = name.removeprefix("$branch.")
    return world.in_branch[of_branch] if of_branch != name else world.main[name.removeprefix("$")]


def _check_refused(world: World, row: Route, kind: str, token: str | None) -> None:
    client = Http(world.client(row).base, token)
    response = client.send(row.method, world.fill(row), NO_JSON, JSON)
    sentence, status = SENTENCES.get(kind, INVALID), 401
    if sentence == MISSING and service_of(row) == "import":
        sentence, status = "X-StorageApi-Token header is required", 400
    said = {"error": sentence, "status": "error"}
    if service_of(row) == "query":
        said |= {"exception": sentence, "error": 401, "code": "401", "context": {}, "trace": []}
    elif service_of(row) == "editor":
        said |= {"message": sentence, "code": 401}
    elif service_of(row) == "import":
        said |= {"message": sentence, "code": status}
    elif service_of(row) in ("sync-actions", "oauth", "data-science"):
        said |= {"message": sentence, "code": 401, "context": {}}
    elif service_of(row) != STORAGE:
        said |= {"code": 401, "context": {}}
    elif sentence != MISSING:
        said |= {"code": "storage.tokenInvalid"}
    assert response.status == status, f"{kind}: {response.text}"
    assert response.json["exceptionId"]
    assert {key: value for key, value in response.json.items() if key != "exceptionId"} == said, kind


def _about(row: Route) -> set[str]:
    service = service_of(row)
    names = {name if service == STORAGE else f"{service}.{name}" for name in row.parameters}
    inner = names - {"branch"} if len(names) > 1 else names
    return {family for family, of in FAMILIES.items() if of & inner} | ALSO_ABOUT.get(name_of(row), set())


def _is_decided(row: Route) -> bool:
    return name_of(row) in FOR_EVERYBODY or bool(_about(row))


def _is_as_expected(row: Route, kind: dict[str, Any], response: Response) -> bool:
    if row.needs is not Right.TOKEN and row.needs.name not in kind["has"]:
        return response.status == 403
    if response.status >= 500 and response.status != 501:
        return False
    reads = row.method == "GET" or name_of(row) in READS
    if name_of(row) in FOR_EVERYBODY:
        return response.status < 400 or response.status in (501, REFUSED.get(name_of(row)))
    about = _about(row)
    opened = {kind["opens"].get(family) for family in about}
    if row.needs is not Right.TOKEN or "write" in opened or (reads and "read" in opened):
        # It is let in; whether it can be done is another matter.
        return response.status != 401 and (
            response.status in (row.status, 200, 202, REFUSED.get(name_of(row))) or not reads
        )
    if "bucket" in about and "read" in opened:
        return response.status == 403 and response.json["code"] in ("accessDenied", 403)
    # What is somebody else's and not in a bucket may be shown as absent.
    return response.status in (403, 404)


def _read_state(services: ServicesOnly) -> dict[str, list[Any]]:
    """All metadata, but for what any token may add: a token like itself, files, events, and what it exports or runs."""
    with sqlite3.connect(services.stack.folder / "metadata.sqlite") as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names if name not in ADDED}


def _id_of(client: Http) -> int:
    return int((client.token or "").split("-")[1])
