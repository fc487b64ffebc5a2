"""The certificate: valid now and for the stack's names, and trusted by the stores that most programs use.

Trust is tested by a handshake, with the stack if it runs and in memory if it does not.
"""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.errors import AppError
from penstock.server.certificates import Secure, StackFiles, choose_pair, covers, days_left
from penstock.server.certificates.trust import into_bundle, system_way
from penstock.server.names import storage_name
from penstock.server.running import Running, read_running
from penstock.settings import HTTPS_PORT, Settings

Handshake = Callable[[ssl.SSLContext], bytes]
"""Connects to the stack with this context; returns its certificate, or raises SSLError."""

FEW_DAYS = 30
TIMEOUT = 5.0
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
"""The trust stores of Linux systems; the first that exists is used."""


def examine(settings: Settings) -> Iterator[Check]:
    yield from check_hsts(settings)
    yield from _examine_certificate(settings)
    yield from _examine_http2(settings)


def _examine_certificate(settings: Settings) -> Iterator[Check]:
    running = read_running(settings.folder)
    is_served = bool(running and running.https_storage_url)
    if not (is_served or settings.https or StackFiles(settings.folder).stack.certificate.exists()):
        return
    try:
        greet = find_stack(settings, running)
        certificate = x509.load_der_x509_certificate(greet(_trusting_anybody()))
    except (AppError, OSError) as error:
        own = "Correct the files of tls_cert and tls_key, or remove these settings."
        yield wrong("certificate", f"cannot be read: {error}", own if settings.tls_cert else "penstock tls init")
        return
    authority = _find_authority(settings, running)
    yield check_certificate(certificate, settings.domain)
    if sys.platform == "darwin":
        yield check_keychain(certificate, authority)
    for who, bundle in find_stores(sys.platform):
        yield check_trust(who, bundle, greet, authority)


def check_hsts(settings: Settings) -> Iterator[Check]:
    """Read the header of a stack that people reach by HTTPS. The header is about a name, whatever the port: with it,
    browsers no longer open the plain port of that name."""
    is_public = (settings.public_url or "").startswith("https:")
    if settings.hsts_days and not (is_public or settings.https):
        fix = "Serve TLS, set public_url to the https address of the proxy, or remove hsts_days."
        yield note("HSTS", "hsts_days is set, and nothing says that the stack is reached by HTTPS", fix)
    elif settings.hsts_days:
        plain = "" if is_public else f"; they no longer open http://{storage_name(settings.domain)}:{settings.port}"
        yield ok("HSTS", f"browsers use only HTTPS for {settings.hsts_days} days after a visit{plain}")
    elif is_public:
        fix = "If no one opens a plain port of this name: hsts_days = 365"
        yield note("HSTS", "is not sent: browsers may open the public address without TLS", fix)


def _find_authority(settings: Settings, running: Running | None) -> Path | None:
    """The authority to trust, if the certificate is the stack's own."""
    if running and running.https_storage_url:
        return Path(running.authority_file) if running.authority_file else None
    return None if settings.tls_cert else StackFiles(settings.folder).authority.certificate


def find_stack(settings: Settings, running: Running | None) -> Handshake:
    name = storage_name(settings.domain)
    if running and running.https_storage_url:
        address = urlsplit(running.https_storage_url)
        return _over_network(address.hostname or "", address.port or HTTPS_PORT, name)
    return in_memory(Secure(choose_pair(settings) or StackFiles(settings.folder).stack).context, name)


def check_certificate(certificate: x509.Certificate, domain: str) -> Check:
    days, name = days_left(certificate), storage_name(domain)
    if days < 0:
        return wrong("certificate", f"expired {-days} days ago", "Renew it: penstock tls init, or your own --tls-cert")
    if not covers(certificate, name):
        fix = f"penstock tls init --domain {domain}, or a certificate of your own for *.{domain}: --tls-cert FILE"
        return wrong("certificate", f"is not for {name}", fix)
    if days < FEW_DAYS:
        return note("certificate", f"for {name}, {days} days left", "Renew it: penstock tls init, or your own")
    return ok("certificate", f"for {name}, {days} days left")


def check_trust(who: str, bundle: Path | None, greet: Handshake, authority: Path | None) -> Check:
    """`bundle` is the file of trusted authorities; None means Python's default."""
    name = f"{who} trust"
    try:
        greet(ssl.create_default_context(cafile=bundle))
    except ssl.SSLCertVerificationError as error:
        return note(name, f"the certificate is not trusted: {error.verify_message}", _way(who, bundle, authority))
    except OSError as error:
        return note(name, f"could not be tried: {error}")
    return ok(name, "the certificate is trusted")


def check_keychain(certificate: x509.Certificate, authority: Path | None) -> Check:
    """The trust store of macOS is not a file, but can be queried."""
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(certificate.public_bytes(Encoding.PEM))
        file.flush()
        answer = subprocess.run(["security", "verify-cert", "-c", file.name, "-p", "ssl"], capture_output=True)  # noqa: S607
    if answer.returncode:
        return note("system trust", "the certificate is not trusted", _way("system", None, authority))
    return ok("system trust", "the certificate is trusted")


def find_stores(platform: str) -> Iterator[tuple[str, Path | None]]:
    """The trust stores: the system, this Python, and certifi, which many Python programs use instead."""
    system = next((path for path in map(Path, BUNDLES) if path.exists()), None)
    if system and platform != "darwin":
        yield "system", system
    yield "Python", None
    certifi = find_spec("certifi")
    if certifi and certifi.origin:
        yield "certifi", Path(certifi.origin).with_name("cacert.pem")


def in_memory(server: ssl.SSLContext, name: str) -> Handshake:
    """A handshake with a server in memory: what one side writes the other reads."""

    def greet(client: ssl.SSLContext) -> bytes:
        there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
        asking = client.wrap_bio(back, there, server_hostname=name)
        answering = server.wrap_bio(there, back, server_side=True)
        while not (_step(asking) & _step(answering)):
            pass
        return asking.getpeercert(binary_form=True) or b""

    return greet


def _step(side: ssl.SSLObject) -> bool:
    """Whether this side is done."""
    try:
        side.do_handshake()
    except ssl.SSLWantReadError:
        return False
    return True


def _over_network(host: str, port: int, name: str) -> Handshake:
    def greet(context: ssl.SSLContext) -> bytes:
        with (
            socket.create_connection((host, port), TIMEOUT) as plain,
            context.wrap_socket(plain, server_hostname=name) as secure,
        ):
            return secure.getpeercert(binary_form=True) or b""

    return greet


def _trusting_anybody() -> ssl.SSLContext:
    """Return a context that trusts any server, which is enough to read a certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _way(who: str, bundle: Path | None, authority: Path | None) -> str:
    if not authority:
        return "Serve the certificate together with its chain, and trust its authority."
    own = bundle if who == "certifi" else _bundle_of_python() if who == "Python" else None
    return into_bundle(authority, own) if own else system_way(authority)


def _bundle_of_python() -> Path | None:
    """The file that this Python reads, unless it is the system's."""
    paths = ssl.get_default_verify_paths()
    file = Path(paths.cafile or paths.openssl_cafile)
    return None if file.is_relative_to("/etc") or file.is_relative_to("/usr/lib/ssl") else file


HTTP2_FIX = "Check what else listens on this port, and start the stack again: penstock up --https"


def _examine_http2(settings: Settings) -> Iterator[Check]:
    running = read_running(settings.folder)
    if running and running.https_storage_url:
        address = urlsplit(running.https_storage_url)
        yield check_http2(address.hostname or "", address.port or HTTPS_PORT)


def check_http2(host: str, port: int) -> Check:
    try:
        agreed = _negotiate(host, port)
    except OSError as error:
        return wrong("HTTP/2", f"could not be tried at port {port}: {error}", HTTP2_FIX)
    if agreed != "h2":
        return wrong("HTTP/2", f"is not spoken at port {port}; programs such as kbc cannot connect", HTTP2_FIX)
    return ok("HTTP/2", f"is spoken at port {port}, in addition to HTTP/1.1")


def _negotiate(host: str, port: int) -> str | None:
    """Return the protocol negotiated for a client that offers only HTTP/2. Trust is checked elsewhere."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with socket.create_connection((host, port), TIMEOUT) as plain, context.wrap_socket(plain) as secure:
        return secure.selected_alpn_protocol()
