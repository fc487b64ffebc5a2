"""The stack's own authority and certificate, in `tls/` of its data folder.

authority.pem   the certificate that clients must trust; public
authority.key   its signing key; secret
stack.pem       the certificate that the stack serves
stack.key       its key
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from penstock.foundation.files import durable, locks
from penstock.server.certificates.authority import (
    Signed,
    covers,
    issue_certificate,
    make_authority,
    may_sign_for,
)
from penstock.server.certificates.pair import (
    Pair,
    UnusableCertificate,
    days_left,
    read_certificate,
    read_key,
    read_pair,
)
from penstock.server.names import storage_name

RENEWED_DAYS_BEFORE = 30


class StackFiles(msgspec.Struct, frozen=True):
    """The paths, whether or not the files exist."""

    folder: Path

    @property
    def authority(self) -> Pair:
        return Pair(self.folder / "tls" / "authority.pem", self.folder / "tls" / "authority.key")

    @property
    def stack(self) -> Pair:
        return Pair(self.folder / "tls" / "stack.pem", self.folder / "tls" / "stack.key")


class Made(msgspec.Struct, frozen=True):
    """The certificates of a stack, and whether they are new."""

    files: StackFiles
    authority: x509.Certificate
    certificate: x509.Certificate
    is_new_authority: bool = False
    is_new_certificate: bool = False


def init_certificates(folder: Path, domain: str, *, force: bool = False) -> Made:
    """Create a certificate for the domain. The authority is reused if it can sign it, since it is trusted already."""
    files = StackFiles(folder)
    with _alone(files):
        existing = None if force else _find_authority(files, domain)
        authority = existing or make_authority(domain)
        if not existing:
            write_pair(files.authority, authority)
        issued = issue_certificate(authority, domain)
        write_pair(files.stack, issued)
    return Made(files, authority.certificate, issued.certificate, not existing, is_new_certificate=True)


def ensure_certificate(folder: Path, domain: str) -> Made:
    """The existing certificate, unless it expires soon or is for other names: then a new one."""
    files = StackFiles(folder)
    served = find_served(files, domain)
    if not served or days_left(served) < RENEWED_DAYS_BEFORE:
        try:
            return init_certificates(folder, domain)
        except UnusableCertificate:
            # The authority's key may be stored elsewhere; until the last day that does not prevent a start.
            if not served:
                raise
    return Made(files, read_certificate(files.authority.certificate), served)


def read_made(folder: Path) -> Made:
    """The existing files, unchanged."""
    files = StackFiles(folder)
    if not files.authority.certificate.exists():
        raise UnusableCertificate(f"There is no certificate in {folder} yet. Create one: penstock tls init")
    return Made(files, read_certificate(files.authority.certificate), read_certificate(files.stack.certificate))


def find_served(files: StackFiles, domain: str) -> x509.Certificate | None:
    """The certificate in the folder, if the stack can serve it: of the present authority, and for the domain."""
    try:
        pair = read_pair(files.stack)
        pair.verify_directly_issued_by(read_certificate(files.authority.certificate))
    except (UnusableCertificate, ValueError, TypeError, InvalidSignature):
        return None
    return pair if covers(pair, storage_name(domain)) else None


def _find_authority(files: StackFiles, domain: str) -> Signed | None:
    """The existing one. An expired one is replaced, since it is no longer trusted; any other only on request."""
    if not files.authority.certificate.exists():
        return None
    certificate = read_certificate(files.authority.certificate)
    if days_left(certificate) < 0:
        return None
    key = _read_authority_key(files)
    if not may_sign_for(certificate, domain):
        raise UnusableCertificate(
            f"The authority in {files.authority.certificate} may not sign for {domain}. "
            f"Make one that may, which has to be trusted anew: penstock tls init --domain {domain} --force"
        )
    return Signed(certificate, key)


def _read_authority_key(files: StackFiles) -> EllipticCurvePrivateKey:
    try:
        read_pair(files.authority)
        key = read_key(files.authority.key)
        if not isinstance(key, EllipticCurvePrivateKey):
            raise UnusableCertificate(f"{files.authority.key} is of a kind that Penstock does not make.")
    except UnusableCertificate as error:
        raise UnusableCertificate(
            f"{error.message} Put back what was there, or make a new authority, which has to be trusted anew: "
            "penstock tls init --force"
        ) from error
    return key


@contextmanager
def _alone(files: StackFiles) -> Generator[None]:
    """One process at a time creates certificates in a folder, which only its owner may enter."""
    folder = files.stack.certificate.parent
    try:
        files.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with locks.exclusive(folder / "tls.lock"):
            yield
    except OSError as error:
        raise UnusableCertificate(f"Certificates cannot be kept in {folder}: {error.strerror or error}.") from error


def write_pair(pair: Pair, signed: Signed) -> None:
    key = signed.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    durable.write_file(pair.key, key, 0o600)
    durable.write_file(pair.certificate, signed.certificate.public_bytes(Encoding.PEM), 0o644)
