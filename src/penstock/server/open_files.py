"""How many files this process may have open, connections among them: systems give programs few unless they ask."""

from __future__ import annotations

import resource

WANTED = 65_536
KEPT = 1000
"""For databases, tables, blobs and refused connections, so that a stack full of connections still works; at most a
quarter of the limit."""


def raise_limit() -> None:
    """As far as the system allows without a privilege."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_for(ports: int, most: int) -> int:
    """How many connections each of so many ports may have."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    return max(1, min(most, (soft - min(KEPT, soft // 4)) // ports))
