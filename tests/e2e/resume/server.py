"""The API of a site on loopback: it counts what it is asked, and pulls a trigger when an attempt has come so far.

with serving(Site(1)) as api:
    api.begin(Trigger("half", 3, process.kill))    # when half of its third answer is out
    ...
    api.asked                                      # a Counter for each attempt
"""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from tests.e2e.resume.site import Site
from tests.unit.foundation.outbound import servers
from tests.unit.foundation.outbound.servers import Request, ok

MAX_WAIT = 0.004
"""Seconds that a response takes at most."""
SETTLED = 0.002
"""Seconds after which everything that has arrived is read."""
_TOLD = re.compile(r"now=\d+")
"""A parameter that tells the time does not make it another page."""
Timestamp = Literal["asked", "half", "answered"]
MOMENTS: tuple[Timestamp, ...] = ("asked", "half", "answered")


@dataclass(frozen=True)
class Trigger:
    """Pulled at a moment of the n-th request of an attempt, or a little later."""

    moment: Timestamp
    number: int
    pull: Callable[[], None]
    delay: float = 0.0


@dataclass
class SiteApi:
    site: Site
    url: str = ""
    asked: list[Counter[str]] = field(default_factory=list[Counter[str]])
    """What each attempt asked for."""
    _trigger: Trigger | None = None
    _chance: random.Random = field(default_factory=random.Random)

    def begin(self) -> None:
        """Another attempt; what the one before has sent is counted for that one, though it is dead by now."""
        servers._loop.run(asyncio.sleep(SETTLED))
        self.asked.append(Counter())
        self._trigger = None

    def arm(self, trigger: Trigger) -> None:
        self._trigger = trigger

    @property
    def total(self) -> Counter[str]:
        return sum(self.asked, Counter[str]())

    def asked_again(self, once: Counter[str]) -> int:
        """How many responses were asked for besides those of an undisturbed run; not counting pages beyond the last
        one, which several requests at once may ask for at any time."""
        more = self.total - once
        return sum(more[key] for key in once)

    def reply(self, request: Request) -> servers.Reply:
        self.asked[-1][_TOLD.sub("now", request.path)] += 1
        return partial(self._write, self.asked[-1].total())

    async def _write(self, number: int, request: Request, writer: asyncio.StreamWriter) -> None:
        await self._reach("asked", number)
        await asyncio.sleep(self._chance.uniform(0, MAX_WAIT))
        address = urlsplit(request.path)
        reply = self.site.reply(address.path.strip("/"), dict(parse_qsl(address.query)))
        response = ok(reply.body, headers=reply.headers)
        half = len(response) - len(reply.body) // 2
        writer.write(response[:half])
        await writer.drain()
        await self._reach("half", number)
        writer.write(response[half:])
        await writer.drain()
        await self._reach("answered", number)

    async def _reach(self, moment: Timestamp, number: int) -> None:
        trigger = self._trigger
        if trigger is not None and (trigger.moment, trigger.number) == (moment, number):
            self._trigger = None
            await asyncio.sleep(trigger.delay)
            trigger.pull()


@contextmanager
def serving(site: Site) -> Generator[SiteApi]:
    api = SiteApi(site, _chance=random.Random(site.seed))
    with servers.serving(api.reply) as server:
        api.url = server.url()
        yield api
