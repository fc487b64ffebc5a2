"""Translates aiohttp's exceptions into our errors.

aiohttp's messages contain whole URLs, and a query may contain a token; so only hosts, ports and system messages are
used, and callers raise the result without its cause.
"""

from __future__ import annotations

import os
import ssl

from yarl import URL

from penstock.foundation.outbound.connections import HungUp
from penstock.foundation.outbound.errors import OutboundError, Refused, TimedOut, Unreachable
from penstock.foundation.outbound.quick_start import aiohttp
from penstock.foundation.outbound.urls import Origin

_ALERTS_ABOUT_US = ("certificate required", "handshake failure", "bad certificate", "certificate unknown", "unknown ca")
"""The alerts of a host that requires a client certificate; with TLS 1.3 they arrive after the handshake."""


def explain(error: Exception, origin: Origin, proxy: URL | None, connect_timeout: float) -> OutboundError:
    """The error for a failed call to `origin`."""
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return TimedOut(f"Failed to connect to {_place(origin, proxy)} within {connect_timeout:g} seconds.")
    if isinstance(error, aiohttp.ClientConnectorError):
        return _explain_connecting(error, origin, proxy)
    if isinstance(error, aiohttp.ClientHttpProxyError):
        words = f"{error.status} {error.message}".strip()
        return Unreachable("connect", f"The proxy {_name(proxy)} did not connect to {origin.host}: {words}")
    if isinstance(error, aiohttp.InvalidURL):
        return Refused("The URL does not have a valid host.")
    return _explain_reading(error.reason if isinstance(error, HungUp) else error, origin.host)


def explain_body(error: Exception, host: str, status: int, received: bytes) -> OutboundError:
    """The error for a response that was cut off after its head, with the part that arrived."""
    if isinstance(error, aiohttp.ClientPayloadError) and "not completed" not in str(error):
        return Unreachable("protocol", f"{host} did not respond with valid HTTP.")
    message = f"The response of {host} is cut short: the connection ended before the body did."
    return Unreachable("cut", message, status, received)


def _explain_reading(error: Exception, host: str) -> OutboundError:
    if isinstance(error, aiohttp.ServerDisconnectedError):
        # aiohttp passes the head as far as it was parsed, and a string if there is none.
        if isinstance(error.message, str):
            return Unreachable("empty", f"{host} closed the connection before it responded.")
        return Unreachable("receive", f"{host} closed the connection in the middle of the response's head.")
    if isinstance(error, OSError):
        return Unreachable("receive", f"The connection to {host} was lost: {_advised(_words(error))}")
    if isinstance(error, aiohttp.ClientConnectionError):
        return Unreachable("receive", f"The connection to {host} was lost.")
    return Unreachable("protocol", f"{host} did not respond with valid HTTP.")


def _explain_connecting(error: aiohttp.ClientConnectorError, origin: Origin, proxy: URL | None) -> OutboundError:
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return Unreachable("certificate", _explain_certificate(error.certificate_error, origin))
    if isinstance(error, aiohttp.ClientConnectorSSLError) or _is_broken_handshake(error.os_error, origin):
        where = f"{origin.host} port {origin.port}"
        return Unreachable("handshake", f"Could not agree on TLS with {where}: {_advised(_reason(error))}")
    return Unreachable("connect", f"Failed to connect to {_place(origin, proxy)}: {_words(error.os_error)}")


def _explain_certificate(error: Exception, origin: Origin) -> str:
    reason = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else "it cannot be verified"
    return (
        f"The TLS certificate of {origin.host} is not trusted: {reason.rstrip('.')}. "
        "If your own authority issued it, name that authority's file as the CA bundle."
    )


def _is_broken_handshake(error: OSError, origin: Origin) -> bool:
    """A host that closes the connection during the handshake: an unreachable one refuses instead of resetting."""
    return isinstance(error, ConnectionResetError) and origin.scheme == "https"


def _reason(error: aiohttp.ClientConnectorError) -> str:
    cause: OSError = error.os_error
    reason = cause.reason if isinstance(cause, ssl.SSLError) else None
    return reason.lower().replace("_", " ") if reason else "the host ended the handshake"


def _advised(words: str) -> str:
    is_about_us = words.endswith(_ALERTS_ABOUT_US)
    return f"{words}. The host may want a client certificate, or another one." if is_about_us else words


def _place(origin: Origin, proxy: URL | None) -> str:
    return f"{origin.host} port {origin.port}" if proxy is None else f"the proxy {_name(proxy)}"


def _name(proxy: URL | None) -> str:
    return f"{proxy.host} port {proxy.port}" if proxy is not None else "of the environment"


def _words(error: OSError) -> str:
    text = error.strerror or "no address answered"
    if text.startswith("[SSL"):  # [SSL: SOME_NAME] in words (_ssl.c:2580)
        return text.partition("] ")[2].partition(" (")[0].lower()
    # uvloop and asyncio word the same errno differently.
    return (os.strerror(error.errno) if error.errno else text).lower()
