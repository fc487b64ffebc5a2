"""H13: long texts, wide records and long pages. What does not fit into memory is in test_memory.py."""

from __future__ import annotations

from random import Random

from tests.e2e.hostile.faults.odd import odd, shown, with_columns
from tests.e2e.hostile.model import Data, Record
from tests.e2e.hostile.scenario import Variant

LONG = "long ž " * 550_000
"""4.4 MB: larger than what is kept in memory of one response."""
MIDDLE = "x" * 380_000
ROWS = 20_000


def _long_page(_data: Data, _position: int, random: Random) -> Data:
    """Some 4 MB on the first page, a few records on the second."""
    name = "".join(random.choices('abc ž"\n', k=100))
    return Data(tuple(Record(index, name, f"{index}.5", index % 3 == 0) for index in range(ROWS + 5)), ROWS)


def _nothing_in_them(_data: Data, _position: int, random: Random) -> Data:
    """Very many records that are as small as they can be."""
    return Data(tuple(Record(index, "", "0", False) for index in range(ROWS + 5)), ROWS)


VARIANTS = (
    Variant("a long text", data=odd(name=LONG), is_of_records=True),
    Variant(
        "a wide record",
        *(None, 1, with_columns(*[MIDDLE] * 12)),
        data=odd(members="".join(f',"wide {index}":"{MIDDLE}"' for index in range(12))),
        is_of_records=True,
    ),
    Variant("a long number", None, 1, shown(amount="7" * 4000), data=odd(amount="7" * 4000), is_of_records=True),
    Variant("a long page", data=_long_page),
    Variant("very many records", data=_nothing_in_them),
)
