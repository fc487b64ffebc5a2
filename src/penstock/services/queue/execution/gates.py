"""Which hosts users' code may reach from its sandbox: those that jobs may, and those that its own job provides."""

from __future__ import annotations

import os
import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

import msgspec

from penstock.components.component import Component
from penstock.foundation.outbound import Policy
from penstock.runtime.environment import RunContext
from penstock.runtime.launch import Endpoint

_LOOPBACK = "127.0.0.1"


def find_gate(policy: Policy, component: Component, context: RunContext) -> Policy:
    """The stack's policy, and the hosts that the operator names for it elsewhere: a package index, Storage.

    One that was given a token may call Storage by the address that it got with it.
    """
    elsewhere = [parts for parts in _list_urls(component, context) if parts.hostname and not _find_local_port(parts)]
    endpoints = {(parts.hostname or "", _port_of(parts)) for parts in elsewhere}
    hosts, ports = {host for host, _ in endpoints}, {port for _, port in endpoints}
    return msgspec.structs.replace(
        policy,
        allow=(*policy.allow, *sorted(hosts)),
        own_names=tuple(name for name in policy.own_names if name not in hosts),
        own_endpoints=tuple(each for each in policy.own_endpoints if each not in endpoints),
        own_ports=tuple(port for port in policy.own_ports if port not in ports or not context.forwarded),
        mark="" if context.forwarded else policy.mark,
    )


def find_reaches(component: Component, context: RunContext) -> tuple[Endpoint, ...]:
    """Return the addresses on this machine: the port for its log, and those of the addresses that it was given."""
    found: list[Endpoint] = []
    if context.logger:
        kind = "udp" if component.logging.gelf_server_type == "udp" else "tcp"
        found.append(Endpoint(kind, *context.logger))
    ports = {port for parts in _list_urls(component, context) if (port := _find_local_port(parts))}
    return (*found, *(Endpoint("tcp", _LOOPBACK, port) for port in sorted(ports)))


def _list_urls(component: Component, context: RunContext) -> list[SplitResult]:
    """List the URL of Storage, for a component that has a token for it, and those in settings, which may contain
    several."""
    texts = [
        context.forwarded.url if context.forwarded else "",
        *(os.environ.get(name, "") for name in component.inherits),
    ]
    words = [word for text in texts for word in re.split(r"[\s,]+", text)]
    # `name=https://…` is how uv writes an index that has a name.
    return [urlsplit(match[0]) for word in words if (match := re.search(r"https?://\S+", word))]


def _find_local_port(parts: SplitResult) -> int | None:
    host = parts.hostname or ""
    is_local = host == "localhost" or host.endswith(".localhost") or _is_loopback(host)
    return _port_of(parts) if is_local else None


def _port_of(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
