"""The request after a redirect: headers and body are not passed on to other hosts.

Headers with credentials cannot be told from others by their names, so on a redirect to another origin all are dropped
except a few harmless ones, and they stay dropped even if a later redirect leads back.
"""

from __future__ import annotations

from typing import NamedTuple

from multidict import CIMultiDict

from penstock.foundation.outbound.errors import Refused
from penstock.foundation.outbound.urls import Target, read_redirect

MAX_REDIRECTS = 5
STATUSES = frozenset({301, 302, 303, 307, 308})

_HARMLESS = frozenset({"accept", "accept-charset", "accept-encoding", "accept-language", "content-type", "user-agent"})


class Outgoing(NamedTuple):
    """One request on its way."""

    method: str
    target: Target
    headers: CIMultiDict[str]
    body: bytes | None


def follow_redirect(sent: Outgoing, status: int, location: str) -> Outgoing:
    """The request to send next; raises Refused if it would carry a body to another host."""
    target = read_redirect(sent.target, location)
    method, headers, body = sent.method, sent.headers, sent.body
    if _becomes_get(status, method):
        method, body = "GET", None
        headers = CIMultiDict((name, value) for name, value in headers.items() if not _is_of_body(name))
    if target.origin != sent.target.origin:
        headers = CIMultiDict((name, value) for name, value in headers.items() if name.lower() in _HARMLESS)
        if body:
            raise Refused(
                f"{sent.target.host} redirects a {method} to {target.origin.scheme}://{target.host}, and its body is "
                "only meant for the first. If the new address is right, use it in the configuration."
            )
    return Outgoing(method, target, headers, body)


def _becomes_get(status: int, method: str) -> bool:
    return (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST")


def _is_of_body(name: str) -> bool:
    return name.lower().startswith("content-")
