"""The rows that the benchmark's API sends: invented, and the same in every run.

A row is kept without its id, which the server puts in front of it. So a hundred thousand rows in memory stand for ten
million with different ids, and the server stays small while it sends gigabytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

Row = dict[str, Any]
WORDS = (
    *("river", "valve", "harbour", "signal", "ledger", "parcel", "freight", "contract", "branch", "season", "window"),
    *("account", "meter", "bridge", "station", "copper", "letter", "garden"),
    *("příliš", "žluťoučký", "crème", "Straße", "大阪", "señal"),
)
"""A quarter of them is not ASCII, as names and texts of real customers are not."""
STATES = ("new", "open", "paid", "shipped", "closed")
COUNTRIES = ("CZ", "US", "DE", "GB", "JP")
_START = datetime(2021, 1, 1, tzinfo=UTC)
_SIX_YEARS = 6 * 365 * 24 * 3600


def render_rows(kind: str) -> list[bytes]:
    """All different rows of a kind: the JSON of each behind its id, `,"code":…}`."""
    make, count = KINDS[kind]
    rng = random.Random(f"penstock {kind}")
    return [b"," + msgspec.json.encode(make(rng, number))[1:] for number in range(1, count + 1)]


def flat_row(rng: random.Random, _number: int) -> Row:
    """An order: twelve values with the id, a quarter of a kilobyte, some nulls and some quotes."""
    return {
        "code": f"P-{rng.getrandbits(40):012x}",
        "name": _text(rng, 2, 4),
        "status": rng.choice(STATES),
        "quantity": rng.randrange(1, 500),
        "price": round(rng.random() * 1000, 2),
        "ratio": rng.random() if rng.random() < 0.8 else None,
        "active": rng.random() < 0.5,
        "note": f'{_text(rng, 3, 8)}, "as agreed"' if rng.random() < 0.3 else None,
        "country": rng.choice(COUNTRIES),
        "created_at": _time(rng),
        "due_date": _time(rng)[:10],
    }


def wide_row(rng: random.Random, number: int) -> Row:
    """An order with a long description: half a kilobyte, so that two million of them are a gigabyte."""
    return {**flat_row(rng, number), "description": _text(rng, 30, 36)}


def nested_row(rng: random.Random, number: int) -> Row:
    """A ticket: objects up to three deep, and three lists that become tables of their own."""
    return {
        "number": number,
        "url": f"https://api.tracker.example/teams/acme/tickets/{number}",
        "title": _text(rng, 4, 10),
        "body": _text(rng, 20, 60),
        "state": "closed" if rng.random() < 0.7 else "open",
        "locked": rng.random() < 0.1,
        "comments": rng.randrange(40),
        "score": rng.random(),
        "created_at": _time(rng),
        "closed_at": _time(rng) if rng.random() < 0.7 else None,
        "user": _person(rng),
        "milestone": _milestone(rng) if rng.random() < 0.4 else None,
        "repository": _repository(number),
        "labels": [_label(rng) for _ in range(rng.randrange(5))],
        "assignees": [_person(rng) for _ in range(rng.randrange(3))],
        "topics": rng.choices(WORDS, k=rng.randrange(4)),
        "reactions": {"total_count": rng.randrange(9), "plus_one": rng.randrange(5), "heart": rng.randrange(4)},
    }


KINDS: dict[str, tuple[Callable[[random.Random, int], Row], int]] = {
    "flat": (flat_row, 100_000),
    "wide": (wide_row, 10_000),
    "nested": (nested_row, 100_000),
}
"""How a row of a kind is made, and how many different ones there are."""


def _text(rng: random.Random, fewest: int, most: int) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(fewest, most)))


def _time(rng: random.Random) -> str:
    return f"{(_START + timedelta(seconds=rng.randrange(_SIX_YEARS))):%Y-%m-%dT%H:%M:%SZ}"


def _person(rng: random.Random) -> Row:
    number = rng.randrange(1, 50_000)
    return {
        "id": number,
        "login": f"person{number}",
        "type": "Robot" if number % 17 == 0 else "Person",
        "site_admin": number % 101 == 0,
        "html_url": f"https://tracker.example/person{number}",
    }


def _milestone(rng: random.Random) -> Row:
    number = rng.randrange(1, 60)
    return {"id": number, "title": f"v{number}", "due_on": _time(rng), "creator": _person(rng)}


def _repository(number: int) -> Row:
    plan = {"name": "team", "seats": number % 300}
    owner = {"id": number % 13, "login": f"team{number % 13}", "plan": plan}
    return {"id": number % 97, "name": f"project-{number % 97}", "owner": owner}


def _label(rng: random.Random) -> Row:
    number = rng.randrange(1, 40)
    return {"id": number, "name": f"label-{number}", "color": f"{number * 4093:06x}", "default": number < 5}
