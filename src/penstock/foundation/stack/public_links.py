"""The address of the stack in links for people, and whether it works on other machines than this one."""

from __future__ import annotations

from penstock.foundation.machine import is_loopback
from penstock.foundation.settings import HTTPS_PORT, Settings
from penstock.foundation.stacks import STORAGE, service_host

LOCAL_LINKS_FIX = "Set public_url to the address by which people reach the stack, as https://data.example.com"


def base_url(settings: Settings, service_id: str = STORAGE) -> str:
    """Return the URL of a service, as it is reached from outside."""
    if settings.public_url:
        return f"{settings.public_url.rstrip('/')}/_svc/{service_id}"
    host = service_host(service_id, settings.domain)
    if settings.https:
        return f"https://{host}" if settings.https_port == HTTPS_PORT else f"https://{host}:{settings.https_port}"
    return f"http://{host}:{settings.port}"


def is_for_this_machine(settings: Settings) -> bool:
    """Whether links work only here: the name, or the address to listen on, is one of the loopback."""
    if settings.public_url:
        return False
    is_local_name = settings.domain == "localhost" or settings.domain.endswith(".localhost")
    return is_local_name or settings.host in ("loopback", "localhost") or is_loopback(settings.host)


def explain_local_links(settings: Settings) -> str:
    """Why links in e-mails are of no use to their readers; empty if they are, or if no e-mails are sent."""
    if not settings.smtp_host or not is_for_this_machine(settings):
        return ""
    return f"Links in e-mails lead to {base_url(settings)}, which works only on this machine."
