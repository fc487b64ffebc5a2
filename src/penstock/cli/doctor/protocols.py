"""HTTP/2 at the TLS port: some official programs require it."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

from penstock.cli.doctor.check import Check, ok, wrong
from penstock.server.running import read_running
from penstock.settings import HTTPS_PORT, Settings

TIMEOUT = 5.0
FIX = "Check what else listens on this port, and start the stack again: penstock up --https"


def examine(settings: Settings) -> Iterator[Check]:
    running = read_running(settings.folder)
    if running and running.https_storage_url:
        address = urlsplit(running.https_storage_url)
        yield check_http2(address.hostname or "", address.port or HTTPS_PORT)


def check_http2(host: str, port: int) -> Check:
    try:
        agreed = _negotiate(host, port)
    except OSError as error:
        return wrong("HTTP/2", f"could not be tried at port {port}: {error}", FIX)
    if agreed != "h2":
        return wrong("HTTP/2", f"is not spoken at port {port}; programs such as kbc cannot connect", FIX)
    return ok("HTTP/2", f"is spoken at port {port}, beside HTTP/1.1")


def _negotiate(host: str, port: int) -> str | None:
    """The protocol negotiated for a client that offers only HTTP/2. Trust is checked elsewhere."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with socket.create_connection((host, port), TIMEOUT) as plain, context.wrap_socket(plain) as secure:
        return secure.selected_alpn_protocol()
