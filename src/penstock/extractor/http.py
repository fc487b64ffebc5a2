"""Requests and responses, independent of any HTTP library.

A Request is what a job asks for; a Message is the HTTP request that is sent; a Page is a response with its records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from penstock.extractor.records.columns import Column, Rows, column_of
from penstock.extractor.records.path import look_up
from penstock.extractor.trace import Trace

HeaderValue = str | list[str]
NO_HEADERS: Mapping[str, str] = {}
FAILED = 400
"""Statuses from here on are failures."""


class Request(msgspec.Struct, frozen=True):
    """What a job asks for: an endpoint relative to the base URL, its parameters, and how they are sent."""

    endpoint: str
    params: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    method: str = ""
    """GET, POST or FORM; empty for the default."""
    headers: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    private: tuple[str, ...] = ()
    """Texts that functions derived from secrets; only sent to hosts that the configuration names."""

    def with_params(self, params: Mapping[str, Any], within: str = "") -> Request:
        """The request with these parameters merged in, at a dotted path; existing keys keep their position."""
        merged = _merged(self.params, params, within.split(".") if within else [])
        return msgspec.structs.replace(self, params=merged)

    def without_params(self, names: frozenset[str], within: str = "") -> Request:
        """The request without the parameters of these names, at a dotted path."""
        if names.isdisjoint(self.params_within(within)):
            return self
        return msgspec.structs.replace(self, params=_without(self.params, names, within.split(".") if within else []))

    def params_within(self, path: str) -> dict[str, Any]:
        """The parameters at a dotted path; all of them for the empty one."""
        found: Any = self.params
        for key in path.split(".") if path else ():
            found = cast(dict[str, Any], found).get(key) if isinstance(found, dict) else None
        return cast(dict[str, Any], found) if isinstance(found, dict) else {}


class Message(msgspec.Struct, frozen=True):
    """An HTTP request in full."""

    method: str
    url: str
    headers: dict[str, HeaderValue] = msgspec.field(default_factory=dict[str, HeaderValue])
    body: bytes | None = None
    private: tuple[str, ...] = ()
    """Those of the request it was built from."""

    def with_headers(self, headers: Mapping[str, HeaderValue]) -> Message:
        """The message with these headers; they replace those of the same name, whatever the case."""
        return msgspec.structs.replace(self, headers=merge_headers(self.headers, headers))

    def with_url(self, url: str) -> Message:
        return msgspec.structs.replace(self, url=url)


class Page(msgspec.Struct, frozen=True):
    """A response: its records, and the JSON they were read from."""

    records: Sequence[Any]
    body: bytes = b""
    """Its JSON text; for a body in a file, a digest of its bytes."""
    document: Any = None
    headers: Mapping[str, str] = NO_HEADERS
    asked: float = 0.0
    received: float = 0.0
    """Unix times of the request and of the response."""
    at: int = 0
    """Its offset in the journal."""
    part: tuple[int, int] = (0, 0)
    """Which bytes of a large body these records are; (0, 0) for a body whose records are all here."""
    start: bytes = b""
    """The beginning of a body in a file."""
    reread: Callable[[], Any] | None = None
    """Reads the document again, if the body is in a file."""
    is_verified: bool = True
    """Whether the response declared its length or its end, so that a truncated one would have been an error."""
    is_error: bool = False
    """Whether its status is an error that the configuration ignores."""
    empty: str = ""
    """Which page it is, for the report, if its body was unexpectedly empty."""

    @property
    def trace(self) -> Trace:
        return Trace(self.body, len(self.records), self.start or self.body, self.reread)

    def values(self, path: str) -> Sequence[Any]:
        """What the records hold at a path; None where a record holds nothing."""
        column = self._column_at(path)
        return [look_up(path, record) for record in self.records] if column is None else column.values

    def extreme(self, path: str, *, is_low: bool) -> int | None:
        """The highest or lowest whole number at a path, where the column knows it; otherwise None."""
        column = self._column_at(path)
        return None if column is None else column.extreme(is_low=is_low)

    def _column_at(self, path: str) -> Column | None:
        """The column of a key, if the records have columns; a path with dots leads into objects instead."""
        is_known = isinstance(self.records, Rows) and "." not in path
        return column_of(self.records).members.get(path) if is_known else None


def merge_headers(old: Mapping[str, HeaderValue], new: Mapping[str, HeaderValue]) -> dict[str, HeaderValue]:
    replaced = {name.lower() for name in new}
    others = {name: value for name, value in old.items() if name.lower() not in replaced}
    return {**others, **new}


def _merged(old: Mapping[str, Any], new: Mapping[str, Any], path: list[str]) -> dict[str, Any]:
    if not path:
        return {**old, **new}
    inner: Any = old.get(path[0])
    members = cast(dict[str, Any], inner) if isinstance(inner, dict) else {}
    return {**old, path[0]: _merged(members, new, path[1:])}


def _without(old: Mapping[str, Any], names: frozenset[str], path: list[str]) -> dict[str, Any]:
    """The path leads to an object."""
    if not path:
        return {name: value for name, value in old.items() if name not in names}
    return {**old, path[0]: _without(old[path[0]], names, path[1:])}
