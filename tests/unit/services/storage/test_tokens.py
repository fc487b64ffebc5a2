"""Tokens: what a new one may do, how it changes, and when it ends."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from penstock.foundation import clock
from penstock.services.storage.operations import tokens as operations
from penstock.services.storage.store import tokens as store
from tests.support.http import Answer
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project, load_table

TOKENS, VERIFY = "/v2/storage/tokens", "/v2/storage/tokens/verify"
POWERS = (
    *("isMasterToken", "canManageBuckets", "canManageTokens", "canCreateJobs", "canPurgeTrash"),
    *("canReadAllFileUploads", "canManageProtectedDefaultBranch"),
)


def make(services: ServicesOnly, maker: str | None = None, **wanted: Any) -> dict[str, Any]:
    answer = services.service("storage", maker).post(TOKENS, wanted)
    assert answer.status == 201, answer.text
    return answer.json


def verify(services: ServicesOnly, token: str) -> Answer:
    return services.service("storage", token).get(VERIFY)


def test_the_administrators_token_may_do_everything(services: ServicesOnly) -> None:
    token = verify(services, services.project.token).json

    assert all(token[power] for power in POWERS)
    assert token["token"] == services.project.token
    assert token["admin"]["role"] == "admin"
    assert token["id"] == services.project.token.split("-")[1]
    assert token["owner"]["id"] == services.project.id
    assert token["owner"]["defaultBackend"] == "snowflake"
    assert token["owner"]["features"]
    assert isinstance(token["organization"]["id"], str)
    assert "creatorToken" not in token


def test_a_new_token_may_do_nothing_unless_asked(services: ServicesOnly) -> None:
    made = make(services)
    seen = verify(services, made["token"]).json

    assert not any(seen[power] for power in POWERS)
    assert (seen["bucketPermissions"], seen["componentAccess"]) == ({}, [])
    assert made["description"] == "Created by admin@penstock.localhost"
    assert made["creatorToken"]["id"] == int(services.project.token.split("-")[1])
    assert "admin" not in made
    assert "organization" not in made


def test_powers_that_nobody_can_ask_for_are_not_given(services: ServicesOnly) -> None:
    """Every field of an answer, sent back as a wish, makes nobody a master."""
    everything = verify(services, services.project.token).json
    wish: dict[str, Any] = {**everything, "bucketPermissions": {}, "isMasterToken": True, "projectId": 99, "id": "1"}
    made = services.service("storage").post(TOKENS, wish).json

    assert not made["isMasterToken"]
    assert not made["canManageTokens"]
    assert made["token"].split("-")[0] == str(services.project.id)
    assert made["id"] != "1"


def test_a_list_shows_every_token_of_the_project_without_secrets(services: ServicesOnly) -> None:
    made, foreign = make(services), add_project(services)
    listed = services.service("storage").get(TOKENS).json

    assert {token["id"] for token in listed} == {made["id"], services.project.token.split("-")[1]}
    assert not any("token" in token or "organization" in token for token in listed)
    assert foreign.token.split("-")[1] not in {token["id"] for token in listed}


def test_a_token_is_shown_by_its_id(services: ServicesOnly) -> None:
    made = make(services, description="for a report")
    detail = services.service("storage").get(f"{TOKENS}/{made['id']}").json

    assert detail["description"] == "for a report"
    assert "token" not in detail
    assert detail["owner"]["id"] == services.project.id


@pytest.mark.parametrize("token_id", ["0", "foo", "9" * 30, "-1", "1.5", "²", "verify%00"])
def test_an_unknown_token_is_not_found(shared: ServicesOnly, token_id: str) -> None:
    storage = shared.service("storage")
    path = f"{TOKENS}/{token_id.replace('²', '%C2%B2')}"

    assert storage.get(path).status == storage.delete(path).status == 404
    assert storage.get(path).json["code"] == "notFound"


def test_a_token_of_another_project_is_not_found(services: ServicesOnly) -> None:
    foreign = add_project(services).token.split("-")[1]
    storage = services.service("storage")

    for answer in (storage.get(f"{TOKENS}/{foreign}"), storage.delete(f"{TOKENS}/{foreign}")):
        assert (answer.status, answer.json["error"]) == (404, f"Token {foreign} not found")


def test_a_revoked_token_ends_at_once(services: ServicesOnly) -> None:
    made = make(services)
    assert verify(services, made["token"]).status == 200

    assert services.service("storage").delete(f"{TOKENS}/{made['id']}").status == 204
    answer = verify(services, made["token"])
    assert (answer.status, answer.json["error"]) == (401, "Invalid access token")
    assert services.service("storage").delete(f"{TOKENS}/{made['id']}").status == 404


def test_a_token_ends_when_its_time_is_over(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 5, 1, 12, 0, 0, tzinfo=clock.now().tzinfo)
    monkeypatch.setattr(clock, "source", lambda: now)
    made = make(services, expiresIn=60)
    assert made["expires"] == "2026-05-01T12:01:00+0000"

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=59))
    assert verify(services, made["token"]).status == 200
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=60))
    answer = verify(services, made["token"])
    assert (answer.status, answer.json["code"]) == (401, "storage.tokenInvalid")
    assert services.service("storage").get(f"{TOKENS}/{made['id']}").json["isExpired"]


def test_a_token_cannot_outlive_its_maker(services: ServicesOnly) -> None:
    short = make(services, expiresIn=100)
    made = make(services, short["token"], expiresIn=1000)
    endless = make(services, short["token"])

    assert made["expires"] == endless["expires"] == short["expires"]


@pytest.mark.parametrize("seconds", [0, -1, "soon", 10**12, 1.5])
def test_a_time_that_makes_no_sense_is_refused(shared: ServicesOnly, seconds: object) -> None:
    answer = shared.service("storage").post(TOKENS, {"expiresIn": seconds})

    assert answer.status == 400
    assert " - expiresIn: " in answer.json["error"]


def test_who_may_not_manage_tokens_gives_only_a_name_and_an_end(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    weak = make(services, canManageBuckets=True, canCreateJobs=True)
    wish = {"canManageBuckets": True, "canCreateJobs": True, "componentAccess": ["ex-generic-v2"]}
    made = make(services, weak["token"], **wish, bucketPermissions={"in.c-main": "write"}, description="small")

    assert made["description"] == "small"
    assert not any(made[power] for power in POWERS)
    assert (made["bucketPermissions"], made["componentAccess"]) == ({}, [])


def test_a_manager_of_tokens_gives_no_more_than_it_has(services: ServicesOnly) -> None:
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    manager = manager_token(services, {"in.c-mine": "read"})
    storage = services.service("storage", manager)

    made = storage.post(TOKENS, {"canManageBuckets": True, "canCreateJobs": True}).json
    assert not made["canManageBuckets"]
    assert not made["canCreateJobs"]
    assert storage.post(TOKENS, {"bucketPermissions": {"in.c-mine": "read"}}).status == 201
    for wish in (
        {"bucketPermissions": {"in.c-mine": "write"}},
        {"bucketPermissions": {"in.c-other": "read"}},
        {"componentAccess": ["ex-generic-v2"]},
    ):
        answer = storage.post(TOKENS, wish)
        assert (answer.status, answer.json["code"]) == (400, "storage.tokens.invalidPermissions")


def manager_token(services: ServicesOnly, permissions: dict[str, str]) -> str:
    """A token that manages tokens and is no master; no route makes one yet."""
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        issued = operations.create_master_token(tx, caller.project_id, "manager")
        weak = {"is_master": False, "can_manage_buckets": False, "can_create_jobs": False}
        store.remove_token(tx, caller.project_id, issued.row.id)
        store.add_token(tx, msgspec.structs.replace(issued.row, **weak, bucket_permissions=permissions))
    return issued.text


@pytest.mark.parametrize(
    "wish",
    [
        {"bucketPermissions": {"in.c-main": "manage"}},
        {"bucketPermissions": {"in.c-main": "everything"}},
        {"bucketPermissions": {"in.c-absent": "read"}},
        {"componentAccess": ["no-such-component"]},
    ],
)
def test_a_permission_for_nothing_is_refused(shared: ServicesOnly, wish: dict[str, Any]) -> None:
    load_table(shared, "in.c-main.users", "id\n1\n")
    answer = shared.service("storage").post(TOKENS, wish)

    assert (answer.status, answer.json["code"]) == (400, "storage.tokens.invalidPermissions")


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({"description": 5}, "description"),
        ({"bucketPermissions": "read"}, "bucketPermissions"),
        ({"bucketPermissions": {"in.c-main": 1}}, "bucketPermissions"),
        ({"componentAccess": "ex-generic-v2"}, "componentAccess"),
        ({"canManageBuckets": "perhaps"}, "canManageBuckets"),
    ],
)
def test_a_wrong_wish_is_refused_by_name(shared: ServicesOnly, wish: dict[str, Any], named: str) -> None:
    answer = shared.service("storage").post(TOKENS, wish)

    assert answer.status == 400
    assert f" - {named}" in answer.json["error"]


def test_permissions_hold_on_every_way_to_a_bucket(services: ServicesOnly) -> None:
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    limited = services.service("storage", make(services, bucketPermissions={"in.c-mine": "read"})["token"])

    assert [bucket["id"] for bucket in limited.get("/v2/storage/buckets").json] == ["in.c-mine"]
    assert [table["id"] for table in limited.get("/v2/storage/tables").json] == ["in.c-mine.users"]
    assert limited.get("/v2/storage/tables/in.c-mine.users/data-preview").status == 200
    for path in ("buckets/in.c-other", "buckets/in.c-other/tables", "tables/in.c-other.users"):
        assert limited.get(f"/v2/storage/{path}").status == 403
    assert limited.get("/v2/storage/tables/in.c-other.users/data-preview").status == 403
    assert limited.get("/v2/storage/branch/default/tables/in.c-other.users/data-preview").status == 403


def test_a_manager_of_buckets_shows_each_as_its_own(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")

    assert make(services, canManageBuckets=True)["bucketPermissions"] == {"in.c-main": "manage"}


def test_component_access_is_for_that_component(services: ServicesOnly) -> None:
    configs = "/v2/storage/components/ex-generic-v2/configs"
    allowed = services.service("storage", make(services, componentAccess=["keboola.ex-generic-v2"])["token"])
    nothing = services.service("storage", make(services)["token"])

    assert len(allowed.get(configs).json) == 2
    assert nothing.get(configs).status == nothing.get(f"{configs}/sample-orders").status == 403
    assert nothing.post(configs, {"name": "x"}).status == 403
    assert nothing.get("/v2/storage/components").json == []


def test_secrets_are_nowhere_but_in_the_file_for_the_administrator(services: ServicesOnly) -> None:
    made = make(services)["token"]
    services.stack.close()

    for path in services.stack.folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert made.split("-")[2].encode() not in content, path
        if path.name != "admin-token":
            assert services.project.token.split("-")[2].encode() not in content, path


def test_the_administrators_file_is_for_its_owner_only(services: ServicesOnly) -> None:
    assert (services.stack.folder / "admin-token").stat().st_mode & 0o077 == 0
    assert (services.stack.folder / "key").stat().st_mode & 0o077 == 0


def test_a_secret_has_at_least_160_random_bits(services: ServicesOnly) -> None:
    secrets = {make(services)["token"].split("-")[2] for _ in range(20)}

    assert len(secrets) == 20
    assert all(len(secret) * 4 >= 160 for secret in secrets)


def test_tokens_are_made_side_by_side_without_a_failure(services: ServicesOnly) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make(services)["id"], range(40)))

    assert len(set(made)) == 40
    assert time.monotonic() - started < 20


def test_an_update_changes_what_is_given_and_leaves_the_rest(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, description="before", bucketPermissions={"in.c-main": "read"}, canPurgeTrash=True)
    answer = services.service("storage").put(f"{TOKENS}/{made['id']}", {"description": "after", "expiresIn": 1000})

    assert answer.status == 200
    shown = verify(services, made["token"]).json
    assert (shown["description"], shown["bucketPermissions"]) == ("after", {"in.c-main": "read"})
    assert shown["canPurgeTrash"]
    assert shown["expires"]
    assert answer.json.keys().isdisjoint(("token", "organization"))


@pytest.mark.parametrize("power", ["canManageBuckets", "canCreateJobs", "canReadAllFileUploads", "canPurgeTrash"])
def test_a_right_is_given_and_taken_away(shared: ServicesOnly, power: str) -> None:
    made = make(shared)
    path = f"{TOKENS}/{made['id']}"
    assert not made[power]

    for given in (True, False, "1", "0"):
        assert shared.service("storage").put(path, {power: given}).json[power] is (given in (True, "1"))
        assert verify(shared, made["token"]).json[power] is (given in (True, "1"))
    assert make(shared, None, **{power: True})[power]


def test_tokens_are_made_and_changed_by_forms(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    wish = b"description=form&bucketPermissions%5Bin.c-main%5D=read&componentAccess%5B%5D=ex-generic-v2&canPurgeTrash=1"
    made = services.service("storage").send("POST", TOKENS, wish, form).json
    wish = b"bucketPermissions%5Bin.c-main%5D=write&canPurgeTrash=0"
    changed = services.service("storage").send("PUT", f"{TOKENS}/{made['id']}", wish, form).json

    assert (made["bucketPermissions"], changed["bucketPermissions"]) == ({"in.c-main": "read"}, {"in.c-main": "write"})
    assert made["componentAccess"] == changed["componentAccess"] != []
    assert (made["canPurgeTrash"], changed["canPurgeTrash"]) == (True, False)


@pytest.mark.parametrize(
    "wish", [{"bucketPermissions": {"in.c-main": "manage"}}, {"bucketPermissions": {"in.c-absent": "read"}}]
)
def test_an_update_that_cannot_be_changes_nothing(services: ServicesOnly, wish: dict[str, Any]) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, description="before")
    answer = services.service("storage").put(f"{TOKENS}/{made['id']}", {"description": "after", **wish})

    assert (answer.status, answer.json["code"]) == (400, "storage.tokens.invalidPermissions")
    assert verify(services, made["token"]).json["description"] == "before"


def test_a_master_token_can_be_renamed_and_nothing_else(services: ServicesOnly) -> None:
    own = services.project.token.split("-")[1]
    wish = {"description": "boss@example.test", "canManageBuckets": False, "expiresIn": 1}
    answer = services.service("storage").put(f"{TOKENS}/{own}", wish)

    assert (answer.status, answer.json["description"]) == (200, "boss@example.test")
    assert all(answer.json[power] for power in POWERS)
    assert answer.json["expires"] is None


def test_a_manager_of_tokens_touches_no_master_token(services: ServicesOnly) -> None:
    manager = services.service("storage", manager_token(services, {}))
    master = f"{TOKENS}/{services.project.token.split('-')[1]}"

    assert manager.put(master, {"description": "mine"}).status == 403
    assert manager.post(f"{master}/refresh").status == 403
    assert manager.delete(master).status == 403
    assert verify(services, services.project.token).status == 200


def test_a_refreshed_token_has_a_new_secret_and_the_old_one_ends(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make(services, description="refreshed")
    later = clock.now() + timedelta(seconds=5)
    monkeypatch.setattr(clock, "source", lambda: later)
    answer = services.service("storage").post(f"{TOKENS}/{made['id']}/refresh")

    assert answer.status == 200
    assert answer.json["id"] == made["id"]
    assert answer.json["token"] != made["token"]
    assert (answer.json["created"], answer.json["refreshed"] != made["refreshed"]) == (made["created"], True)
    assert answer.json.keys().isdisjoint(("organization", "owner"))
    assert verify(services, made["token"]).status == 401
    assert verify(services, answer.json["token"]).json["description"] == "refreshed"


def test_any_token_refreshes_and_sees_itself_but_no_other(services: ServicesOnly) -> None:
    made, other = make(services), make(services)
    own = services.service("storage", made["token"])

    assert own.get(f"{TOKENS}/{made['id']}").json["owner"]["id"] == services.project.id
    for answer in (
        own.get(f"{TOKENS}/{other['id']}"),
        own.get(f"{TOKENS}/{other['id']}/events"),
        own.post(f"{TOKENS}/{other['id']}/refresh"),
        own.put(f"{TOKENS}/{made['id']}", {"canManageBuckets": True}),
    ):
        assert (answer.status, answer.json["code"]) == (403, "accessDenied")
    assert own.post(f"{TOKENS}/{made['id']}/refresh").status == 200
    assert verify(services, made["token"]).status == 401


def test_a_manager_refreshes_only_what_can_do_no_more_than_itself(services: ServicesOnly) -> None:
    """The answer shows the secret: with it the manager would have become more than it is."""
    load_table(services, "in.c-mine.users", "id\n1\n")
    load_table(services, "in.c-other.users", "id\n1\n")
    manager = services.service("storage", manager_token(services, {"in.c-mine": "read"}))

    for wish, status in (
        ({}, 200),
        ({"bucketPermissions": {"in.c-mine": "read"}}, 200),
        ({"bucketPermissions": {"in.c-mine": "write"}}, 403),
        ({"bucketPermissions": {"in.c-other": "read"}}, 403),
        ({"canManageBuckets": True}, 403),
        ({"canCreateJobs": True}, 403),
        ({"componentAccess": ["ex-generic-v2"]}, 403),
    ):
        assert manager.post(f"{TOKENS}/{make(services, None, **wish)['id']}/refresh").status == status, wish


def test_a_short_lived_manager_refreshes_nothing_that_outlives_it(services: ServicesOnly) -> None:
    text = manager_token(services, {})
    number = text.split("-")[1]
    assert services.service("storage").put(f"{TOKENS}/{number}", {"expiresIn": 1000}).status == 200
    manager = services.service("storage", text)

    assert manager.post(f"{TOKENS}/{make(services)['id']}/refresh").status == 403
    assert manager.post(f"{TOKENS}/{make(services, expiresIn=100)['id']}/refresh").status == 200


def test_what_happens_to_tokens_is_told_without_their_secrets(services: ServicesOnly) -> None:
    storage = services.service("storage")
    made = make(services, description="watched")
    storage.put(f"{TOKENS}/{made['id']}", {"description": "renamed"})
    renewed = storage.post(f"{TOKENS}/{made['id']}/refresh").json
    services.service("storage", renewed["token"]).post("/v2/storage/events", {"message": "hello", "component": "test"})
    done = storage.get(f"{TOKENS}/{made['id']}/events").json
    storage.delete(f"{TOKENS}/{made['id']}")
    told = storage.get("/v2/storage/events?q=objectType:token").json

    assert [event["message"] for event in done] == ["hello"]
    assert [event["event"] for event in told if event["objectId"] == made["id"]] == [
        *("storage.tokenDeleted", "storage.tokenRefreshed", "storage.tokenUpdated", "storage.tokenCreated")
    ]
    assert made["token"].split("-")[2] not in str(told)


def test_a_bucket_of_an_old_name_is_not_for_those_who_had_the_old_one(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    made = make(services, bucketPermissions={"in.c-main": "read"})
    assert services.service("storage").delete("/v2/storage/buckets/in.c-main?force=1").status == 204
    load_table(services, "in.c-main.users", "id\n1\n")

    assert verify(services, made["token"]).json["bucketPermissions"] == {}
    assert services.service("storage", made["token"]).get("/v2/storage/buckets/in.c-main").status == 403


def test_a_project_tells_how_much_is_in_it(services: ServicesOnly) -> None:
    empty = verify(services, services.project.token).json["owner"]
    load_table(services, "in.c-one.t", "id\n1\n2\n")
    load_table(services, "in.c-two.t", "id\n3\n")
    full = verify(services, services.project.token).json["owner"]
    tables = services.service("storage").get("/v2/storage/tables").json

    assert (empty["rowsCount"], empty["dataSizeBytes"]) == (0, 0)
    assert full["rowsCount"] == 3
    assert full["dataSizeBytes"] == sum(table["dataSizeBytes"] for table in tables) > 0
    assert (full["expires"], full["billedMonthlyPrice"], full["hasTryModeOn"]) == (None, None, "0")
    assert full["dataRetentionTimeInDays"] == 7
    assert full["limits"]["storage.jobsParallelism"]["name"] == "storage.jobsParallelism"


def test_what_a_token_may_not_do_is_refused_in_one_sentence(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.t", "id\n1\n")
    reader = services.service("storage", make(services, bucketPermissions={"in.c-main": "read"})["token"])
    component = "/v2/storage/components/ex-generic-v2/configs"

    for answer in (
        reader.put("/v2/storage/buckets/in.c-main", {"displayName": "x"}),
        reader.delete("/v2/storage/tables/in.c-main.t"),
        reader.post(component, {"name": "x"}),
    ):
        assert (answer.status, answer.json["code"]) == (403, "accessDenied")
        assert answer.json["error"] == "You don't have access to the resource."
