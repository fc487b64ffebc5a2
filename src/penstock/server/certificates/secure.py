"""The certificate that the TLS port presents."""

from __future__ import annotations

import ssl
from pathlib import Path

from penstock.foundation.files import durable
from penstock.foundation.logging import Log
from penstock.server.certificates.pair import Pair, UnusableCertificate, read_pair
from penstock.settings import Settings

log = Log("tls")

Times = tuple[int, ...]


def choose_pair(settings: Settings) -> Pair | None:
    """The certificate in the settings; its key may be in the same file. None: the stack's own."""
    if not settings.tls_cert:
        if settings.tls_key:
            raise UnusableCertificate("A key is set and no certificate: give --tls-cert FILE too.")
        return None
    certificate = Path(settings.tls_cert).expanduser().absolute()
    key = Path(settings.tls_key).expanduser().absolute() if settings.tls_key else certificate
    return Pair(certificate, key)


class Secure:
    """A certificate and its key as two files, which may be replaced while the stack runs.

    A server must not read them itself: if they are replaced between the two reads, its TLS library ends the whole
    process. It reads `copy`, one file with both, which is replaced only with a certificate and a key that match.
    """

    def __init__(self, source: Pair, copy: Path | None = None) -> None:
        self._source, self._copy = source, copy
        self._times = _times_of(source)
        self.context = self._open()
        """As a client sees it: for checks without a server."""

    @property
    def pair(self) -> Pair:
        """The certificate and the key of a server."""
        return Pair(self._copy, self._copy) if self._copy else self._source

    def refresh(self) -> bool:
        """Whether the files changed and can be used. If they cannot, that is logged and the old ones stay in use."""
        times = _times_of(self._source)
        if times == self._times:
            return False
        self._times = times
        try:
            self.context = self._open()
        except (UnusableCertificate, OSError) as error:
            log.warning("load of the new certificate failed; the old one stays", reason=str(error))
            return False
        log.info("certificate reloaded", file=str(self._source.certificate))
        return True

    def _open(self) -> ssl.SSLContext:
        if not self._copy:
            return _open_context(self._source)
        read_pair(self._source)
        content = self._source.certificate.read_bytes() + b"\n" + self._source.key.read_bytes()
        # On a full disk, a start with the same certificate writes nothing.
        if not self._copy.exists() or self._copy.read_bytes() != content:
            _replace(self._copy, content)
        return _open_context(self.pair)


def _replace(copy: Path, content: bytes) -> None:
    """Replace the pair by a certificate and a key that match; otherwise it is unchanged."""
    new = copy.with_suffix(".new")
    try:
        durable.write_file(new, content)
        _open_context(Pair(new, new))
        new.replace(copy)
    except OSError as error:
        raise UnusableCertificate(f"{copy} cannot be written: {error.strerror or error}.") from error
    finally:
        new.unlink(missing_ok=True)


def _open_context(pair: Pair) -> ssl.SSLContext:
    read_pair(pair)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        # A dummy password: without one, OpenSSL would prompt on the terminal.
        context.load_cert_chain(pair.certificate, pair.key, password="")
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or str(error)
        words = reason.lower().replace("_", " ")
        raise UnusableCertificate(f"The certificate in {pair.certificate} cannot be used: {words}.") from error
    return context


def _times_of(pair: Pair) -> Times:
    """Return when each file was last modified; 0 for one that does not exist at present."""
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in (pair.certificate, pair.key))
