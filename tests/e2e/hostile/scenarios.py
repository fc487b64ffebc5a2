"""How a seed becomes a scenario: class, method and seed choose the form of the fault, the data, the size of the pages
and the page that is hit. The same three always give the same scenario.

Variants are dealt out rather than drawn, so that the scenarios of a class use all of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

from tests.e2e.hostile.faults import CLASSES
from tests.e2e.hostile.model import make_data
from tests.e2e.hostile.paging import WAYS
from tests.e2e.hostile.scenario import Scenario, Variant

SEEDS = int(os.environ.get("HOSTILE_SEEDS", "5"))
"""`HOSTILE_SEEDS=170 make test-faults` runs 20,400 scenarios."""
PARALLELISM = (1, 1, 1, 4, "auto")
Key = tuple[str, str, int]
"""Class, method and seed. Tests are listed by it: to make six hundred scenarios takes a second, and every process of
the tests lists all of them."""
KEYS: list[Key] = [(name, way, seed) for name in CLASSES for way in WAYS for seed in range(SEEDS)]


def to_id(key: Key) -> str:
    return "-".join(map(str, key))


def all_scenarios() -> Iterator[Scenario]:
    return (make_scenario(*key) for key in KEYS)


def make_scenario(fault_class: str, way_name: str, seed: int) -> Scenario:
    way, id_ = WAYS[way_name], to_id((fault_class, way_name, seed))
    variant = _choose(fault_class, way_name, seed)
    random = Random(f"scenario {id_}")
    data = make_data(random, is_full=variant.is_full)
    pages = len(data.pages) if variant.is_of_records else way.count(data)
    position = random.randrange(variant.first_page, pages)
    if variant.data:
        data = variant.data(data, position, random)
    return Scenario(id_, way, variant, data, position, PARALLELISM[seed % len(PARALLELISM)])


def _choose(fault_class: str, way_name: str, seed: int) -> Variant:
    return _dealt(fault_class, seed)[way_name]


@cache
def _dealt(fault_class: str, seed: int) -> dict[str, Variant]:
    """To each method the variant that has been used least; of those the one that fewest methods can use."""
    used = Counter(variant.name for earlier in range(seed) for variant in _dealt(fault_class, earlier).values())
    dealt: dict[str, Variant] = {}
    for way in WAYS:
        able = [each for each in CLASSES[fault_class] if not each.ways or way in each.ways]
        dealt[way] = min(able, key=lambda each: (used[each.name], len(each.ways) or len(WAYS)))
        used[dealt[way].name] += 1
    return dealt
