"""Several paginations by name: each job names the one it uses, or uses the default."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import is_empty
from penstock.extractor.requests.pagination.method import Method, OnePage


class Choice(Protocol):
    """A pagination with a name: a method, or again several to choose from."""

    def method_for(self, scroller: Any) -> Method: ...


class Multiple(msgspec.Struct, frozen=True):
    scrollers: dict[str, Choice]
    default: str = ""

    def method_for(self, scroller: Any) -> Method:
        """Returns the method that the job names, otherwise the default, otherwise one page."""
        if is_empty(scroller):
            return self.scrollers[self.default].method_for(scroller) if self.default else OnePage()
        name = scroller if isinstance(scroller, str) else json_text(scroller)
        if name not in self.scrollers:
            raise UserError(
                f"Scroller '{name}' not set in API definitions. Scrollers defined: {', '.join(self.scrollers)}"
            )
        return self.scrollers[name].method_for(scroller)
