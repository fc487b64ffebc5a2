"""Nested rows into the extractor's four tables, row ids included: as fast as one Python process can, for these rows.

What it gives up to be fast: it knows every key, takes their order and types for granted, and reads no page with an
escape in it. The tables are those of the extractor, byte for byte.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.benchmarks.extractor.limits import tickets as shape
from tests.benchmarks.extractor.limits.pages import read_arguments, read_pages
from tests.benchmarks.extractor.limits.parts import EMPTY, Parts, join_rows, line, lists, objects, texts

HEADERS = {
    "nested": (
        *shape.TICKET,
        *(f"user_{key}" for key in shape.PERSON),
        *(f"milestone_{key}" for key in shape.MILESTONE),
        *(f"milestone_creator_{key}" for key in shape.PERSON),
        *("repository_id", "repository_name", "repository_owner_id", "repository_owner_login"),
        *("repository_owner_plan_name", "repository_owner_plan_seats", "labels", "assignees", "topics"),
        *(f"reactions_{key}" for key in shape.REACTIONS),
    ),
    "nested_labels": (*shape.LABEL, "JSON_parentId"),
    "nested_assignees": (*shape.PERSON, "JSON_parentId"),
    "nested_topics": ("data", "JSON_parentId"),
}
_NO_MILESTONE = b",".join([EMPTY] * (len(shape.MILESTONE) + len(shape.PERSON)))
_BUFFER = 1 << 20
_decode = msgspec.json.Decoder(shape.Page).decode
_flatten = chain.from_iterable


class Rows(NamedTuple):
    """Objects in both forms, each in one piece."""

    serialized: list[bytes]
    cells: list[bytes]

    def cut(self, start: int, stop: int | None = None) -> Rows:
        return Rows(self.serialized[start:stop], self.cells[start:stop])


class Parted(NamedTuple):
    """Objects in both forms, still in parts."""

    members: dict[str, Parts]
    cells: list[Parts]

    def join(self) -> Rows:
        return Rows(join_rows(objects(self.members)), join_rows(line(self.cells)))

    def holding(self, key: str, inner: Parted | Rows) -> Parted:
        """With an object inside, as its last member."""
        is_joined = isinstance(inner, Rows)
        member = (inner.serialized,) if is_joined else objects(inner.members)
        cells: list[Parts] = [(inner.cells,)] if is_joined else inner.cells
        return Parted({**self.members, key: member}, [*self.cells, *cells])


def main() -> None:
    gc.disable()
    wanted = read_arguments()
    with ExitStack() as stack:
        paths = [Path(wanted.out, f"bench.{name}") for name in HEADERS]
        files = [stack.enter_context(path.open("wb", buffering=_BUFFER)) for path in paths]
        for file, header in zip(files, HEADERS.values(), strict=True):
            file.write(b"%b\n" % b",".join(b'"%b"' % name.encode() for name in header))
        for body in read_pages(wanted):
            for file, lines in zip(files, make_tables(body), strict=True):
                file.write(lines)


def make_tables(body: bytes) -> list[bytes]:
    """The lines of one page, table by table."""
    if b"\\" in body:
        raise SystemExit("This program reads only pages without escapes.")
    tickets = _decode(body).items
    users, creators, assignees = _people(tickets)
    items = {"labels": _labels(tickets), "assignees": assignees, "topics": _topics(tickets)}
    held = {key: list(map(attrgetter(key), tickets)) for key in items}
    first = _parted(tickets, shape.TICKET).holding("user", users)
    first = first.holding("milestone", _milestones(tickets, creators)).holding("repository", _repositories(tickets))
    reactions = _parted([ticket.reactions for ticket in tickets], shape.REACTIONS)
    linked = {key: lists(held[key], items[key].serialized) for key in items}
    ids = _ids({**first.members, **linked, "reactions": objects(reactions.members)})
    links = [_links(ids, held[key]) for key in items]
    rows = _lines(line([*first.cells, *links, *reactions.cells]))
    return [rows, *(_children(items[key].cells, held[key], ids) for key in items)]


def _parted(values: Iterable[Any], kinds: shape.Kinds) -> Parted:
    columns = list(zip(*map(attrgetter(*kinds), values), strict=True)) or [()] * len(kinds)
    typed = list(zip(kinds.items(), columns, strict=True))
    members = {key: kind.serialize(column) for (key, kind), column in typed}
    return Parted(members, [kind.cells(column) for (_, kind), column in typed])


def _people(tickets: Sequence[shape.Ticket]) -> tuple[Rows, Rows, Rows]:
    """Users, creators of milestones, and assignees: one type, so all at once."""
    users = [ticket.user for ticket in tickets]
    creators = [ticket.milestone.creator for ticket in tickets if ticket.milestone is not None]
    assignees = _flatten([ticket.assignees for ticket in tickets])
    people = _parted([*users, *creators, *assignees], shape.PERSON).join()
    first, second = len(users), len(users) + len(creators)
    return people.cut(0, first), people.cut(first, second), people.cut(second)


def _milestones(tickets: Sequence[shape.Ticket], creators: Rows) -> Rows:
    """Rows without one get what stands for none."""
    places = [ticket.milestone for ticket in tickets]
    found = [place for place in places if place is not None]
    made = _parted(found, shape.MILESTONE).holding("creator", creators).join()
    serialized, cells = iter(made.serialized), iter(made.cells)
    return Rows(
        [b"N;" if place is None else next(serialized) for place in places],
        [_NO_MILESTONE if place is None else next(cells) for place in places],
    )


def _repositories(tickets: Sequence[shape.Ticket]) -> Parted:
    repositories = [ticket.repository for ticket in tickets]
    owners = [repository.owner for repository in repositories]
    plans = _parted([owner.plan for owner in owners], shape.PLAN)
    return _parted(repositories, shape.REPOSITORY).holding("owner", _parted(owners, shape.OWNER).holding("plan", plans))


def _labels(tickets: Sequence[shape.Ticket]) -> Rows:
    return _parted(_flatten([ticket.labels for ticket in tickets]), shape.LABEL).join()


def _topics(tickets: Sequence[shape.Ticket]) -> Rows:
    words: list[bytes] = list(_flatten([ticket.topics for ticket in tickets]))
    return Rows(join_rows(texts(words)), words)


def _ids(members: dict[str, Parts]) -> list[bytes]:
    md5 = hashlib.md5
    return [b'"nested_%b"' % md5(row).hexdigest().encode() for row in join_rows(objects(members))]


def _links(ids: Iterable[bytes], held: Iterable[Sequence[Any]]) -> Parts:
    return ([each if items else EMPTY for each, items in zip(ids, held, strict=True)],)


def _children(cells: list[bytes], held: Iterable[Sequence[Any]], ids: Iterable[bytes]) -> bytes:
    parents = [each for each, items in zip(ids, held, strict=True) for _ in items]
    return _lines(line([(cells,), (parents,)]))


def _lines(parts: Parts) -> bytes:
    return b"".join(join_rows([*parts, b"\n"]))


if __name__ == "__main__":
    main()
