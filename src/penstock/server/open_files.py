"""The limit of open files of this process, connections included: by default systems allow few."""

from __future__ import annotations

import resource

WANTED = 65_536
KEPT = 1000
"""Reserved for databases, tables, blobs and refused connections, so that a stack full of connections still works; at
most a quarter of the limit."""


def raise_limit() -> None:
    """As far as the system allows without privileges."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_for(ports: int, most: int) -> int:
    """The maximum number of connections for each of this many ports."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    return max(1, min(most, (soft - min(KEPT, soft // 4)) // ports))
