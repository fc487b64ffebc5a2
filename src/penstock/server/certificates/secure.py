"""The certificate that the TLS port presents."""

from __future__ import annotations

import ssl
from pathlib import Path

from penstock.foundation.logging import Log
from penstock.server.certificates.pair import Pair, UnusableCertificate, read_pair
from penstock.settings import Settings

log = Log("tls")

Times = tuple[int, ...]


def choose_pair(settings: Settings) -> Pair | None:
    """The certificate that the settings name; a key may stand in the same file. None: the stack's own."""
    if not settings.tls_cert:
        if settings.tls_key:
            raise UnusableCertificate("A key is set and no certificate: give --tls-cert FILE too.")
        return None
    certificate = Path(settings.tls_cert).expanduser().absolute()
    key = Path(settings.tls_key).expanduser().absolute() if settings.tls_key else certificate
    return Pair(certificate, key)


class Secure:
    """A certificate and its key as two files, which may be replaced while the stack runs."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.context = _open_context(pair)
        """As a client meets it: for checks without a server."""
        self._times = _times_of(pair)

    def refresh(self) -> bool:
        """Whether the files changed and can be used. If they cannot, that is logged and the old ones stay in use."""
        times = _times_of(self.pair)
        if times == self._times:
            return False
        self._times = times
        try:
            self.context = _open_context(self.pair)
        except (UnusableCertificate, OSError) as error:
            log.warning("the new certificate cannot be used; the old one stays", reason=str(error))
            return False
        log.info("certificate read again", file=str(self.pair.certificate))
        return True


def _open_context(pair: Pair) -> ssl.SSLContext:
    read_pair(pair)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # A password that is never asked for: without one OpenSSL would ask on the terminal.
        context.load_cert_chain(pair.certificate, pair.key, password="")
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or str(error)
        words = reason.lower().replace("_", " ")
        raise UnusableCertificate(f"The certificate in {pair.certificate} cannot be used: {words}.") from error
    return context


def _times_of(pair: Pair) -> Times:
    """When each file was last written; 0 for one that is not there just now."""
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in (pair.certificate, pair.key))
