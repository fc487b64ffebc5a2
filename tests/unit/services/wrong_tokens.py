"""Tokens of every kind that a stack must refuse, and what it says to each: `tests/data/wrong_tokens.jsonl`."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from tests.support.corpora import read_objects
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

KINDS = read_objects("wrong_tokens.jsonl")
MISSING, INVALID = "Access token must be set", "Invalid access token"
SENTENCES: dict[str, str] = {each["kind"]: each["says"] for each in KINDS if "says" in each}
"""What is said to a kind, if not that it is invalid."""


def wrong_tokens(here: ServicesOnly, elsewhere: str) -> dict[str, str | None]:
    """For the stack that is here, with a token of another one."""
    values = _values(here, elsewhere)
    return {each["kind"]: each["token"] and each["token"].format(**values) for each in KINDS}


def _values(here: ServicesOnly, elsewhere: str) -> dict[str, str]:
    project, number, secret = here.project.token.split("-")
    foreign_project, foreign_number, foreign_secret = add_project(here).token.split("-")
    return {
        "project": project,
        "number": number,
        "secret": secret,
        "SECRET": secret.upper(),
        "half": secret[: len(secret) // 2],
        "zeros": "0" * 60,
        "huge": "9" * 30,
        "foreign_project": foreign_project,
        "foreign_number": foreign_number,
        "foreign_secret": foreign_secret,
        "revoked": revoked_token(here),
        "refreshed": refreshed_token(here),
        "expired": expired_token(here),
        "elsewhere": elsewhere,
    }


def revoked_token(services: ServicesOnly) -> str:
    storage = services.service("storage")
    made = storage.post("/v2/storage/tokens", {"canManageBuckets": True}).json
    storage.delete(f"/v2/storage/tokens/{made['id']}")
    return made["token"]


def refreshed_token(services: ServicesOnly) -> str:
    storage = services.service("storage")
    made = storage.post("/v2/storage/tokens", {"canManageBuckets": True}).json
    assert storage.post(f"/v2/storage/tokens/{made['id']}/refresh").status == 200
    return made["token"]


def expired_token(services: ServicesOnly) -> str:
    before, clock.source = clock.source, lambda: before() - timedelta(hours=1)
    try:
        return services.service("storage").post("/v2/storage/tokens", {"expiresIn": 60}).json["token"]
    finally:
        clock.source = before
