"""A certificate authority for one stack, and the certificate that it signs.

Users are asked to trust this authority, and with its key others could be impersonated. So its certificate is limited to
certain names: the stack's domain and this machine.
"""

from __future__ import annotations

import datetime as dt
import secrets
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from penstock.foundation import clock
from penstock.server.names import host_names

AUTHORITY_LASTS = dt.timedelta(days=3650)
CERTIFICATE_LASTS = dt.timedelta(days=397)
"""The maximum that browsers accept."""

TOLERANCE = dt.timedelta(hours=1)
"""Clocks of other machines may be slow."""

_LOOPBACK = (x509.IPAddress(ip_network("127.0.0.0/8")), x509.IPAddress(ip_network("::1/128")))


class Signed(NamedTuple):
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def make_authority(domain: str) -> Signed:
    key = ec.generate_private_key(ec.SECP256R1())
    # A random suffix: a replaced authority must be distinguishable from its successor in lists of trusted ones.
    name = _name(f"Penstock {domain[:40]} {secrets.token_hex(3)}")
    names = [x509.DNSName(domain), x509.DNSName("localhost"), *_LOOPBACK]
    builder = (
        _begin(name, name, key, clock.now() + AUTHORITY_LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_subtrees=names, excluded_subtrees=None), critical=True)
    )
    return Signed(builder.sign(key, hashes.SHA256()), key)


def issue_certificate(authority: Signed, domain: str) -> Signed:
    """Issue a certificate for every host of the domain, and for this machine by its usual names."""
    key = ec.generate_private_key(ec.SECP256R1())
    until = min(clock.now() + CERTIFICATE_LASTS, authority.certificate.not_valid_after_utc)
    names = [*map(x509.DNSName, _host_names(domain)), *(x509.IPAddress(ip_address(a)) for a in ("127.0.0.1", "::1"))]
    identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    builder = (
        _begin(_name(f"Penstock {domain[:50]}"), authority.certificate.subject, key, until)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(identifier, critical=False)
    )
    return Signed(builder.sign(authority.key, hashes.SHA256()), key)


def may_sign_for(authority: x509.Certificate, domain: str) -> bool:
    """Whether the domain is one of those that the authority is limited to, or below one."""
    try:
        limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    except x509.ExtensionNotFound:
        return True
    allowed = [str(limit.value) for limit in limits if isinstance(limit, x509.DNSName)]
    return any(domain == name or domain.endswith(f".{name}") for name in allowed)


def names_of(certificate: x509.Certificate) -> list[str]:
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [*extension.get_values_for_type(x509.DNSName), *map(str, extension.get_values_for_type(x509.IPAddress))]


def covers(certificate: x509.Certificate, host: str) -> bool:
    """Compare the host with its names and wildcards; a wildcard matches one label."""
    _, _, parent = host.partition(".")
    return bool({host, f"*.{parent}"} & {name.lower() for name in names_of(certificate)})


def expires(certificate: x509.Certificate) -> dt.datetime:
    return certificate.not_valid_after_utc


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 in the form of other programs: `AB:CD:…`."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _host_names(domain: str) -> list[str]:
    # Most programs reject `*.localhost` as too wide, so for a domain of one label each host is listed.
    hosts = [domain, f"*.{domain}"] if "." in domain else host_names(domain)
    return list(dict.fromkeys([*hosts, "localhost"]))


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, until: dt.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(clock.now() - TOLERANCE)
        .not_valid_after(until)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
