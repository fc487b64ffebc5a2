"""A filter of system calls for components: no new namespaces, no mounts, nothing that only administrators need.

Such calls widen what a program can reach in the kernel, and no component has a use for them. The filter is a program
for the kernel's packet filter; its form is that of `struct sock_filter`.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from typing import NamedTuple

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in `struct seccomp_data`."""
_NEW_NAMESPACES = 0x7E020080
"""Flags of clone: every CLONE_NEW…."""
_X32 = 0x40000000
"""Numbers from here on are a second way into the same calls, on x86-64 alone."""

_EVERYWHERE = (
    *(425, 426, 427),  # io_uring_setup, io_uring_enter, io_uring_register
    *(428, 429, 430, 431, 432, 433, 442),  # open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
)


class Machine(NamedTuple):
    """Numbers that differ between processors."""

    audit: int
    clone: int
    refused: tuple[int, ...]
    has_x32: bool = False


MACHINES = {
    "x86_64": Machine(
        audit=0xC000003E,
        clone=56,
        has_x32=True,
        refused=(
            *(272, 308, 165, 166, 155),  # unshare, setns, mount, umount2, pivot_root
            *(321, 298, 323, 304, 103),  # bpf, perf_event_open, userfaultfd, open_by_handle_at, syslog
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(175, 313, 176, 246, 320),  # init_module, finit_module, delete_module, kexec_load, kexec_file_load
            *(167, 168, 169, 163, 172, 173),  # swapon, swapoff, reboot, acct, iopl, ioperm
        ),
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        clone=220,
        refused=(
            *(97, 268, 40, 39, 41),
            *(280, 241, 282, 265, 116),
            *(217, 218, 219),
            *(105, 273, 106, 104, 294),
            *(224, 225, 142, 89),
        ),
    ),
}
_CLONE3 = 435


def build_filter(name: str | None = None) -> bytes:
    """Return the filter for a machine, this one if none is named; empty where its numbers are not known."""
    machine = MACHINES.get(name or platform.machine())
    if not machine:
        return b""
    unknown, refused = _FAIL | errno.ENOSYS, _FAIL | errno.EPERM
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        *_unless(_EQUAL, machine.audit, unknown),
        (_LOAD, 0, 0, _NUMBER),
        *(_when(_AT_LEAST, _X32, unknown) if machine.has_x32 else []),
        # Its flags are in memory, where a filter cannot look; programs that are told so use clone.
        *_when(_EQUAL, _CLONE3, unknown),
        *(step for number in (*machine.refused, *_EVERYWHERE) for step in _when(_EQUAL, number, refused)),
        (_EQUAL, 0, 3, machine.clone),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *_when(_ANY_BIT, _NEW_NAMESPACES, refused),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def open_filter() -> int:
    """Return a descriptor from which the filter can be read, once; the caller closes it."""
    reading, writing = os.pipe()
    try:
        os.write(writing, build_filter())
    finally:
        os.close(writing)
    return reading


def _when(test: int, value: int, result: int) -> list[tuple[int, int, int, int]]:
    return [(test, 0, 1, value), (_RETURN, 0, 0, result)]


def _unless(test: int, value: int, result: int) -> list[tuple[int, int, int, int]]:
    return [(test, 1, 0, value), (_RETURN, 0, 0, result)]
