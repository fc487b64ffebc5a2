"""A stack with e-mail and single sign-on, its first administrator, and what people do in a browser to sign in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Console, new_page
from tests.support.mail import MailServer
from tests.support.stacks import ONE_WORKER, RunningStack, wait_for

PASSWORD, ADMIN = "correct horse battery", "admin@penstock.localhost"


@dataclass
class PeopleStack:
    stack: RunningStack
    mail: MailServer
    provider: str
    landed: list[str] = field(default_factory=list)
    """Where the link of the first start led to."""

    def invitation_of(self, email: str) -> str:
        """The link in the last e-mail. Its port is the one of the settings, which is any in tests."""
        received = wait_for(lambda: [each for each in self.mail.received if email in each.to])
        [path] = re.findall(r"https?://[^/]+(/v1/auth/\S+invitation\?code=[\w-]+)", received[-1].text)
        return self.stack.greeting["storageUrl"] + path


def start_stack(folder: Path, mail: MailServer, provider: str) -> RunningStack:
    oidc = {"ISSUER": provider, "CLIENT_ID": "penstock", "CLIENT_SECRET": "secret", "AUTO_JOIN": "guest"}
    single_sign_on = {f"PENSTOCK_OIDC_{name}": value for name, value in oidc.items()}
    variables = {**mail.variables("stack@example.com"), **single_sign_on}
    return RunningStack(folder, *ONE_WORKER, variables=variables)


def open_console(browser: Browser, stack: RunningStack) -> Console:
    """A browser of its own, in which nobody has signed in."""
    return Console(new_page(browser), stack)


def set_password(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Save").click()


def as_admin(people: PeopleStack) -> httpx.Client:
    return as_person(people, ADMIN)


def as_person(people: PeopleStack, email: str) -> httpx.Client:
    client = httpx.Client(base_url=people.stack.greeting["storageUrl"])
    body = {"grantType": "password", "email": email, "password": PASSWORD}
    token = client.post("/v1/auth/login", json=body).json()["accessToken"]
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def add_person(browser: Browser, people: PeopleStack, email: str, role: str = "guest") -> Console:
    """A member of the first project, in a browser of its own, who has just accepted the invitation."""
    path = f"/manage/projects/{people.stack.greeting['projectId']}/invitations"
    invited = as_admin(people).post(path, json={"email": email, "role": role})
    assert invited.status_code == 201, invited.text
    console = open_console(browser, people.stack)
    set_password(console.page, people.invitation_of(email), "A person")
    expect(console.page.get_by_test_id("project")).to_have_text("My project")
    return console


def enter(page: Page, email: str, password: str = PASSWORD) -> None:
    """The form of the sign-in, which is shown."""
    page.get_by_role("textbox", name="E-mail address").fill(email)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_in(console: Console, email: str = ADMIN, path: str = "") -> Page:
    console.go(path)
    enter(console.page, email)
    expect(console.page.get_by_test_id("project")).to_have_text("My project")
    return console.page


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def invite(page: Page, email: str, role: str) -> None:
    """On the screen of people."""
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("textbox", name="E-mail address").fill(email)
    page.get_by_role("combobox", name="Role", exact=True).click()
    page.get_by_role("option", name=role).click()
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("table", name="Invitations").get_by_role("row", name=email)).to_be_visible()
