"""How the stack is reached: its port, its names, and whether it answers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.client import ClientError, connect
from penstock.foundation.errors import AppError
from penstock.foundation.stacks import STORAGE, service_host
from penstock.server.running import Running, read_running
from penstock.server.sockets import open_sockets
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    running = read_running(settings.folder)
    yield check_running(settings, running)
    yield check_port(settings.host, settings.port, running)
    yield check_names(settings.domain)
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
        return wrong("stack", f"process {running.pid} runs but does not answer: {error.message}", fix)
    return ok("stack", f"answers at {running.storage_url} (process {running.pid})")


def check_port(host: str, port: int, running: Running | None) -> Check:
    if port == 0:
        return ok("port", "any free one")
    if running and urlsplit(running.storage_url).port == port:
        return ok("port", f"{port} is held by the stack of this folder (process {running.pid})")
    try:
        for listener in open_sockets(host, port):
            listener.close()
    except AppError as error:
        problem, _, fix = error.message.partition(". ")
        return wrong("port", problem.rstrip("."), fix or "Choose another address or port: --host H --port N")
    return ok("port", f"{port} is free")


def check_names(domain: str) -> Check:
    name = service_host(STORAGE, domain)
    try:
        found = sorted({str(entry[4][0]) for entry in socket.getaddrinfo(name, None)})
    except OSError:
        return note(
            "names", f"{name} does not resolve here, so addresses have the form http://127.0.0.1:PORT/_svc/storage"
        )
    return ok("names", f"{name} is {', '.join(found)}")


def check_ipv6() -> Check:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as listener:
            listener.bind(("::1", 0))
    except OSError:
        return note("IPv6", "this machine has no ::1; the stack listens on 127.0.0.1 only")
    return ok("IPv6", "::1 is there")
