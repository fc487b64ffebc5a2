"""How many files this process may have open, connections among them: systems give programs few unless they ask."""

from __future__ import annotations

import resource

WANTED = 65_536
KEPT = 256
"""For databases, tables and blobs, so that a stack full of connections still works."""


def raise_limit() -> None:
    """As far as the system allows without a privilege."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_for(ports: int, most: int) -> int:
    """How many connections each of so many ports may have."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if soft == resource.RLIM_INFINITY else max(1, min(most, (soft - KEPT) // ports))
