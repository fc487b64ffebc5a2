"""The records that a hostile API has, and the table that has to come of them: a model of a few lines, written from
the documents and not from the program."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

COLUMNS = ("id", "name", "amount", "active")
LETTERS = 'abcXYZ019 ,;"\\/\n\tžéß漢🙂'


@dataclass(frozen=True)
class Record:
    """One record. `members` are further keys and values, as JSON text, for the APIs that send odd ones."""

    id: int
    name: str
    amount: str
    """A number, as it is written in JSON; plain numbers look the same in a table."""
    active: bool
    members: str = ""

    @property
    def text(self) -> str:
        name, active = json.dumps(self.name, ensure_ascii=self.id % 2 == 0), json.dumps(self.active)
        return f'{{"id":{self.id},"name":{name},"amount":{self.amount},"active":{active}{self.members}}}'

    @property
    def cells(self) -> tuple[str, ...]:
        return (str(self.id), self.name, self.amount, "1" if self.active else "")


@dataclass(frozen=True)
class Data:
    """All records, in the order of their ids, and how many of them fit on a page."""

    records: tuple[Record, ...]
    size: int
    pages: tuple[tuple[Record, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        starts = range(0, len(self.records), self.size)
        object.__setattr__(self, "pages", tuple(self.records[start : start + self.size] for start in starts))

    def page(self, index: int) -> tuple[Record, ...]:
        """Empty beyond the end."""
        return self.pages[index] if index < len(self.pages) else ()


def make_data(random: Random, *, is_full: bool = False) -> Data:
    """Two to six pages; `is_full`: the last one too."""
    size, pages = random.randint(2, 7), random.randint(2, 6)
    count = size * pages if is_full else size * (pages - 1) + random.randint(1, size)
    ids, last = [], random.randint(0, 50)
    for _ in range(count):
        last += random.randint(1, 9)
        ids.append(last)
    return Data(tuple(_record(random, id_) for id_ in ids), size)


def table(records: Sequence[Record]) -> bytes:
    return csv_text(COLUMNS, [record.cells for record in records])


def csv_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Every cell in quotes, quotes doubled, lines ended by a line feed."""
    lines = (",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\n" for cells in (header, *rows))
    return "".join(lines).encode()


def _record(random: Random, id_: int) -> Record:
    name = "".join(random.choices(LETTERS, k=random.randint(0, 12)))
    return Record(id_, name, f"{random.randint(0, 999)}.{random.randint(1, 9)}", random.random() < 0.5)
