"""What a pagination method is: its settings, and two pure functions from position to position."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from penstock.extractor.http import Page, Request


class Step(msgspec.Struct, frozen=True):
    """A request, and the position of its page: plain data that can be saved with the page."""

    request: Request
    position: Any = None


class Method(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="method"):
    """Nothing here is mutable and nothing does I/O, so a walk can be resumed from any saved position."""

    stopped: ClassVar[str | None] = None
    """What the log says when the walk has ended."""

    def first(self, job: Request) -> Step:
        raise NotImplementedError

    def after(self, job: Request, position: Any, page: Page) -> Step | None:
        """The step after a page; None when that page was the last."""
        raise NotImplementedError


class OnePage(Method, frozen=True, tag="one"):
    """No pagination: one request per job."""

    def first(self, job: Request) -> Step:
        return Step(job)

    def after(self, job: Request, position: Any, page: Page) -> None:
        return None
