"""Addresses for people, as this stack is reached from outside."""

from __future__ import annotations

from urllib.parse import quote

from penstock.foundation.settings import Settings
from penstock.foundation.stack.public_links import base_url

DEVELOPER = "developer"


def job_url(settings: Settings, project_id: int, job_id: str) -> str:
    return f"{base_url(settings)}/admin/projects/{project_id}/queue/{job_id}"


def invitation_url(settings: Settings, code: str) -> str:
    """The page that accepts it."""
    return f"{_page_url(settings)}/invitation?code={code}"


def reset_url(settings: Settings, code: str) -> str:
    """The page that sets a password."""
    return f"{_page_url(settings)}/link?code={code}"


def confirmation_url(settings: Settings, email: str, code: str) -> str:
    """The page of the developer portal that confirms an address."""
    return f"{base_url(settings, DEVELOPER)}/auth/confirm/{quote(email, safe='')}/{code}"


def vendor_invitation_url(settings: Settings, vendor_id: str, email: str, code: str) -> str:
    return f"{base_url(settings, DEVELOPER)}/vendors/{vendor_id}/invitations/{quote(email, safe='')}/{code}"


def _page_url(settings: Settings) -> str:
    """Return the URL of Management, on the host of the console, to which its pages lead."""
    return f"{base_url(settings)}/v1/auth/page"
