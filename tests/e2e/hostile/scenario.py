"""The words of this suite: a scenario is one run of the extractor against an API with one fault in it; a variant is
one form of a fault; an outcome is what must come of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from ssl import SSLContext
from typing import TYPE_CHECKING, Any

from tests.e2e.hostile.model import Data, Record, table
from tests.e2e.hostile.paging import Way
from tests.support.extraction import Extraction

if TYPE_CHECKING:
    from tests.e2e.hostile.exchange import Exchange
    from tests.e2e.hostile.server import HostileApi

ALWAYS = 1_000_000
SECRET = "s3cret-t0ken"
RETRIES = 3


@dataclass(frozen=True)
class Outcome:
    """Either a table, byte for byte, or an error that the pattern is found in."""

    table: bytes = b""
    error: str = ""
    warning: str = ""
    """A pattern that one of the warnings must hold."""
    most_requests: int = ALWAYS
    check: Callable[[Extraction, HostileApi], None] | None = None
    """For what is not one table: looks at what the run left, and at what the API was asked."""


@dataclass(frozen=True)
class Scenario:
    id: str
    way: Way
    variant: Variant
    data: Data
    position: int
    """The page that the fault is in, counted from 0."""
    parallelism: int | str = 1

    @property
    def records(self) -> list[Record]:
        return [record for page in self.data.pages for record in page]

    @property
    def random(self) -> Random:
        """The same choices each time."""
        return Random(f"fault {self.id}")

    @property
    def page(self) -> tuple[Record, ...]:
        """The records of the page that the fault is in."""
        return self.data.page(self.position)

    @property
    def before(self) -> list[Record]:
        """The records of the pages before it."""
        return [record for page in self.data.pages[: self.position] for record in page]


Fault = Callable[["Exchange"], Awaitable[None]]
Judge = Callable[[Scenario], Outcome]


def same(scenario: Scenario) -> Outcome:
    """As if nothing had happened."""
    return Outcome(table(scenario.records))


def fails(pattern: str) -> Judge:
    return lambda _: Outcome(error=pattern)


def disagrees(_scenario: Scenario) -> Outcome:
    """The API claims another number of records than it gave."""
    return Outcome(error="but the API claims|no response has a number there|brought no items")


def warned(pattern: str) -> Judge:
    """As if nothing had happened, but the log tells."""
    return lambda scenario: Outcome(table(scenario.records), warning=pattern)


@dataclass(frozen=True)
class Variant:
    """One form of a fault. It answers in place of the API when the page of its scenario is asked for."""

    name: str
    fault: Fault | None = None
    times: int = 1
    """How many requests it spoils before the API is itself again."""
    outcome: Judge = same
    api: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Settings of the `api` section."""
    job: Mapping[str, Any] = field(default_factory=dict[str, Any])
    data: Callable[[Data, int, Random], Data] | None = None
    """Changes the data, for APIs that have odd ones; gets the page that is to be odd."""
    is_of_records: bool = False
    """The page must be one that holds records."""
    is_counted: bool = False
    """The configuration says where the API tells how many records there are; another number is an error."""
    first_page: int = 0
    """The first page that it can be in: 1 for what needs a page before it."""
    is_full: bool = False
    """The last page must be full."""
    ways: tuple[str, ...] = ()
    """Pagination methods that it makes sense for; all if there are none."""
    login: Fault | None = None
    """What answers a login, for scenarios that need one."""
    tls: Callable[[], SSLContext] | None = None
    """What the API shows, if it speaks TLS."""
    trusts: Callable[[], Mapping[str, str]] | None = None
    """More of the environment, made when it is needed."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    lines: bool = False
    """Whether pages are newline-delimited JSON, with what is next in the headers."""
    is_everywhere: bool = False
    """The fault answers every request for a page, and knows itself when to be good."""
