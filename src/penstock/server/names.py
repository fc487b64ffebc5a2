"""The host names of a stack, and what they resolve to on this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from penstock.foundation.stacks import STORAGE, service_host

LABELS = (
    "connection",
    "queue",
    "query",
    "encryption",
    "scheduler",
    "notification",
    "data-science",
    "editor",
    "ai",
    "sync-actions",
    "metastore",
    "import",
    "oauth",
    "stream",
    "vault",
    "sandboxes",
    "templates",
    "billing",
    "mcp",
    "developer",
    "api",
    "sample",
)
"""The labels before the domain. Programs construct these names themselves, so all must resolve here, including those of
services that a stack does not have: the stack then responds with 404, while a name that does not resolve looks like an
outage."""


def host_names(domain: str) -> list[str]:
    return [domain, *(f"{label}.{domain}" for label in LABELS)]


def storage_name(domain: str) -> str:
    return service_host(STORAGE, domain)


def look_up(name: str) -> set[str]:
    """The addresses that a name resolves to on this machine; none if it does not."""
    try:
        return {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except (OSError, UnicodeError):
        return set()


def look_up_all(names: Iterable[str]) -> dict[str, set[str]]:
    """The first alone, the others in parallel if it resolves: without a DNS server, each lookup takes seconds."""
    first, *others = names
    found = {first: look_up(first)}
    if not found[first]:
        return {**found, **{name: set[str]() for name in others}}
    with ThreadPoolExecutor(len(others) or 1) as threads:
        return {**found, **dict(zip(others, threads.map(look_up, others), strict=True))}
