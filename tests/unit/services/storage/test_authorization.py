"""Who may do what: every row of the table with every kind of wrong token, and with tokens that may do little."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from penstock.foundation.callers import Right
from penstock.web.routing import Route
from tests.support.http import Answer, Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.world import JSON, ROWS, World, Worlds, in_order, name_of
from tests.unit.services.wrong_tokens import INVALID, MISSING, SENTENCES, wrong_tokens

CLOSED = [row for row in ROWS if row.needs is not Right.PUBLIC]
NO_JSON = b"not even json"
KINDS = ("none", "empty", "malformed", "unknown: secret", "revoked", "expired", "of another stack")
"""Of wrong tokens, for every row; the others are variations of these."""
VERIFY = next(row for row in CLOSED if row.path == "/v2/storage/tokens/verify")
DENIED = {"error": "You don't have access to the resource.", "code": "accessDenied"}

IN_BUCKETS = {"bucket_id", "table_id", "column_id", "snapshot_id"}
READS = {"POST /tables/{table_id}/export-async"}
"""What reads a bucket, although it is no GET."""

FOR_EVERYBODY = {
    "GET /dev-branches",
    "GET /dev-branches/{branch}",
    "GET /metadata",
    "GET /tokens/verify",
    "POST /tokens",
    "GET /components/{component_id}",
    "GET /buckets",
    "GET /tables",
    "GET /shared-buckets",
    "GET /jobs",
    "GET /files",
    "GET /events",
    "GET /triggers",
    "GET /components",
    "GET /search/component-configurations",
    "POST /files/prepare",
    "POST /events",
    "POST /tickets",
    "POST /webalize/display-name",
    "POST /webalize/column-names",
    "POST /validate/column-names",
}
"""What any token of the project may do: it shows or touches nothing that is not the token's own, or everybody's."""

each_closed_row = pytest.mark.parametrize("row", CLOSED, ids=[f"{row.method} {row.path}" for row in CLOSED])


@pytest.fixture(scope="module")
def wrong(worlds: Worlds, tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, str | None]]:
    there = ServicesOnly(tmp_path_factory.mktemp("there") / "data")
    yield wrong_tokens(worlds.services, there)
    there.close()


@pytest.fixture(scope="module")
def reader(worlds: Worlds) -> Http:
    """May read the two buckets that rows are filled with, and nothing else."""
    world = worlds.mine
    return world.limited(bucketPermissions={world.main["bucket_id"]: "read", world.in_branch["bucket_id"]: "read"})


@pytest.fixture(scope="module")
def stranger(worlds: Worlds) -> Http:
    """May read a bucket, though none that a row is filled with."""
    bucket = worlds.mine.storage.post("/v2/storage/buckets", {"name": "elsewhere"}).json["id"]
    return worlds.mine.limited(bucketPermissions={bucket: "read"})


@each_closed_row
def test_a_row_refuses_every_wrong_token_before_it_reads_the_body(
    worlds: Worlds, wrong: dict[str, str | None], row: Route
) -> None:
    for kind in KINDS:
        _check_refused(worlds.mine, row, kind, wrong[kind])


def test_no_variation_of_a_wrong_token_is_let_in(worlds: Worlds, wrong: dict[str, str | None]) -> None:
    for kind, token in wrong.items():
        _check_refused(worlds.mine, VERIFY, kind, token)


def test_a_token_that_reads_a_bucket_reads_it_and_nothing_more(worlds: Worlds, reader: Http) -> None:
    before = worlds.mine.look()
    answers = [(row, worlds.mine.ask(row, reader)) for row in in_order(CLOSED)]

    assert [_say(row, answer) for row, answer in answers if not _is_as_expected(row, answer)] == []
    _check_nothing_changed(before, worlds.mine)


def test_a_bucket_that_a_token_may_not_read_is_closed_to_it_in_every_row(worlds: Worlds, stranger: Http) -> None:
    before = worlds.mine.look()
    rows = [row for row in in_order(CLOSED) if IN_BUCKETS & {*row.parameters}]
    answers = [(row, worlds.mine.ask(row, stranger)) for row in rows]

    assert [_say(row, answer) for row, answer in answers if answer.status not in (403, 404)] == []
    _check_nothing_changed(before, worlds.mine)


@pytest.mark.parametrize("right", [right for right in Right if right not in (Right.PUBLIC, Right.TOKEN)])
def test_a_row_that_needs_a_right_refuses_a_token_without_it(worlds: Worlds, reader: Http, right: Right) -> None:
    for row in (row for row in CLOSED if row.needs is right):
        # With a body that nobody would take: whether one may comes first.
        answer = reader.send(row.method, worlds.mine.fill(row), NO_JSON, JSON)
        assert (answer.status, _body(answer)) == (403, {**DENIED, "status": "error"}), f"{row.method} {row.path}"


def test_lists_show_a_limited_token_what_it_may_read(worlds: Worlds, reader: Http, stranger: Http) -> None:
    mine = {worlds.mine.main["bucket_id"], worlds.mine.in_branch["bucket_id"]}

    for prefix in ("/v2/storage", "/v2/storage/branch/default"):
        assert {bucket["id"] for bucket in reader.get(f"{prefix}/buckets").json} == mine
        assert {table["id"].rpartition(".")[0] for table in reader.get(f"{prefix}/tables").json} == mine
        assert [bucket["id"] for bucket in stranger.get(f"{prefix}/buckets").json] == ["in.c-elsewhere"]
        assert stranger.get(f"{prefix}/tables").json == []
        assert reader.get(f"{prefix}/components").json == []
    assert {file["creatorToken"]["id"] for file in reader.get("/v2/storage/files").json} <= {_id_of(reader)}
    assert {event["token"]["id"] for event in reader.get("/v2/storage/events").json} <= {_id_of(reader)}
    assert {job["creatorToken"]["id"] for job in reader.get("/v2/storage/jobs").json} <= {str(_id_of(reader))}


def test_nothing_that_does_not_say_who_may_is_in_the_table() -> None:
    known = FOR_EVERYBODY | READS

    assert sorted(known - {name_of(row) for row in ROWS}) == [], "these are no rows any more"


def _check_refused(world: World, row: Route, kind: str, token: str | None) -> None:
    answer = Http(world.storage.base, token).send(row.method, world.fill(row), NO_JSON, JSON)
    sentence = SENTENCES.get(kind, INVALID)
    code = {} if sentence == MISSING else {"code": "storage.tokenInvalid"}
    assert answer.status == 401, kind
    assert answer.json["exceptionId"]
    assert _body(answer) == {"error": sentence, "status": "error", **code}, kind


def _is_as_expected(row: Route, answer: Answer) -> bool:
    if row.needs is not Right.TOKEN:
        return answer.status == 403
    is_in_bucket, reads = bool(IN_BUCKETS & {*row.parameters}), row.method == "GET" or name_of(row) in READS
    if name_of(row) in FOR_EVERYBODY or (is_in_bucket and reads):
        return answer.status < 400 or answer.status == 501
    if is_in_bucket:
        return answer.status == 403 and answer.json["code"] == "accessDenied"
    # What is somebody else's and not in a bucket may be shown as absent.
    return answer.status in (403, 404)


def _say(row: Route, answer: Answer) -> str:
    return f"{row.method} {row.path}: {answer.status} {answer.text}"


def _check_nothing_changed(before: dict[str, object], world: World) -> None:
    """But for what any token may add: a token like itself, files, events, and what it exports."""
    after = world.look()
    changed = [path for path in before if before[path] != after[path]]
    assert [path for path in changed if not path.endswith(("/tokens", "/files", "/events", "/jobs"))] == []


def _body(answer: Answer) -> dict[str, object]:
    return {key: value for key, value in answer.json.items() if key != "exceptionId"}


def _id_of(client: Http) -> int:
    return int((client.token or "").split("-")[1])
