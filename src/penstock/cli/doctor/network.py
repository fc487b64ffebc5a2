"""The running stack: its workers stay up, it responds, and its ports are its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.client import ClientError, connect
from penstock.foundation.errors import AppError
from penstock.foundation.files.removal import LEFTOVERS
from penstock.server.restarts import read_failing
from penstock.server.running import Running, read_running
from penstock.server.sockets import open_sockets
from penstock.settings import HTTPS_PORT, Settings


def examine(settings: Settings) -> Iterator[Check]:
    yield from _examine_workers(settings)
    running = read_running(settings.folder)
    yield check_running(settings, running)
    yield check_port(settings.host, settings.port, running)
    if settings.https:
        yield check_secure_port(settings.host, settings.https_port, running)
    yield check_ipv6()


def check_running(settings: Settings, running: Running | None) -> Check:
    if not running:
        return note("stack", f"none is running on {settings.folder}; `penstock up` starts one")
    try:
        with connect(running.storage_url, running.token, pauses=()) as client:
            client.url_of("queue")
            client.tokens.verify()
    except ClientError as error:
        fix = (
            f"See {settings.folder / 'logs' / 'stack.log'}; then stop process {running.pid} and start the stack again."
        )
        return wrong("stack", f"process {running.pid} runs but does not respond: {error.message}", fix)
    return ok("stack", f"answers at {running.storage_url} (process {running.pid})")


def check_port(host: str, port: int, running: Running | None) -> Check:
    held = urlsplit(running.storage_url).port if running else None
    return _check_port("port", host, port, "--port", running if held == port else None)


def check_secure_port(host: str, port: int, running: Running | None) -> Check:
    url = running.https_storage_url if running else None
    held = (urlsplit(url).port or HTTPS_PORT) if url else None
    return _check_port("TLS port", host, port, "--https-port", running if held == port else None)


def _check_port(name: str, host: str, port: int, flag: str, holder: Running | None) -> Check:
    if port == 0:
        return ok(name, "any free one")
    if holder:
        return ok(name, f"{port} is held by the stack of this folder (process {holder.pid})")
    try:
        for listener in open_sockets(host, port, flag):
            listener.close()
    except AppError as error:
        problem, _, fix = error.message.partition(". ")
        return wrong(name, problem.rstrip("."), fix or f"Choose another address or port: --host H {flag} N")
    return ok(name, f"{port} is free")


def check_ipv6() -> Check:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as listener:
            listener.bind(("::1", 0))
    except OSError:
        return note("IPv6", "this machine has no ::1; the stack listens on 127.0.0.1 only")
    return ok("IPv6", "::1 is there")


def _examine_workers(settings: Settings) -> Iterator[Check]:
    if read_running(settings.folder):
        yield check_workers(settings.folder)
    yield from check_leftovers(settings.folder)


def check_workers(folder: Path) -> Check:
    failing = read_failing(folder)
    if not failing:
        return ok("workers", "they stay up")
    first = failing[0]
    more = f", and {len(failing) - 1} more like it" if len(failing) > 1 else ""
    text = f"{first.worker} ended {first.ends} times in a row right after its start{more}: {first.reason}"
    return wrong("workers", text, f"See {folder / 'logs' / first.worker}.log; nothing runs until it is fixed.")


def check_leftovers(folder: Path) -> Iterator[Check]:
    """Name folders of jobs that could not be removed."""
    aside = folder / LEFTOVERS
    try:
        names = sorted(path.name for path in aside.iterdir())
    except OSError:
        return
    if names:
        text = f"{len(names)} folders of jobs could not be removed, such as {aside / names[0]}"
        yield note("leftovers", text, f"Find what holds them (mount, lsattr -R), then: sudo rm -rf {aside}")
