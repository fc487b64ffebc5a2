"""The index of a stack, and the list of its APIs."""

from __future__ import annotations

from penstock.foundation.structs import Wire


class Service(Wire, frozen=True):
    id: str
    url: str


class Index(Wire, frozen=True):
    """The storage's list of services, with their addresses."""

    services: list[Service]
    stack: str = ""


class Api(Wire, frozen=True):
    """A service in the portal's list. Specifications name servers of their own: `api_url` is the base to use."""

    id: str
    name: str
    api_url: str
    open_api_spec_url: str


class Apis(Wire, frozen=True):
    stack: str
    services: list[Api]
