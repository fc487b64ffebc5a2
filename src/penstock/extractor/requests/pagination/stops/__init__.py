"""Reasons to stop early: each is a method that wraps another one, with its counts in the position."""

from __future__ import annotations

from functools import reduce

from penstock.extractor.base.section import Section
from penstock.extractor.requests.pagination.method import Method
from penstock.extractor.requests.pagination.stops.around import Around
from penstock.extractor.requests.pagination.stops.force_stop import ForceStop
from penstock.extractor.requests.pagination.stops.limit_stop import LimitStop
from penstock.extractor.requests.pagination.stops.loop_guard import LoopGuard
from penstock.extractor.requests.pagination.stops.next_page_flag import NextPageFlag

Stops = tuple[Around, ...]
WANTED = ("Force stopping: ", "Limit reached, ", "Stopping scrolling because ", "Next page start_time ")
"""Beginnings of reasons to stop before the last page as the configuration, or the method, demands it."""

__all__ = ["WANTED", "ForceStop", "LimitStop", "NextPageFlag", "Stops", "read_stops", "stop_early"]


def read_stops(section: Section) -> Stops:
    """Returns the stops, innermost first: the last one is checked first."""
    stops: list[Around] = []
    if section.has("loopGuard"):
        stops.append(LoopGuard.read(section))
    if section.has("nextPageFlag"):
        stops.append(NextPageFlag.read(section.within("nextPageFlag")))
    if section.has("forceStop"):
        stops.append(ForceStop.read(section.map("forceStop")))
    if section.has("limitStop"):
        stops.append(LimitStop.read(section.within("limitStop")))
    return tuple(stops)


def stop_early(method: Method, stops: Stops) -> Method:
    return reduce(lambda inner, stop: stop.around(inner), stops, method)
