"""Addresses for people, as this stack is reached from outside."""

from __future__ import annotations

from penstock.foundation.settings import HTTPS_PORT, Settings
from penstock.foundation.stacks import STORAGE, service_host


def job_url(settings: Settings, project_id: int, job_id: str) -> str:
    return f"{_base_url(settings)}/admin/projects/{project_id}/queue/{job_id}"


def invitation_url(settings: Settings, code: str) -> str:
    """The page that accepts it."""
    return f"{_page_url(settings)}/invitation?code={code}"


def reset_url(settings: Settings, code: str) -> str:
    """The page that sets a password."""
    return f"{_page_url(settings)}/link?code={code}"


def _page_url(settings: Settings) -> str:
    """Of Management, on the host of the console, to which its pages lead."""
    return f"{_base_url(settings)}/v1/auth/page"


def _base_url(settings: Settings) -> str:
    if settings.public_url:
        return f"{settings.public_url.rstrip('/')}/_svc/{STORAGE}"
    host = service_host(STORAGE, settings.domain)
    if settings.https:
        return f"https://{host}" if settings.https_port == HTTPS_PORT else f"https://{host}:{settings.https_port}"
    return f"http://{host}:{settings.port}"
