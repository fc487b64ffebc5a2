"""Finds the connections of one port among the open files of this process, for a server that does not expose them."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress

OPEN_FILES = "/dev/fd"

Peer = tuple[str, str]
"""An address and a port, as granian reports them to an application."""


class PeerScan:
    """Costs one system call for each open file, and a few more for each new socket. Not for the event loop: there may
    be tens of thousands. One scan at a time."""

    def __init__(self, port: int | None) -> None:
        self._port = port
        self._known: dict[int, Peer | None] = {}
        """By inode: the peer of a connection to the port; None for other sockets."""

    def find(self) -> dict[Peer, int]:
        """The file descriptor of each connection. Raises OSError if the open files cannot be listed."""
        earlier, peers_by_inode = self._known, dict[int, Peer | None]()
        self._known = peers_by_inode
        peers: dict[Peer, int] = {}
        for number, inode in _list_sockets():
            peer = peers_by_inode[inode] = earlier[inode] if inode and inode in earlier else self._find_peer(number)
            if peer:
                peers[peer] = number
        return peers

    def _find_peer(self, number: int) -> Peer | None:
        with suppress(OSError):  # one that listens, or is gone already
            connection = socket.socket(fileno=number)
            try:
                if connection.family in (socket.AF_INET, socket.AF_INET6) and connection.getsockname()[1] == self._port:
                    address, port = connection.getpeername()[:2]
                    return str(address), str(port)
            finally:
                connection.detach()
        return None


def _list_sockets() -> Iterator[tuple[int, int]]:
    """File descriptors and inodes. Without Path, which would take most of the time when there are many."""
    with os.scandir(OPEN_FILES) as entries:
        for entry in entries:
            number = int(entry.name)
            try:
                status = os.fstat(number)
            except OSError:
                continue  # closed in the meantime
            if stat.S_ISSOCK(status.st_mode):
                yield number, status.st_ino


def shut_down(number: int, peer: Peer) -> None:
    """Shut down both directions of a duplicated socket: granian notices and closes its own. The descriptor may have
    been reused by now."""
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as copy:
        if tuple(map(str, copy.getpeername()[:2])) == peer:
            copy.shutdown(socket.SHUT_RDWR)
