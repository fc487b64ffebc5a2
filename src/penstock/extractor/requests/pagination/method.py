"""The interface of pagination methods: settings, and pure functions from one position to the next."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self

import msgspec

from penstock.extractor.base.http import Request
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting, read_settings
from penstock.extractor.records.page import Page

ParamsWithin = Annotated[
    str, Setting("Where in the parameters the paging values go: a path with dots, for example variables.")
]
IncludeParams = Annotated[bool, Setting("Whether the job's own parameters go along.")]
LimitParam = Annotated[str, Setting("The parameter that carries the page size.")]
FirstPageParams = Annotated[bool, Setting("Whether the first request has the paging parameters too.")]


class Step(msgspec.Struct, frozen=True):
    """A request, and the position of its page, which is plain data."""

    request: Request
    position: Any = None


class Stop(msgspec.Struct, frozen=True):
    """There is no further page; `reason` is logged unless it is empty."""

    reason: str = ""


class NextPath(msgspec.Struct, frozen=True):
    """A path in responses, and the setting that names it."""

    setting: str
    path: str
    delimiter: str = "."


class Method(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="method"):
    """Its fields are its settings. It is immutable and does no I/O, so a walk can resume from any saved position."""

    missing: ClassVar[str] = "Missing required 'pagination.{}' parameter"
    """The error for a required setting that is not set."""

    reads_response: ClassVar[bool] = True
    """Whether the next step depends on more of a response than its records."""

    @classmethod
    def read(cls, section: Section) -> Self:
        """Returns the method as a section of the configuration describes it."""
        return cls.read_with(section)

    @classmethod
    def read_with(cls, section: Section, **own: Any) -> Self:
        """Returns the same where a method reads some of its fields itself."""
        return read_settings(cls, section, cls.missing, **own)

    @property
    def moving(self) -> str:
        """Returns what makes the next request differ from the one before, for messages."""
        return ""

    @property
    def next_path(self) -> NextPath | None:
        """Returns where a response holds the next value, if the method looks for it in the document."""
        return None

    def suspect(self, job: Request, last: int) -> str:
        """Returns which setting is probably wrong if the walk ended too early; `last` is the number of records on the
        last page."""
        return ""

    def caution(self, job: Request) -> str:
        """Returns what a job with these parameters may miss, to be said before it starts; empty if nothing."""
        return ""

    def first(self, job: Request) -> Step:
        raise NotImplementedError

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        """Returns the step after a page."""
        raise NotImplementedError

    def ahead(self, job: Request, position: Any) -> Step | None:
        """Returns the step after a page that is not known yet, unless that is the last one; None if it depends on the
        page."""
        return None


class OnePage(Method, frozen=True, tag="one"):
    """No pagination: one request per job."""

    reads_response = False

    def suspect(self, job: Request, last: int) -> str:
        return "No pagination is set for it: set `parameters.api.pagination`, or its `scroller` if there are several."

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Stop:
        return Stop()
