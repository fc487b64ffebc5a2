"""How a hostile API pages: six ways, each with the configuration that reads it, the page that a request asks for, and
how a response says what comes next.

All ways serve the same pages of the same data, so one fault can be tried on each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.e2e.hostile.model import Data

Params = Mapping[str, str]


@dataclass(frozen=True)
class Onward:
    """What a response says about the next page: members of the document, and headers."""

    members: tuple[tuple[str, Any], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Way:
    name: str
    settings: Callable[[Data, bool], dict[str, Any]]
    """`api.pagination`; the second argument says that what is next must be in the headers."""
    start_of: Callable[[Data, Params], int]
    """Which record the page that is asked for starts with, counted from 0."""
    count: Callable[[Data], int]
    """How many pages are asked for by whoever reads all."""
    onward: Callable[[str, bool], Onward] = lambda _address, _in_headers: Onward()
    """Given the address of the next page, empty if there is none."""

    @property
    def has_tokens(self) -> bool:
        """Whether answers say what is next; otherwise requests go by the records or by counting."""
        return self.name in ("response.url", "response.param", "link")


def token_of(page: int) -> str:
    return f"page-{page}"


def token_in(address: str) -> str:
    return address.rpartition("token=")[2]


def _by_offset(data: Data, params: Params) -> int:
    return int(params.get("offset", 0))


def _by_number(data: Data, params: Params) -> int:
    return (int(params.get("page", 1)) - 1) * data.size


def _by_id(data: Data, params: Params) -> int:
    """The records whose id is higher than the one that was seen last."""
    since = int(params.get("since", -1))
    return sum(record.id <= since for record in data.records)


def _by_token(data: Data, params: Params) -> int:
    return int(params.get("token", "page-0").split("-")[1]) * data.size


def _until_short(data: Data) -> int:
    return len(data.records) // data.size + 1


def _until_empty(data: Data) -> int:
    return len(data.pages) + 1


def _until_told(data: Data) -> int:
    return len(data.pages)


def _url_settings(_data: Data, in_headers: bool) -> dict[str, Any]:
    return {"method": "response.url", **({"urlHeader": "X-Next"} if in_headers else {"urlKey": "next_page"})}


def _param_settings(_data: Data, in_headers: bool) -> dict[str, Any]:
    where = {"responseHeader": "X-Next"} if in_headers else {"responseParam": "next_token"}
    return {"method": "response.param", "queryParam": "token", **where}


def _url_onward(address: str, in_headers: bool) -> Onward:
    if in_headers:
        return Onward(headers=(("X-Next", address),) if address else ())
    return Onward((("next_page", address or None),))


def _param_onward(address: str, in_headers: bool) -> Onward:
    token = token_in(address)
    if in_headers:
        return Onward(headers=(("X-Next", token),) if token else ())
    return Onward((("next_token", token),))


def _link_onward(address: str, _in_headers: bool) -> Onward:
    links = ['<http://example.com/items>; rel="first"', *([f'<{address}>; rel="next"'] if address else [])]
    return Onward(headers=(("Link", ", ".join(links)),))


WAYS = {
    way.name: way
    for way in (
        Way("offset", lambda data, _: {"method": "offset", "limit": data.size}, _by_offset, _until_short),
        Way("pagenum", lambda data, _: {"method": "pagenum", "limit": data.size}, _by_number, _until_short),
        Way("cursor", lambda *_: {"method": "cursor", "idKey": "id", "param": "since"}, _by_id, _until_empty),
        Way("response.url", _url_settings, _by_token, _until_told, _url_onward),
        Way("response.param", _param_settings, _by_token, _until_told, _param_onward),
        Way("link", lambda *_: {"method": "link"}, _by_token, _until_told, _link_onward),
    )
}
