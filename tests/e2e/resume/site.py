"""The records of an API and its pages: made from a seed, so that every attempt and every run sees the same.

There are three collections: `items`, `items/7/orders` below an item, and `orders/703/events` below an order. The last
items have keys and lists that those before them do not have, so that tables get wider late in a run.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIRST_START = 1_000_000_000
"""A Unix time of long ago, for the method that pages by time."""
LATE = 0.7


@dataclass(frozen=True)
class Reply:
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Site:
    seed: int
    items: int = 24
    size: int = 4
    """Records on a page."""

    def reply(self, path: str, params: Mapping[str, str]) -> Reply:
        records = self.records(path.removesuffix(".csv"))
        start = _start(params, records, self.size)
        page, following = records[start : start + self.size], start + self.size
        is_last = following >= len(records)
        if path.endswith(".csv"):
            return Reply(_as_csv(page), {})
        link = "" if is_last else f"{path}?start={following}"
        recent = "" if is_last else f"{path}?start_time={FIRST_START + following}"
        document = {"items": page, "next": "" if is_last else f"t{following}", "link": link, "recent": recent}
        return Reply(json.dumps(document).encode(), {"Link": f'<{link}>; rel="next"'} if link else {})

    def records(self, path: str) -> list[dict[str, Any]]:
        """Of a collection; each has an `id` that is greater than the one before."""
        kind, *above = path.split("/")
        if not above:
            return [self._item(number) for number in range(1, self.items + 1)]
        parent = int(above[0])
        chance = random.Random(f"{self.seed} {path}")
        count = chance.randint(0, self.size + 1 if kind == "items" else 2)
        return [self._below(parent * 100 + number, chance) for number in range(1, count + 1)]

    def _item(self, number: int) -> dict[str, Any]:
        chance = random.Random(f"{self.seed} item {number}")
        item: dict[str, Any] = {
            "id": number,
            "name": f'item "{number}" č',
            "price": chance.choice([1, 2.5, None, 10**20]),
            "maker": {"name": chance.choice("abc"), "since": chance.randint(1990, 2020)},
            "tags": [chance.choice(["red", "green", "blue\n"]) for _ in range(chance.randint(0, 3))],
            "lines": [{"product": chance.randint(1, 9), "pieces": 1} for _ in range(chance.randint(0, 2))],
        }
        if number > LATE * self.items:
            item |= {"late": number, "sizes": [{"height": number, "parts": [1, 2]}]}
        return item

    def _below(self, number: int, chance: random.Random) -> dict[str, Any]:
        late = {"note": "late"} if number > LATE * self.items * 100 else {}
        return {"id": number, "total": chance.randint(1, 99), "codes": [chance.randint(1, 9)], **late}


def _start(params: Mapping[str, str], records: list[dict[str, Any]], size: int) -> int:
    """Where a page starts, by whatever the method in use sends."""
    if "since" in params:
        return sum(record["id"] <= int(params["since"]) for record in records)
    if "page" in params:
        return (int(params["page"]) - 1) * size
    if "start_time" in params:
        return int(params["start_time"]) - FIRST_START
    return int(params.get("offset") or params.get("token", "").removeprefix("t") or params.get("start") or 0)


def _as_csv(records: list[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["id", "name"])
    writer.writerows([record["id"], record["name"]] for record in records)
    return text.getvalue().encode()
