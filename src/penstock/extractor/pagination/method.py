"""What a pagination method is: its settings, and two pure functions from position to position."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from penstock.extractor.http import Page, Request


class Step(msgspec.Struct, frozen=True):
    """A request, and the position of its page: plain data that can be saved with the page."""

    request: Request
    position: Any = None


class Stop(msgspec.Struct, frozen=True):
    """There is no further page; the reason is for the log, and empty when there is nothing to tell."""

    reason: str = ""


class Method(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="method"):
    """Nothing here is mutable and nothing does I/O, so a walk can be resumed from any saved position."""

    reads_response: ClassVar[bool] = True
    """Whether the next step depends on more of a response than its records."""

    def first(self, job: Request) -> Step:
        raise NotImplementedError

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        """The step after a page."""
        raise NotImplementedError

    def ahead(self, job: Request, position: Any) -> Step | None:
        """The step after a page that nobody has seen yet, if it is not the last; None where only the page can tell."""
        return None


class OnePage(Method, frozen=True, tag="one"):
    """No pagination: one request per job."""

    reads_response = False

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> Stop:
        return Stop()
