"""A certificate and its key, from files: completely checked, so that mistakes are reported before anything starts."""

from __future__ import annotations

from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from penstock.foundation import clock
from penstock.foundation.errors import Invalid


class UnusableCertificate(Invalid):
    """The reason why a certificate cannot be served."""


class Pair(msgspec.Struct, frozen=True):
    """PEM files: the certificate followed by its chain, and its key."""

    certificate: Path
    key: Path


def read_pair(pair: Pair) -> x509.Certificate:
    """The certificate, if it matches the key and is currently valid."""
    certificate, key = read_certificate(pair.certificate), read_key(pair.key)
    if _public(certificate.public_key()) != _public(key.public_key()):
        raise UnusableCertificate(
            f"{pair.key} is not the key of the certificate in {pair.certificate}. "
            "In a file with several certificates, the server's own has to be the first."
        )
    _check_kind(key, pair.key)
    _check_dates(certificate, pair.certificate)
    return certificate


def read_certificate(path: Path) -> x509.Certificate:
    """The first certificate in the file."""
    try:
        return x509.load_pem_x509_certificates(_read(path, "certificate"))[0]
    except ValueError as error:
        raise UnusableCertificate(f"{path} does not contain a certificate in PEM format.") from error


def read_key(path: Path) -> PrivateKeyTypes:
    try:
        return load_pem_private_key(_read(path, "key"), None)
    except TypeError as error:
        raise UnusableCertificate(
            f"The key in {path} is locked with a passphrase. Write one without: openssl pkey -in {path} -out FILE"
        ) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise UnusableCertificate(f"{path} does not contain a private key in PEM format.") from error


def days_left(certificate: x509.Certificate) -> int:
    return (certificate.not_valid_after_utc - clock.now()).days


def _check_kind(key: PrivateKeyTypes, path: Path) -> None:
    """The server's TLS library ends the whole process for an unsupported kind of key."""
    is_curve = isinstance(key, EllipticCurvePrivateKey) and isinstance(key.curve, SECP256R1 | SECP384R1)
    if not is_curve and not isinstance(key, RSAPrivateKey | Ed25519PrivateKey):
        raise UnusableCertificate(
            f"The key in {path} is of a kind that cannot be served. Use RSA, the curve P-256 or P-384, or Ed25519."
        )


def _check_dates(certificate: x509.Certificate, path: Path) -> None:
    now, start, end = clock.now(), certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now > end:
        raise UnusableCertificate(f"The certificate in {path} expired on {end:%Y-%m-%d}. Put a new one there.")
    if now < start:
        raise UnusableCertificate(f"The certificate in {path} is valid from {start:%Y-%m-%d} on, not yet today.")


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnusableCertificate(f"The {what} {path} cannot be read: {error.strerror or error}.") from error


def _public(key: object) -> bytes | None:
    """The public key as bytes; there are many types of keys, and all that servers use can be serialized."""
    write = getattr(key, "public_bytes", None)
    return write(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) if write else None
