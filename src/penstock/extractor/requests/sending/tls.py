"""The TLS context of the gate, from the certificates of the configuration."""

from __future__ import annotations

import ssl
from tempfile import NamedTemporaryFile
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import is_empty
from penstock.foundation.outbound import Policy, trusting


def tls_context(ca: Any, client: Any) -> ssl.SSLContext | None:
    """Returns a context from the texts of `caCertificate` and `#clientCertificate`; None, for the default context, if
    neither is set."""
    authority, identity = _read_text(ca, "caCertificate"), _read_text(client, "clientCertificate")
    if authority is None and identity is None:
        return None
    context = trusting(Policy.from_environment()) if authority is None else _trusting_only(authority)
    if identity is not None:
        _identify(context, identity)
    return context


def _read_text(value: Any, name: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise UserError(f"The '{name}' must be string.")
    if is_empty(value):
        raise UserError(f'Key "api.{name}" is not configured. Remove it, or set it to a text in PEM format.')
    return value


def _trusting_only(authority: str) -> ssl.SSLContext:
    """Returns a context that trusts only these certificates, not those of the system."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Every given certificate is trusted directly: a root, an intermediate, or that of the server.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.set_alpn_protocols(["http/1.1"])
    try:
        # Comments in bundles may hold any characters; the certificates themselves are ASCII.
        context.load_verify_locations(cadata=authority.encode("ascii", "ignore").decode())
    except (ssl.SSLError, ValueError):
        raise UserError(
            "CURL error 77: The certificates in `api.caCertificate` cannot be read. Set it to one or more certificates "
            "in PEM format, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, with their line breaks."
        ) from None
    return context


def _identify(context: ssl.SSLContext, identity: str) -> None:
    # OpenSSL reads a key only from a file: a temporary one that other users cannot open.
    with NamedTemporaryFile(suffix=".pem") as file:
        file.write(identity.encode())
        file.flush()
        try:
            # With a password, even an empty one, OpenSSL does not prompt for one.
            context.load_cert_chain(file.name, password="")
        except (ssl.SSLError, ValueError):
            raise UserError(
                "CURL error 58: The certificate in `api.#clientCertificate` cannot be used. Set it to a certificate "
                "followed by its private key, both in PEM format with their line breaks, the key without a password."
            ) from None
