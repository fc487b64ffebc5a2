"""Stops a job after a number of pages, a time, or a number of bytes."""

from __future__ import annotations

from typing import Annotated, Self

from penstock.extractor.base.integers import exact_integer, integer_part
from penstock.extractor.base.json_text import original_length
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Stop
from penstock.extractor.requests.pagination.stops.around import Around

Counts = dict[str, int]
NO_DURATION = (
    " `forceStop.time` is not a valid duration: write a number of seconds without quotes, or a text like 10 minutes."
)


class ForceStop(Around, frozen=True, kw_only=True, tag="forceStop"):
    pages: Annotated[int | None, Setting("So many pages at most.", is_exact=True)] = None
    time: Annotated[int | None, Setting("So many seconds at most, or a text such as 10 minutes.")] = None
    volume: Annotated[int | None, Setting("So many bytes of responses at most.")] = None
    """Of the responses as the original writes them: compact JSON."""
    note: str = ""
    """Added to the reason when time is up."""

    @classmethod
    def read(cls, section: Section) -> Self:
        seconds, note = _duration(section)
        return cls(
            pages=section.exact("pages") if section.has("pages") else None,
            time=seconds,
            volume=_bytes(section),
            note=note,
        )

    def count(self, counted: Counts | None, page: Page) -> Counts | Stop:
        earlier = counted or {"pages": 1, "start": int(page.asked), "volume": 0}
        now: Counts = {**earlier, "pages": earlier["pages"] + 1}
        if self.pages is not None and now["pages"] > self.pages:
            return Stop(f"Force stopping: page limit reached ({self.pages} pages).")
        if self.time is not None and now["start"] + self.time <= int(page.received):
            return Stop(f"Force stopping: time limit reached ({self.time} seconds).{self.note}")
        return now if self.volume is None else self._with_volume(now, page, self.volume)

    def _with_volume(self, counted: Counts, page: Page, limit: int) -> Counts | Stop:
        total = counted["volume"] + original_length(page.document)
        if total > limit:
            return Stop(f"Force stopping: volume limit reached ({limit} bytes).")
        return {**counted, "volume": total}


def _duration(section: Section) -> tuple[int | None, str]:
    """Returns seconds, and a note if the setting is a text that is not a valid duration, which counts as 0 seconds."""
    value = section.get("time")
    if not section.has("time"):
        return None, ""
    if type(value) is not str:
        number = exact_integer(value)
        if number is None:
            raise section.wrong("time", "a whole number of seconds or a text like 10 minutes")
        return number, ""
    from penstock.foundation.strtotime import strtotime  # only here: importing it takes longer than a page

    seconds = strtotime(value, 0)
    return (0, NO_DURATION) if seconds is None else (seconds, "")


def _bytes(section: Section) -> int | None:
    if section.has("volume") and integer_part(section.get("volume")) is None:
        raise section.wrong("volume", "a number of bytes")
    return section.integer("volume") if section.has("volume") else None
