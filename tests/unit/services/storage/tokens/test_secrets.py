"""Secrets of tokens: random, and not stored."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.tokens.making import TOKENS, make


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
    assert time.monotonic() - started < 150


def test_events_of_tokens_do_not_contain_their_secrets(services: ServicesOnly) -> None:
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
