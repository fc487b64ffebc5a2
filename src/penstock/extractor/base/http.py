"""Requests, independent of any HTTP library.

A Request is what a job asks for; a Message is the HTTP request that is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

HeaderValue = str | list[str]
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
    is_object: bool = False
    """Whether JSON without parameters is `{}`, as the configuration has it, and not `[]` as for none."""

    def with_params(self, params: Mapping[str, Any], within: str = "") -> Request:
        """Returns the request with these parameters merged in, at a dotted path; existing keys keep their position."""
        merged = _merged(self.params, params, within.split(".") if within else [])
        return msgspec.structs.replace(self, params=merged)

    def without_params(self, names: frozenset[str], within: str = "") -> Request:
        """Returns the request without the parameters of these names, at a dotted path."""
        if names.isdisjoint(self.params_within(within)):
            return self
        return msgspec.structs.replace(self, params=_without(self.params, names, within.split(".") if within else []))

    def params_within(self, path: str) -> dict[str, Any]:
        """Returns the parameters at a dotted path; all of them for the empty one."""
        params: Any = self.params
        for key in path.split(".") if path else ():
            params = cast(dict[str, Any], params).get(key) if isinstance(params, dict) else None
        return cast(dict[str, Any], params) if isinstance(params, dict) else {}


class Message(msgspec.Struct, frozen=True):
    """An HTTP request in full."""

    method: str
    url: str
    headers: dict[str, HeaderValue] = msgspec.field(default_factory=dict[str, HeaderValue])
    body: bytes | None = None
    private: tuple[str, ...] = ()
    """Those of the request it was built from."""

    def with_headers(self, headers: Mapping[str, HeaderValue]) -> Message:
        """Returns the message with these headers; they replace those of the same name, whatever the case."""
        return msgspec.structs.replace(self, headers=merge_headers(self.headers, headers))

    def with_url(self, url: str) -> Message:
        return msgspec.structs.replace(self, url=url)


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
