"""The limits of this process: open files, of which systems allow few by default, and memory that is kept."""

from __future__ import annotations

import ctypes
import resource

PREFERRED_FILES = 65_536
RESERVED_FILES = 1000
"""Reserved for databases, tables, blobs and refused connections, so that a stack full of connections still works; at
most a quarter of the limit."""


def raise_limit() -> None:
    """Raise the limit as far as the system allows without privileges."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = PREFERRED_FILES if hard == resource.RLIM_INFINITY else min(PREFERRED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def connections_for(ports: int, most: int) -> int:
    """Return the maximum number of connections for each of this many ports."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return most
    return max(1, min(most, (soft - min(RESERVED_FILES, soft // 4)) // ports))


MAX_POOLS = 4
RETURNED_BYTES = 1024 * 1024
"""Blocks from this size are the system's again as soon as they are freed."""
MAX_KEPT_BYTES = 8 * 1024 * 1024
"""Of freed memory at the end of each pool."""
_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""The numbers of glibc's options."""


def return_freed_memory() -> bool:
    """Let this process return freed memory to the system; call it before threads start.

    glibc keeps what a thread has freed for that thread, in up to eight pools per processor; blocks of up to 32 MB too,
    once some of that size were freed. A minute of wrong passwords, each of which takes tens of megabytes to check,
    would stay in use for as long as the stack runs. Returns False where the C library has no such options."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    options = {_ARENA_MAX: MAX_POOLS, _MMAP_THRESHOLD: RETURNED_BYTES, _TRIM_THRESHOLD: MAX_KEPT_BYTES}
    return all(set_option(option, value) for option, value in options.items())
