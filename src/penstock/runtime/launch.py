"""What is started, within which limits, and how it ended: shared by launchers and their callers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

import msgspec

from penstock.foundation.outbound import Policy

Clean = Callable[[bytes, int], str]
"""The first bytes of a line as text, without secrets: one at the cut goes as a whole."""


class Reason(StrEnum):
    """Why the guard ended it."""

    NONE = ""
    """It was not stopped: it ended without that."""
    STOPPED = "stopped"
    GONE = "gone"
    """Its worker was stopped."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    PROCESSES = "processes"
    DISK = "disk"
    ENTRIES = "entries"
    NESTING = "nesting"
    RESERVE = "reserve"
    """The disk was nearly full."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    memory_megabytes: int = 2048
    """Of all its processes together."""
    timeout_seconds: int = 4 * 3600
    processes: int = 512
    open_files: int = 4096
    file_megabytes: int = 100_000
    """The largest file that it may write; 0 is no limit."""
    disk_megabytes: int = 100_000
    """Of everything in its data folder together; 0 is no limit."""
    reserve_megabytes: int = 512
    """How much of the disk must stay free while it runs; of a small disk, a twentieth. 0 is nothing."""
    entries: int = 1_000_000
    """Files and folders in its data folder."""
    niceness: int = 0
    """How much it gives way to others when the processors are busy."""
    grace_seconds: float = 1.0
    """How long it may take to end once it was asked to."""


DEFAULT_LIMITS = Limits()


class Endpoint(msgspec.Struct, frozen=True):
    """Something on this machine that the component may reach."""

    kind: str
    """`tcp`, or `udp`."""
    host: str
    port: int


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    command: tuple[str, ...]
    """In a container: what is given to the image; without a word, the image knows."""
    folder: Path
    """The data folder; it is the working folder too."""
    environment: Mapping[str, str] = {}
    private: Mapping[str, str] = {}
    """Variables for the program alone, not for what it starts; see foundation/files/private.py."""
    limits: Limits = DEFAULT_LIMITS
    network: str = "bridge"
    """`bridge`, or `none`."""
    gate: Policy | None = None
    """Where it has a sandbox and a network: what it may reach, through a proxy that it is told of. None is everything
    that the machine reaches."""
    reaches: tuple[Endpoint, ...] = ()
    """What else it may reach then, at the same ports of 127.0.0.1."""
    image: str = ""
    readable: tuple[Path, ...] = ()
    """What else it needs to see: the component's own folder, certificates."""
    writable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    """What it must not see even where a folder around it is readable: the stack's folder and key."""
    descriptors: tuple[int, ...] = ()
    """What it inherits; they are closed here once it has started."""
    output_bytes: int = 0
    """How much of standard output is kept as it is, for a program whose output is its result; 0: it is a log, and read
    line by line."""
    project_id: int = 0
    """Where the stack runs as root, the programs of each project run as a user of their own."""


class ProcessExit(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended."""

    exit_code: int
    errors: str = ""
    """The last lines that it wrote on standard error."""
    output: str = ""
    """The last lines that it wrote on standard output."""
    reason: Reason = Reason.NONE
    content: bytes = b""
    """All that it wrote on standard output, if that was kept as it is."""
    is_cut: bool = False
    """Whether it wrote more than was kept."""


def decode_start(content: bytes, size: int) -> str:
    return content[:size].decode("utf-8", "replace")
