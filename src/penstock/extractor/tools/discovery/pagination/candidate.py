"""A pagination that may be right: its settings, and what in the response suggests it."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.responses.response_meta.fields import Field
from penstock.extractor.responses.response_meta.signs import Signs
from penstock.extractor.tools.discovery.draft import Draft
from penstock.extractor.tools.discovery.probe import Sample
from penstock.extractor.tools.discovery.records import Records


class Candidate(msgspec.Struct, frozen=True):
    settings: dict[str, Any]
    evidence: str
    params: dict[str, Any] = {}
    """Returns parameters that the job needs in addition to its own."""

    def applied(self, draft: Draft) -> Draft:
        return draft.with_params(self.params).with_pagination(self.settings)


class Clues(msgspec.Struct, frozen=True):
    """What is known after the first response."""

    draft: Draft
    first: Sample
    records: Records
    fields: list[Field]
    signs: Signs
    key: str
    declared: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return len(self.records.items)

    @property
    def names(self) -> list[str]:
        """Returns parameters that the API is known to have: those of the request, and those that are declared."""
        return [*self.draft.params, *self.declared]

    @property
    def flag(self) -> dict[str, Any]:
        flag = self.signs.flag
        return {"nextPageFlag": flag.setting} if flag else {}

    @property
    def has_params(self) -> bool:
        return bool(self.draft.params)
