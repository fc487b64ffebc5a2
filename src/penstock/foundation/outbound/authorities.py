"""Trusted certificate authorities: the system's, or those of a bundle that the operator configures."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from penstock.foundation.outbound.errors import UnusableBundle
from penstock.foundation.outbound.policy import Policy


def read_authorities(policy: Policy) -> ssl.SSLContext | bool:
    """What the gate trusts; True means the system's authorities, which aiohttp has already loaded."""
    return trusting(policy) if _find_bundle(policy) else True


def trusting(policy: Policy) -> ssl.SSLContext:
    """A TLS context with the authorities of the policy; raises UnusableBundle if they cannot be read."""
    bundle = _find_bundle(policy)
    try:
        is_folder = bundle is not None and Path(bundle).is_dir()
        cafile, capath = (None, bundle) if is_folder else (bundle, None)
        context = ssl.create_default_context(cafile=cafile, capath=capath)
    except OSError as error:
        raise UnusableBundle(f"The CA bundle {bundle} cannot be read: {error.strerror or error}") from error
    context.set_alpn_protocols(["http/1.1"])
    return context


def _find_bundle(policy: Policy) -> str | None:
    bundle = policy.ca_bundle
    if bundle is None and policy.use_environment:
        bundle = os.environ.get("SSL_CERT_FILE") or os.environ.get("REQUESTS_CA_BUNDLE")
    return bundle or None
