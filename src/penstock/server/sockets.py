"""Opens the listening sockets: a port, and one more for TLS, by default on IPv4 and IPv6 loopback."""

from __future__ import annotations

import errno
import shlex
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from penstock.foundation.errors import Invalid

LOOPBACK = "loopback"
TRIES = 20
FIRST_FREE_PORT = 1024
"""Lower ports are privileged."""

_WIDTH = 37


class PortTaken(Invalid):
    def __init__(self, port: int, flag: str) -> None:
        super().__init__(
            f"Port {port} is taken{_holder(port)}. Stop it, or start the stack on another port: penstock up {flag} N"
        )


class PortReserved(Invalid):
    """A privileged port, which this user may not listen on."""

    def __init__(self, port: int, flag: str) -> None:
        ways = "\n".join(f"  {what:{_WIDTH}}  {how}" for what, how in _ways_out(port, flag))
        super().__init__(f"Port {port} is reserved, and this user may not listen on it. Do one of these:\n{ways}")


class CannotListen(Invalid):
    def __init__(self, host: str, port: int, error: OSError) -> None:
        super().__init__(f"Cannot listen on {host} port {port}: {error.strerror or error}.")


def open_sockets(host: str, port: int, flag: str = "--port") -> list[socket.socket]:
    """The same port on every address; port 0 selects one that is free on all of them. `flag` is the option that sets
    the port."""
    if host != LOOPBACK:
        return [_listen(_family(host), host, port, flag)]
    for _ in range(TRIES):
        first = _listen(socket.AF_INET, "127.0.0.1", port, flag)
        try:
            return [first, *_on_ipv6(first.getsockname()[1], flag)]
        except PortTaken:
            first.close()
            if port:
                raise
    raise Invalid("No port is free on both 127.0.0.1 and ::1.")


def _on_ipv6(port: int, flag: str) -> list[socket.socket]:
    """Return nothing if the machine has no IPv6, which is not an error."""
    try:
        return [_listen(socket.AF_INET6, "::1", port, flag)]
    except CannotListen:
        return []


def _listen(family: socket.AddressFamily, host: str, port: int, flag: str) -> socket.socket:
    try:
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise CannotListen(host, port, error) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise _explain(error, host, port, flag) from error
    return listener


def _explain(error: OSError, host: str, port: int, flag: str) -> Invalid:
    if error.errno == errno.EADDRINUSE:
        return PortTaken(port, flag)
    if error.errno == errno.EACCES and 0 < port < FIRST_FREE_PORT:
        return PortReserved(port, flag)
    return CannotListen(host, port, error)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _ways_out(port: int, flag: str) -> list[tuple[str, str]]:
    """The solutions with their exact commands; first those that change the machine least."""
    up = f"penstock up {flag}"
    another = ("use another port:", f"{up} {8000 + port}")
    if sys.platform == "darwin":
        return [another, ("listen on every address:", f"{up} {port} --host 0.0.0.0")]
    program, file = shlex.quote(str(Path(sys.executable).resolve())), f"/etc/authbind/byport/{port}"
    return [
        another,
        ("let every user have it, until reboot:", f"sudo sysctl net.ipv4.ip_unprivileged_port_start={port}"),
        ("let this Python have it:", f"sudo setcap cap_net_bind_service=+ep {program}"),
        ("with authbind:", f'sudo install -o "$USER" -m 500 /dev/null {file}; authbind --deep {up} {port}'),
        ("as a systemd service:", "AmbientCapabilities=CAP_NET_BIND_SERVICE"),
    ]


def _holder(port: int) -> str:
    """` by process 123 (nginx)`, if the system reports it; otherwise empty."""
    with suppress(OSError, subprocess.SubprocessError, ValueError, IndexError):
        pid = _pid_on_linux(port) or _pid_by_lsof(port)
        name = subprocess.run(["ps", "-o", "comm=", "-p", pid], capture_output=True, text=True, timeout=5).stdout
        return f" by process {pid} ({name.strip()})" if pid else ""
    return ""


def _pid_on_linux(port: int) -> str:
    """The process whose open files include the listening socket's inode."""
    listening = "0A"
    inodes: set[str] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            inodes |= {row[9] for row in rows if row[3] == listening and row[1].endswith(f":{port:04X}")}
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if link.readlink().name.removeprefix("socket:[").removesuffix("]") in inodes:
                return link.parts[2]
    return ""


def _pid_by_lsof(port: int) -> str:
    listing = subprocess.run(["lsof", "-t", f"-iTCP:{port}", "-sTCP:LISTEN"], capture_output=True, text=True, timeout=5)
    return listing.stdout.split()[0]
