"""The story of a new stack: its administrator signs in with the link, creates a project and invites a guest, who reads
there and cannot write; then the project is disabled."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from tests.support.mail import MailServer
from tests.support.stacks import ONE_WORKER, RunningStack, wait_for

PASSWORD, GUEST = "correct horse battery", "guest@example.com"


@pytest.fixture
def mail() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@pytest.fixture
def stack(tmp_path: Path, mail: MailServer) -> Generator[RunningStack]:
    variables = mail.variables("stack@example.com")
    running = RunningStack(tmp_path / "data", *ONE_WORKER, variables=variables)
    yield running
    running.stop()


def test_a_guest_is_invited_reads_and_cannot_write_and_a_disabled_project_is_closed(
    stack: RunningStack, mail: MailServer
) -> None:
    address = stack.greeting["loginUrl"]
    base = address.partition("/_svc/")[0] + "/_svc/connection"
    with httpx.Client(base_url=base) as http:
        assert _set_password(address) == 303
        admin = _sign_in(http, "admin@penstock.localhost")
        assert _set_password(address) >= 400, "the link works once"

        made = http.post("/manage/organizations/1/projects", json={"name": "Second"}, headers=admin).json()
        invited = http.post(
            f"/manage/projects/{made['id']}/invitations", json={"email": GUEST, "role": "guest"}, headers=admin
        )
        assert invited.status_code == 201, invited.text
        letter = wait_for(lambda: next((each for each in mail.received if GUEST in each.to), None))
        [page] = re.findall(r"https?://[^/]+(/\S+invitation\?code=[\w-]+)", letter.text)
        assert _set_password(base + page) == 303

        guest = {**_sign_in(http, GUEST), "X-KBC-ProjectId": str(made["id"])}
        assert http.get("/v2/storage/buckets", headers=guest).json() == []
        refused = http.post("/v2/storage/buckets", json={"name": "mine", "stage": "in"}, headers=guest)
        assert (refused.status_code, '"guest"' in refused.json()["error"]) == (403, True)
        elsewhere = {**guest, "X-KBC-ProjectId": str(stack.greeting["projectId"])}
        assert http.get("/v2/storage/buckets", headers=elsewhere).status_code in (401, 403)

        body = {"isDisabled": True, "disableReason": "Not paid"}
        assert http.post(f"/manage/projects/{made['id']}/disabled", json=body, headers=admin).status_code == 200
        closed = http.get("/v2/storage/buckets", headers=guest)
        assert (closed.status_code, "Not paid" in closed.text) == (403, True)


def _set_password(link: str) -> int:
    """As the page behind a link does, in a new browser; the status of its form."""
    place, _, code = link.partition("?code=")
    with httpx.Client() as browser:
        browser.get(link)
        return browser.post(place, data={"code": code, "name": "Somebody", "password": PASSWORD}).status_code


def _sign_in(http: httpx.Client, email: str) -> dict[str, str]:
    body = {"grantType": "password", "email": email, "password": PASSWORD}
    response = http.post("/v1/auth/login", json=body)
    assert response.status_code == 200, response.text
    return {"Authorization": f"Bearer {response.json()['accessToken']}"}
