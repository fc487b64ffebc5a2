"""Addresses for people, as this stack is reached from outside."""

from __future__ import annotations

from penstock.foundation.settings import HTTPS_PORT, Settings
from penstock.foundation.stacks import STORAGE, service_host


def job_url(settings: Settings, project_id: int, job_id: str) -> str:
    return f"{_base_url(settings)}/admin/projects/{project_id}/queue/{job_id}"


def invitation_url(settings: Settings, code: str) -> str:
    """The code is in the fragment, which browsers do not send: so it is in no log of a server."""
    return f"{_base_url(settings)}/admin/invitations#{code}"


def _base_url(settings: Settings) -> str:
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = service_host(STORAGE, settings.domain)
    if settings.https:
        return f"https://{host}" if settings.https_port == HTTPS_PORT else f"https://{host}:{settings.https_port}"
    return f"http://{host}:{settings.port}"
