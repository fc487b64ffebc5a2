"""Detects APIs that repeat pages: the run fails instead of never ending.

A page that equals the one before always ends the walk; this guard looks further back. It stores fingerprints of the
last pages and ids in the position, up to a limit.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, Any, Self, TypedDict

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.path import explain_keys, look_up
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Step, Stop
from penstock.extractor.requests.pagination.stops.around import Around

PAGES_REMEMBERED = 1_000
IDS_REMEMBERED = 100_000
FIX = "Check the pagination of the API and of the configuration; to continue anyway, remove `loopGuard`."


class Seen(TypedDict):
    number: int
    """The number of the page before."""
    digests: list[str]
    ids: list[int]
    stale: int
    """How many pages in a row had no new id."""


class LoopGuard(Around, frozen=True, kw_only=True, tag="loopGuard"):
    pages: Annotated[int, Setting("So many pages in a row without a new id are an error.", is_exact=True)] = 3
    id_key: Annotated[str, Setting("The path of the id in each record, with dots into objects.")] = ""

    @classmethod
    def read(cls, section: Section) -> Self:
        own = section.within("loopGuard") if section.get("loopGuard") is True else section.map("loopGuard")
        pages = own.exact("pages")
        if pages is not None and pages < 1:
            raise own.wrong("pages", "a whole number of at least 1")
        return cls(pages=pages or 3, id_key=own.text("idKey"))

    def after(self, job: Request, position: list[Any], page: Page) -> Step | Stop:
        step = self.inner.after(job, position[1], page)
        if isinstance(step, Stop) and not page.records:
            return step  # an empty last page is not a repetition
        seen = self.count(position[0], page)
        return step if isinstance(step, Stop) else Step(step.request, [seen, step.position])

    def count(self, counted: Seen | None, page: Page) -> Seen:
        earlier: Seen = counted or {"number": 0, "digests": [], "ids": [], "stale": 0}
        number, digest = earlier["number"] + 1, compute_digest(page)
        _refuse_circle(earlier["digests"], number, digest)
        ids = self._with_new(earlier["ids"], page) if self.id_key else earlier["ids"]
        stale = earlier["stale"] + 1 if self.id_key and ids is earlier["ids"] else 0
        self._refuse_stale(number, stale, page)
        return {
            "number": number,
            "digests": [*earlier["digests"], digest][-PAGES_REMEMBERED:],
            "ids": ids,
            "stale": stale,
        }

    def _with_new(self, ids: list[int], page: Page) -> list[int]:
        """Returns the same list object if there is no new id."""
        values = (look_up(self.id_key, record) for record in page.records)
        fingerprints = dict.fromkeys(fingerprint(value) for value in values if value is not None)
        repeated = set(fingerprints).intersection(ids)
        added = [id_ for id_ in fingerprints if id_ not in repeated]
        return [*ids, *added][-IDS_REMEMBERED:] if added else ids

    def _refuse_stale(self, number: int, stale: int, page: Page) -> None:
        if stale >= self.pages:
            which = f"Page {number}" if stale == 1 else f"Pages {number - stale + 1} to {number}"
            why = self._missing(page) or f"the API seems to repeat itself. {FIX}"
            raise UserError(f"{which} brought no new value of `{self.id_key}`: {why}")

    def _missing(self, page: Page) -> str:
        """Returns what to do if no record has an id; empty if some have."""
        if not page.records or any(value is not None for value in page.values(self.id_key)):
            return ""
        fix = "Set `parameters.api.pagination.loopGuard.idKey` to the path of an id, relative to the record."
        return f"no record has it. {fix}{explain_keys(page.records[0])}"


def compute_digest(page: Page) -> str:
    return blake2b(page.body or json_text(page.records).encode(), digest_size=16).hexdigest()


def fingerprint(value: Any) -> int:
    return int.from_bytes(blake2b(json_text(value).encode(), digest_size=7).digest())


def _refuse_circle(digests: list[str], number: int, digest: str) -> None:
    if digest in digests[:-1]:
        first = number - len(digests) + digests.index(digest)
        raise UserError(f"Page {number} is the same as page {first}: the API goes round in circles. {FIX}")
