"""Connections of a port, found among the open files."""

from __future__ import annotations

import socket
from contextlib import ExitStack

from penstock.server.peers import PeerScan, shut_down


def name_of(client: socket.socket) -> tuple[str, str]:
    address, port = client.getsockname()[:2]
    return address, str(port)


def test_the_connections_of_one_port_are_found_as_they_come_and_go() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(("127.0.0.1", 0)) as other,
        ExitStack() as held,
    ):
        clients = [held.enter_context(socket.create_connection(each.getsockname())) for each in (server, other, server)]
        accepted = [held.enter_context(each.accept()[0]) for each in (server, other, server)]
        scan = PeerScan(server.getsockname()[1])
        first, third = name_of(clients[0]), name_of(clients[2])

        assert scan.find() == {first: accepted[0].fileno(), third: accepted[2].fileno()}
        accepted[0].close()
        assert scan.find() == {third: accepted[2].fileno()}
        assert accepted[2].getpeername() == clients[2].getsockname()


def test_only_the_connection_that_is_meant_is_shut_down() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted = server.accept()[0]
        with accepted:
            shut_down(accepted.fileno(), ("127.0.0.1", "1"))
            client.sendall(b"a")
            assert accepted.recv(10) == b"a"
            shut_down(accepted.fileno(), name_of(client))
            assert client.recv(10) == b""
