"""Selects the proxy for a request, if any. Hosts of this machine are always called directly."""

from __future__ import annotations

from ipaddress import ip_network
from urllib.request import getproxies_environment

from yarl import URL

from penstock.foundation.outbound.errors import InvalidPolicy
from penstock.foundation.outbound.guard import is_loopback_name
from penstock.foundation.outbound.policy import Policy
from penstock.foundation.outbound.urls import Origin


class Proxies:
    def __init__(self, policy: Policy) -> None:
        found = getproxies_environment() if policy.use_environment else {}
        if policy.proxy:
            found = {"all": policy.proxy, "no": found.get("no", "")}
        self._by_scheme = {scheme: _read_proxy(url) for scheme, url in found.items() if scheme != "no" and url}
        self._direct = [entry for entry in found.get("no", "").lower().replace(",", " ").split() if entry]

    def find(self, origin: Origin) -> URL | None:
        """The proxy for this origin, or None if it is called directly."""
        if not self._by_scheme:
            return None
        proxy = self._by_scheme.get(origin.scheme) or self._by_scheme.get("all")
        return None if proxy is None or self._is_direct(origin) else proxy

    def _is_direct(self, origin: Origin) -> bool:
        return is_on_this_machine(origin) or any(_covers(entry, origin) for entry in self._direct)


def is_on_this_machine(origin: Origin) -> bool:
    return is_loopback_name(origin.host) or (origin.address is not None and origin.address.is_loopback)


def _covers(entry: str, origin: Origin) -> bool:
    """Whether an entry of NO_PROXY (a domain, an address, a network, optionally with a port, or *) matches this
    origin."""
    if entry == "*":
        return True
    if origin.address is not None:
        return _is_within(entry, origin)
    name, _, port = entry.partition(":")
    name = name.removeprefix("*").strip(".")
    return (not port or port == str(origin.port)) and (origin.host == name or origin.host.endswith(f".{name}"))


def _is_within(entry: str, origin: Origin) -> bool:
    if entry in (f"{origin.host}:{origin.port}", f"[{origin.host}]:{origin.port}"):
        return True
    try:
        return origin.address in ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False


def _read_proxy(text: str) -> URL:
    try:
        url = URL(text if "://" in text else f"http://{text}")
        is_usable = url.scheme in ("http", "https") and bool(url.host) and bool(url.port)
    except ValueError:
        is_usable = False
        url = URL()
    if not is_usable:
        # The text may hold a password, so it is not repeated.
        raise InvalidPolicy("The proxy must be an http:// or https:// URL, like http://proxy.example.com:3128.")
    return url
