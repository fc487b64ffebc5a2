"""A certificate authority for tests."""

from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = dt.timedelta(days=1)


class Authority:
    """Issues certificates; `bundle` is the file that makes a client trust them."""

    def __init__(self, folder: Path, name: str = "Test authority") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        self.bundle = folder / "authority.pem"
        self.bundle.write_bytes(self._issue(self._name, self._key, None, DAY).public_bytes(serialization.Encoding.PEM))

    def context_for(self, host: str, lasts: dt.timedelta = DAY) -> ssl.SSLContext:
        """What a server of that name presents."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.file_for(host, lasts))
        return context

    def file_for(self, host: str, lasts: dt.timedelta = DAY) -> Path:
        """A certificate for that name, followed by its key; the same each time."""
        file = self._folder / f"{host}{lasts.total_seconds():.0f}.pem"
        if file.exists():
            return file
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._issue(_name(host), key, host, lasts)
        file.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return file

    def _issue(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, host: str | None, lasts: dt.timedelta
    ) -> x509.Certificate:
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * DAY)
            .not_valid_after(now + lasts)
            .add_extension(x509.BasicConstraints(ca=host is None, path_length=None), critical=True)
        )
        if host is not None:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        return builder.sign(self._key, hashes.SHA256())


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
