"""The host names of a stack, and what they resolve to on this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from penstock.app import list_labels
from penstock.foundation.stacks import STORAGE, service_host, service_label

FOREIGN_LABELS = ("sandboxes", "stream", "templates")
"""Programs construct these names themselves, as those of the services: all must resolve here. A stack that has no such
service responds with 404, while a name that does not resolve looks like an outage."""


def host_names(domain: str) -> list[str]:
    labels = dict.fromkeys((service_label(STORAGE), *list_labels(), *FOREIGN_LABELS))
    return [domain, *(f"{label}.{domain}" for label in labels)]


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
    addresses = {first: look_up(first)}
    if not addresses[first]:
        return {**addresses, **{name: set[str]() for name in others}}
    with ThreadPoolExecutor(len(others) or 1) as threads:
        return {**addresses, **dict(zip(others, threads.map(look_up, others), strict=True))}
