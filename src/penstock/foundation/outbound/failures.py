"""aiohttp's failures in our words.

Its own texts quote whole URLs, and a query may hold a token; so only hosts, ports and system messages are taken over,
and callers raise the result without its cause.
"""

from __future__ import annotations

import os
import ssl

import aiohttp
from yarl import URL

from penstock.foundation.outbound.errors import OutboundError, Refused, TimedOut, Unreachable
from penstock.foundation.outbound.urls import Origin


def explain(error: Exception, origin: Origin, proxy: URL | None, connect_timeout: float) -> OutboundError:
    """The sentence for a failure of a call to `origin`."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return TimedOut(f"Could not connect to {_place(origin, proxy)} within {connect_timeout:g} seconds.")
    if isinstance(error, aiohttp.ClientConnectorError):
        return _explain_connecting(error, origin, proxy)
    if isinstance(error, aiohttp.ClientHttpProxyError):
        words = f"{error.status} {error.message}".strip()
        return Unreachable("connect", f"The proxy {_name(proxy)} did not connect to {origin.host}: {words}")
    if isinstance(error, aiohttp.InvalidURL):
        return Refused("The URL names no valid host.")
    return _explain_reading(error, origin.host)


def _explain_reading(error: Exception, host: str) -> OutboundError:
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return Unreachable("closed", f"{host} closed the connection before it answered.")
    if isinstance(error, aiohttp.ClientPayloadError) and "not completed" in str(error):
        return Unreachable("closed", f"The answer of {host} is cut short: the connection ended before the body did.")
    if isinstance(error, OSError):
        return Unreachable("closed", f"The connection to {host} was lost: {_words(error)}")
    if isinstance(error, aiohttp.ClientConnectionError):
        return Unreachable("closed", f"The connection to {host} was lost.")
    return Unreachable("protocol", f"{host} did not answer in valid HTTP.")


def _explain_connecting(error: aiohttp.ClientConnectorError, origin: Origin, proxy: URL | None) -> OutboundError:
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return Unreachable("tls", _explain_certificate(error.certificate_error, origin))
    if isinstance(error, aiohttp.ClientConnectorSSLError) or _is_broken_handshake(error.os_error, origin):
        return Unreachable("tls", f"Could not agree on TLS with {origin.host} port {origin.port}: {_reason(error)}")
    return Unreachable("connect", f"Could not connect to {_place(origin, proxy)}: {_words(error.os_error)}")


def _explain_certificate(error: Exception, origin: Origin) -> str:
    reason = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else "it cannot be verified"
    return (
        f"The TLS certificate of {origin.host} is not trusted: {reason.rstrip('.')}. "
        "If your own authority issued it, name that authority's file as the CA bundle."
    )


def _is_broken_handshake(error: OSError, origin: Origin) -> bool:
    """A host that hangs up during the handshake, which asyncio reports without a number."""
    return isinstance(error, ConnectionResetError) and error.errno is None and origin.scheme == "https"


def _reason(error: aiohttp.ClientConnectorError) -> str:
    cause: OSError = error.os_error
    reason = cause.reason if isinstance(cause, ssl.SSLError) else None
    return reason.lower().replace("_", " ") if reason else "the host ended the handshake"


def _place(origin: Origin, proxy: URL | None) -> str:
    return f"{origin.host} port {origin.port}" if proxy is None else f"the proxy {_name(proxy)}"


def _name(proxy: URL | None) -> str:
    return f"{proxy.host} port {proxy.port}" if proxy is not None else "of the environment"


def _words(error: OSError) -> str:
    # uvloop and asyncio word the same errno differently.
    text = os.strerror(error.errno) if error.errno else error.strerror or "no address answered"
    return text.lower()
