"""The listening sockets of a stack."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import pytest

from penstock.foundation.errors import Invalid
from penstock.server.listening import listen
from penstock.server.sockets import CannotListen, PortReserved, PortTaken, open_sockets
from penstock.settings import Settings


@pytest.fixture
def opened() -> Generator[list[socket.socket]]:
    sockets: list[socket.socket] = []
    yield sockets
    for each in sockets:
        each.close()


def has_ipv6() -> bool:
    with suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind(("::1", 0))
        return True
    return False


def test_loopback_is_both_addresses_on_one_port(opened: list[socket.socket]) -> None:
    opened += open_sockets("loopback", 0)
    names = [each.getsockname()[:2] for each in opened]

    assert names[0][0] == "127.0.0.1"
    assert len({port for _, port in names}) == 1
    assert [host for host, _ in names[1:]] == (["::1"] if has_ipv6() else [])


def test_a_taken_port_names_its_holder_and_the_way_out(opened: list[socket.socket]) -> None:
    opened += open_sockets("loopback", 0)
    port = opened[0].getsockname()[1]

    with pytest.raises(PortTaken) as caught:
        open_sockets("loopback", port)
    assert f"Port {port} is taken by process {os.getpid()} (" in caught.value.message
    assert "--port" in caught.value.message


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_a_port_that_is_taken_on_ipv6_only_is_taken(opened: list[socket.socket]) -> None:
    opened += open_sockets("::1", 0)

    with pytest.raises(PortTaken):
        open_sockets("loopback", opened[0].getsockname()[1])


def test_a_port_can_be_used_again_at_once() -> None:
    first = open_sockets("loopback", 0)
    port = first[0].getsockname()[1]
    for each in first:
        each.close()
    again = open_sockets("loopback", port)
    ports = {each.getsockname()[1] for each in again}
    for each in again:
        each.close()

    assert ports == {port}


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.example", "::ffff"])
def test_an_address_that_is_not_ours_is_refused_with_a_sentence(host: str) -> None:
    with pytest.raises(CannotListen, match="Cannot listen on"):
        open_sockets(host, 0)


def test_a_missing_ipv6_is_not_an_error(monkeypatch: pytest.MonkeyPatch, opened: list[socket.socket]) -> None:
    real = socket.socket

    def without_ipv6(family: int = socket.AF_INET, *rest: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return real(family, *rest)

    monkeypatch.setattr(socket, "socket", without_ipv6)
    opened += open_sockets("loopback", 0)

    assert len(opened) == 1


@pytest.fixture
def nobody() -> Generator[None]:
    """This test runs as a user without rights, if it was started by one who has them."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    yield
    os.seteuid(before)


def is_reserved(port: int) -> bool:
    limit = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    return limit.exists() and port < int(limit.read_text())


@pytest.mark.skipif(not is_reserved(443), reason="on this machine everybody may listen on port 443")
@pytest.mark.usefixtures("nobody")
def test_a_port_that_is_reserved_comes_with_the_ways_out() -> None:
    with pytest.raises(PortReserved) as caught:
        open_sockets("loopback", 443, "--https-port")

    text = caught.value.message
    for way in (
        "--https-port 8443",
        "sysctl net.ipv4.ip_unprivileged_port_start=443",
        "setcap cap_net_bind_service",
        "authbind",
        "AmbientCapabilities",
    ):
        assert way in text


def test_without_tls_there_is_one_port(opened: list[socket.socket]) -> None:
    listening = listen(Settings(port=0))
    opened += listening.plain

    assert (listening.secure, listening.secure_port) == ([], None)
    assert listening.endpoint == f"127.0.0.1:{listening.port}"


def test_with_tls_there_are_two_ports(opened: list[socket.socket]) -> None:
    listening = listen(Settings(port=0, https=True, https_port=0))
    opened += [*listening.plain, *listening.secure]

    assert listening.secure_port not in (None, 0, listening.port)


def test_a_taken_tls_port_names_its_flag_and_frees_the_other(opened: list[socket.socket]) -> None:
    opened += open_sockets("loopback", 0)
    taken = opened[0].getsockname()[1]
    free = open_sockets("loopback", 0)
    port = free[0].getsockname()[1]
    for each in free:
        each.close()

    with pytest.raises(PortTaken, match="--https-port N"):
        listen(Settings(port=port, https=True, https_port=taken))
    opened += open_sockets("loopback", port)


def test_one_port_cannot_be_both() -> None:
    with pytest.raises(Invalid, match="--port and --https-port"):
        listen(Settings(port=8443, https=True, https_port=8443))
