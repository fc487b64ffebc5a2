"""Stacks by name, and the host names of their services."""

from __future__ import annotations

import msgspec

STORAGE, QUEUE, PORTAL, CONSOLE = "storage", "queue", "portal", "console"
_PREFIXES = {STORAGE: "connection", PORTAL: "api"}
ALIASES = {"apps-api": "developer", "sandboxes": "data-science", "sandboxes-service": "data-science"}
"""Other labels of services, which some clients know."""
_LABELS = {**ALIASES, **{prefix: service for service, prefix in _PREFIXES.items()}}


class KnownStack(msgspec.Struct, frozen=True, kw_only=True):
    """A stack that users refer to by name. A single-tenant one belongs to one customer and carries its name."""

    name: str
    domain: str
    region: str = ""
    provider: str = ""
    customer: str | None = None

    @property
    def tenancy(self) -> str:
        return "single-tenant" if self.customer else "multi-tenant"

    @property
    def suffix(self) -> str:
        return f"{self.customer}.{self.domain}" if self.customer else self.domain

    @property
    def storage_url(self) -> str:
        return f"https://{service_host(STORAGE, self.suffix)}"


def _multi_tenant(name: str, region: str, provider: str) -> KnownStack:
    return KnownStack(name=name, domain=f"{name}.stack.example", region=region, provider=provider)


KNOWN_STACKS = (
    _multi_tenant("us-virginia-1", "US Virginia", "provider 1"),
    _multi_tenant("eu-frankfurt-1", "EU Frankfurt", "provider 1"),
    _multi_tenant("eu-ireland-2", "EU Ireland", "provider 2"),
    _multi_tenant("eu-frankfurt-3", "EU Frankfurt", "provider 3"),
    _multi_tenant("us-virginia-3", "US Virginia", "provider 3"),
)
"""The multi-tenant stacks of the platform; the domains are placeholders until `penstock.toml` gives real ones."""


def service_host(service_id: str, suffix: str) -> str:
    """`connection.<suffix>` is the storage, `api.<suffix>` the portal, any other service goes by its id."""
    return f"{service_label(service_id)}.{suffix}"


def service_label(service_id: str) -> str:
    return _PREFIXES.get(service_id, service_id)


def service_of_label(label: str) -> str:
    """The service that the first label of a host name, or a `/_svc/` path, stands for."""
    return _LABELS.get(label, label)
