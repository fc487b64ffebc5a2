"""Extractions made up from a seed: an API with lists of every size, jobs that read them in every way, and its faults.

Everything follows from the seed, so that two runs of one scenario differ in nothing but what the test changes.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from hypothesis import strategies as st

from tests.support.api import Response, Seen

SIZE = 3
"""Records on a page."""
AHEAD = ("offset", "pagenum", "pagenum-limit")
"""Ways to page whose next request is known beforehand."""
SCROLLERS: dict[str, dict[str, Any]] = {
    "offset": {"method": "offset", "limit": SIZE},
    "pagenum": {"method": "pagenum"},
    "pagenum-limit": {"method": "pagenum", "limit": SIZE, "firstPage": 0, "pageParam": "p"},
    "param": {"method": "response.param", "responseParam": "token", "queryParam": "start"},
    "url": {"method": "response.url", "urlKey": "next"},
    "zendesk": {"method": "zendesk.response.url", "urlKey": "next"},
    "link": {"method": "link"},
    "cursor": {"method": "cursor", "idKey": "n", "param": "since", "increment": 1},
}
STOPS: list[dict[str, Any]] = [
    {},
    {},
    {"limitStop": {"count": 2 * SIZE + 1}},
    {"limitStop": {"field": "total"}},
    {"forceStop": {"pages": 3}},
    {"forceStop": {"volume": 400}},
    {"nextPageFlag": {"field": "more", "stopOn": False, "ifNotSet": False}},
    {"loopGuard": {"idKey": "id"}},
]
FAULTS = [Response(429), Response(503), Response(500), Response(200, b'{"items": [{"id": "cut"}]}', cut=9)]
LATE: dict[str, list[Any]] = {
    "list": ["x", [1, 2], []],
    "box": [{"a": [3]}, {"b": "y"}, {"a": "z"}],
    "rows": [[{"b": 1}, {"c": 2}], [{"c": [4]}]],
}
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""A folder where syncing takes no time."""
GONE = Response.json({"message": "gone"}, 404)


@dataclass(frozen=True)
class Scenario:
    seed: int
    root: str = "offset"
    below: str = "offset"
    stops: dict[str, Any] = field(default_factory=dict[str, Any])
    most: int = 12
    """Records at the root, at most."""
    levels: int = 2
    """Of jobs below those at the root."""
    faults: float = 0.0
    """How many of the requests fail at first."""
    delays: float = 0.0
    """Seconds, at most."""
    is_mapped: bool = False

    def document(self, url: str, parallelism: Any = 1) -> dict[str, Any]:
        scrollers = {name: {**scroller, **self.stops} for name, scroller in SCROLLERS.items()}
        api = {
            "baseUrl": url,
            "pagination": {"method": "multiple", "scrollers": scrollers},
            "retryConfig": {"maxRetries": 4, "maxWait": 0},
            "parallelism": parallelism,
        }
        mappings = {
            "kids": {"id": "id", "tags": "tags", "parent_id": {"type": "user", "mapping": {"destination": "p"}}}
        }
        config: dict[str, Any] = {"outputBucket": "test", "jobs": self._jobs()}
        if self.is_mapped:
            config["mappings"] = mappings
        return {"parameters": {"api": api, "config": config}}

    def _jobs(self) -> list[dict[str, Any]]:
        first = self._job("first", self.root, userData={"who": "me", "big": 10**30, "part": 1.50})
        grandchild = self._job("grand/{id}", self.root, placeholders={"id": "id"})
        child = self._job("kids/{id}", self.below, placeholders={"id": "id"}, recursionFilter="n!=1")
        if self.levels > 1:
            both = {"id": "id", "label": "labels"}
            more = self._job("more/{id}-{label}", self.below, placeholders=both)
            child["children"] = [grandchild, more]
        if self.levels:
            first["children"] = [child]
        return [first, self._job("second", self.root)]

    def _job(self, endpoint: str, scroller: str, **more: Any) -> dict[str, Any]:
        data_type = endpoint.partition("/")[0]
        return {"endpoint": endpoint, "dataType": data_type, "dataField": "items", "scroller": scroller, **more}

    def response(self, seen: Seen) -> Response:
        """What an API without faults answers."""
        records, params = self._records(seen.path), seen.params
        if "since" in params:
            records = [record for record in records if record["n"] >= int(params["since"])]
        start = _start(params)
        following = start + SIZE
        page: dict[str, Any] = {"items": records[start:following], "total": len(records), "asked": name_of(seen)}
        if following >= len(records):
            return Response.json(page)
        address = f"{seen.path}?{urlencode({'start': following})}"
        return Response.json(
            {**page, "more": True, "token": following, "next": address}, Link=f'<{address}>; rel="next"'
        )

    def _records(self, path: str) -> list[dict[str, Any]]:
        chance = random.Random(f"{self.seed}{path}")
        most = self.most if path.count("/") == 1 else 4
        name = path.strip("/").replace("/", "-")
        return [_record(chance, f"{name}-{number}", number) for number in range(chance.randint(0, most))]


def _start(params: dict[str, str]) -> int:
    if "p" in params:
        return SIZE * int(params["p"])
    return SIZE * (int(params["page"]) - 1) if "page" in params else int(params.get("offset", params.get("start", 0)))


def _record(chance: random.Random, name: str, number: int) -> dict[str, Any]:
    """Columns come and go, and values become lists late in a run."""
    record: dict[str, Any] = {"id": name, "n": number, "tags": chance.choice(["", 1, 2.50, None, "a,b"])}
    record["labels"] = ["a", "b", "c"][: chance.randint(0, 3)]
    if chance.random() < 0.3:
        name = chance.choice(sorted(LATE))
        record[name] = chance.choice(LATE[name])
    return record


@st.composite
def scenarios(draw: st.DrawFn, ways: tuple[str, ...] = AHEAD) -> Scenario:
    return Scenario(
        seed=draw(st.integers(0, 10**6)),
        root=draw(st.sampled_from(ways)),
        below=draw(st.sampled_from(sorted(SCROLLERS))),
        stops=draw(st.sampled_from(STOPS)),
        most=draw(st.sampled_from([0, SIZE - 1, SIZE, 12, 30])),
        levels=draw(st.integers(0, 2)),
        is_mapped=draw(st.booleans()),
    )


def faulty(scenario: Scenario, faults: float, delays: float) -> Scenario:
    return replace(scenario, faults=faults, delays=delays)


class Server:
    """A scenario's API with its faults: some requests fail for the first few times, some take a while.

    With `known`, requests that are not among them are beyond the end of their list, and refused.
    """

    def __init__(self, scenario: Scenario, known: set[str] | None = None, broken: str = "") -> None:
        self._scenario, self._known, self._broken = scenario, known, broken
        self.tries: Counter[str] = Counter()

    async def response(self, seen: Seen) -> Response:
        name = name_of(seen)
        self.tries[name] += 1
        chance = random.Random(f"{self._scenario.seed}{name}{self._known is None}")
        await asyncio.sleep(chance.random() * self._scenario.delays)
        if self._known is not None and name not in self._known:
            return chance.choice([GONE, *FAULTS])
        if name == self._broken:
            return GONE
        if chance.random() < self._scenario.faults and self.tries[name] <= chance.randint(1, 3):
            return chance.choice(FAULTS)
        return self._scenario.response(seen)

    @property
    def asked(self) -> set[str]:
        return set(self.tries)


def tables_in(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((out / "tables").iterdir())}


def name_of(seen: Seen) -> str:
    return f"{seen.path}?{seen.query}" if seen.query else seen.path
