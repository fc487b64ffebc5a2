"""The nested rows as types: the parser makes these objects straight from the page, and values keep their source text.

Several ways were tried, and raw values with `bytes.join` were the fastest. Typed values with f-strings took a fifth
more time, because texts with letters beyond ASCII are widened and then encoded. DuckDB, which can also serialize and
hash, needed more than twice the time before it had written anything.
"""

from __future__ import annotations

from msgspec import Raw, Struct

from tests.benchmarks.extractor.limits.parts import DECIMAL, FLAG, INTEGER, TEXT, TEXT_OR_NULL, Kind


class Person(Struct, gc=False):
    id: Raw
    login: Raw
    type: Raw
    site_admin: bool
    html_url: Raw


class Milestone(Struct, gc=False):
    id: Raw
    title: Raw
    due_on: Raw
    creator: Person


class Plan(Struct, gc=False):
    name: Raw
    seats: Raw


class Owner(Struct, gc=False):
    id: Raw
    login: Raw
    plan: Plan


class Repository(Struct, gc=False):
    id: Raw
    name: Raw
    owner: Owner


class Label(Struct, gc=False):
    id: Raw
    name: Raw
    color: Raw
    default: bool


class Reactions(Struct, gc=False):
    total_count: Raw
    plus_one: Raw
    heart: Raw


class Ticket(Struct, gc=False):
    id: Raw
    number: Raw
    url: Raw
    title: Raw
    body: Raw
    state: Raw
    locked: bool
    comments: Raw
    score: Raw
    created_at: Raw
    closed_at: Raw
    user: Person
    milestone: Milestone | None
    repository: Repository
    labels: list[Label]
    assignees: list[Person]
    topics: list[Raw]
    reactions: Reactions


class Page(Struct, gc=False):
    items: list[Ticket]


Kinds = dict[str, Kind]
PERSON: Kinds = {"id": INTEGER, "login": TEXT, "type": TEXT, "site_admin": FLAG, "html_url": TEXT}
MILESTONE: Kinds = {"id": INTEGER, "title": TEXT, "due_on": TEXT}
PLAN: Kinds = {"name": TEXT, "seats": INTEGER}
OWNER: Kinds = {"id": INTEGER, "login": TEXT}
REPOSITORY: Kinds = {"id": INTEGER, "name": TEXT}
LABEL: Kinds = {"id": INTEGER, "name": TEXT, "color": TEXT, "default": FLAG}
REACTIONS: Kinds = {"total_count": INTEGER, "plus_one": INTEGER, "heart": INTEGER}
TICKET: Kinds = {
    "id": INTEGER,
    "number": INTEGER,
    "url": TEXT,
    "title": TEXT,
    "body": TEXT,
    "state": TEXT,
    "locked": FLAG,
    "comments": INTEGER,
    "score": DECIMAL,
    "created_at": TEXT,
    "closed_at": TEXT_OR_NULL,
}
"""The values of each type that are no objects and no lists."""
