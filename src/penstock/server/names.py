"""The host names that programs ask a stack by, and where they lead from this machine."""

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
"""What stands before the domain. Programs make these names up themselves, so all have to lead here, also those of
services that a stack does not have: the stack then answers 404, and a name that leads nowhere is an outage to them."""


def host_names(domain: str) -> list[str]:
    return [domain, *(f"{label}.{domain}" for label in LABELS)]


def storage_name(domain: str) -> str:
    return service_host(STORAGE, domain)


def look_up(name: str) -> set[str]:
    """The addresses that programs on this machine get for a name; none when it is unknown."""
    try:
        return {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except (OSError, UnicodeError):
        return set()


def look_up_all(names: Iterable[str]) -> dict[str, set[str]]:
    """The first alone, the others side by side if it is known: where no DNS server answers, a name takes seconds."""
    first, *others = names
    found = {first: look_up(first)}
    if not found[first]:
        return {**found, **{name: set[str]() for name in others}}
    with ThreadPoolExecutor(len(others) or 1) as threads:
        return {**found, **dict(zip(others, threads.map(look_up, others), strict=True))}
