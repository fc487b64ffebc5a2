"""Addresses in e-mails and webhooks are those at which the stack answers."""

from __future__ import annotations

from penstock.services.notification.links import invitation_url, job_url, reset_url
from penstock.settings import Settings


def test_links_lead_to_the_connection_host_or_to_its_path_below_the_public_address() -> None:
    by_name, public = Settings(domain="stack.example", https=True), Settings(public_url="https://data.example/")

    assert job_url(by_name, 1, "7") == "https://connection.stack.example/admin/projects/1/queue/7"
    assert job_url(public, 1, "7") == "https://data.example/_svc/storage/admin/projects/1/queue/7"
    assert invitation_url(public, "x") == "https://data.example/_svc/storage/v1/auth/page/invitation?code=x"
    assert reset_url(by_name, "x") == "https://connection.stack.example/v1/auth/page/link?code=x"
