"""The connections of one port, found among the open files of this process, where no server tells of them."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress

OPEN_FILES = "/dev/fd"

Peer = tuple[str, str]
"""An address and a port, as granian tells an application."""


class PeerScan:
    """Costs one system call for each open file, and a few more for each socket that is new. Not for the event loop:
    there may be tens of thousands. One scan at a time."""

    def __init__(self, port: int | None) -> None:
        self._port = port
        self._known: dict[int, Peer | None] = {}
        """By inode: the other end of a connection to the port; None for other sockets."""

    def find(self) -> dict[Peer, int]:
        """The file number of each connection. OSError if the open files cannot be listed."""
        known, found = self._known, dict[int, Peer | None]()
        self._known = found
        peers: dict[Peer, int] = {}
        for number, inode in _list_sockets():
            peer = found[inode] = known[inode] if inode and inode in known else self._find_peer(number)
            if peer:
                peers[peer] = number
        return peers

    def _find_peer(self, number: int) -> Peer | None:
        with suppress(OSError):  # one that listens, or is gone already
            found = socket.socket(fileno=number)
            try:
                if found.family in (socket.AF_INET, socket.AF_INET6) and found.getsockname()[1] == self._port:
                    address, port = found.getpeername()[:2]
                    return str(address), str(port)
            finally:
                found.detach()
        return None


def _list_sockets() -> Iterator[tuple[int, int]]:
    """File numbers and inodes. Without Path, which takes most of the time when there are many."""
    with os.scandir(OPEN_FILES) as entries:
        for entry in entries:
            number = int(entry.name)
            try:
                status = os.fstat(number)
            except OSError:
                continue  # closed meanwhile
            if stat.S_ISSOCK(status.st_mode):
                yield number, status.st_ino


def shut_down(number: int, peer: Peer) -> None:
    """Both ways, through a copy: granian sees the end and closes its own. Another file may have the number by now."""
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as copy:
        if tuple(map(str, copy.getpeername()[:2])) == peer:
            copy.shutdown(socket.SHUT_RDWR)
