"""Returns freed memory to the system.

glibc keeps what a thread has freed for that thread, in up to eight pools per processor; blocks of up to 32 MB too, once
some of that size were freed. A minute of wrong passwords, each of which takes tens of megabytes to check, would stay in
use for as long as the stack runs.
"""

from __future__ import annotations

import ctypes

MAX_POOLS = 4
RETURNED_BYTES = 1024 * 1024
"""Blocks from this size are the system's again as soon as they are freed."""
MAX_KEPT_BYTES = 8 * 1024 * 1024
"""Of freed memory at the end of each pool."""
_ARENA_MAX, _MMAP_THRESHOLD, _TRIM_THRESHOLD = -8, -3, -1
"""The numbers of glibc's options."""


def return_freed_memory() -> bool:
    """Set it up for this process, before it starts threads; False where the C library has no such options."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    options = {_ARENA_MAX: MAX_POOLS, _MMAP_THRESHOLD: RETURNED_BYTES, _TRIM_THRESHOLD: MAX_KEPT_BYTES}
    return all(set_option(option, value) for option, value in options.items())
