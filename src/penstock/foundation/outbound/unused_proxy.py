"""Explains why a proxy from the environment is not used: a user who has set one expects requests to go through it."""

from __future__ import annotations

import os
from urllib.request import getproxies_environment

from penstock.foundation.outbound.errors import Refused
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.outbound.proxies import is_on_this_machine
from penstock.foundation.outbound.urls import Origin, read_target

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


def explain_unused_proxy(policy: Policy, url: str, *, is_tunnelled: bool = False) -> str:
    """A message about requests to this address; empty if they go through the proxy, or if none is set."""
    names = sorted(name for name, value in os.environ.items() if value and name.upper() in VARIABLES)
    if not names:
        return ""
    try:
        origin = read_target(url).origin
    except Refused:  # the call itself reports this
        return ""
    reason = _reason(policy, origin, is_tunnelled)
    if not reason:
        return ""
    return f"The proxy of {' and '.join(names)} is not used for {origin.scheme}://{origin.host}: {reason}"


def _reason(policy: Policy, origin: Origin, is_tunnelled: bool) -> str:
    """Also empty if NO_PROXY lists the host: the user asked for that."""
    if is_tunnelled:
        return "all requests go through the SSH tunnel."
    if not policy.use_environment:
        return "jobs of a stack use the stack's setting `proxy`, and not the environment."
    if is_on_this_machine(origin):
        return "hosts of this machine are called directly."
    found = getproxies_environment()
    if found.get(origin.scheme) or found.get("all"):
        return ""
    return f"no proxy is set for {origin.scheme} addresses. Set {origin.scheme.upper()}_PROXY."
