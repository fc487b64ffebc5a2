"""Tokens of every kind that a stack must refuse, and what it says to each."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

MISSING, INVALID = "Access token must be set", "Invalid access token"
SENTENCES = {"none": MISSING, "empty": MISSING, "expired": "The access token has expired."}
"""What is said to a kind, if not that it is invalid."""


def wrong_tokens(here: ServicesOnly, there: ServicesOnly) -> dict[str, str | None]:
    """For the stack that is here; the other one is there to have tokens of its own."""
    storage = here.service("storage")
    project, number, secret = here.project.token.split("-")
    revoked = storage.post("/v2/storage/tokens", {"canManageBuckets": True}).json
    storage.delete(f"/v2/storage/tokens/{revoked['id']}")
    foreign = add_project(here).token.split("-")
    return {
        "none": None,
        "empty": "",
        "malformed": "nonsense",
        "malformed: secret only": secret,
        "malformed: spaces inside": f"{project} - {number} - {secret}",
        "malformed: capitals": f"{project}-{number}-{secret.upper()}",
        "malformed: longer": here.project.token + "0",
        "malformed: huge ids": f"{'9' * 30}-{'9' * 30}-{secret}",
        "unknown: id": f"{project}-999999-{secret}",
        "unknown: project": f"999999-{number}-{secret}",
        "unknown: secret": f"{project}-{number}-{'0' * 60}",
        "revoked": revoked["token"],
        "expired": expired_token(here),
        "of another project, with our number": f"{project}-{foreign[1]}-{foreign[2]}",
        "of ours, with another's number": f"{foreign[0]}-{number}-{secret}",
        "of another stack": there.project.token,
    }


def expired_token(services: ServicesOnly) -> str:
    before, clock.source = clock.source, lambda: before() - timedelta(hours=1)
    try:
        return services.service("storage").post("/v2/storage/tokens", {"expiresIn": 60}).json["token"]
    finally:
        clock.source = before
