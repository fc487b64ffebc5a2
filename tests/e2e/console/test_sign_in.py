"""Signing in to the console: with the first link, a password, a second factor, single sign-on; and signing out."""

from __future__ import annotations

import time
from collections.abc import Generator

import pyotp
import pytest
from playwright.sync_api import Browser, Request, expect

from tests.e2e.console.people import ADMIN, PASSWORD, PeopleStack, add_person, enter, open_console, sign_in, sign_out
from tests.e2e.console.qr import read_qr
from tests.support.browser import Console, needs_chromium
from tests.support.http import Http

pytestmark = needs_chromium


@pytest.fixture
def tab(browser: Browser, people: PeopleStack) -> Generator[Console]:
    console = open_console(browser, people.stack)
    yield console
    console.page.context.close()
    assert console.errors == []


def test_the_link_that_the_first_start_prints_leads_to_a_password_and_into_the_console(people: PeopleStack) -> None:
    address, project = people.landed

    assert address == f"{people.stack.greeting['consoleUrl']}/projects/{people.stack.greeting['projectId']}"
    assert project == "My project"


def test_a_used_link_says_so(tab: Console, people: PeopleStack) -> None:
    tab.page.goto(people.stack.greeting["loginUrl"])

    expect(tab.page.get_by_text("This link was used before")).to_be_visible()
    tab.errors.clear()


def test_a_password_signs_in_by_host_name_and_signing_out_revokes(browser: Browser, people: PeopleStack) -> None:
    """Other services are on other hosts then."""
    port = people.stack.greeting["storageUrl"].split(":")[2].partition("/")[0]
    tab = open_console(browser, people.stack)
    tab.base = f"http://connection.penstock.localhost:{port}/admin"
    sent: list[str] = []
    tab.page.on("request", lambda request: sent.append(_bearer(request)))
    page = sign_in(tab, path="queue")
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()

    page.reload()
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    # The session, and that somebody has signed in here before.
    cookies = page.context.cookies()
    assert [(cookie.get("httpOnly"), cookie.get("sameSite")) for cookie in cookies] == [(True, "Lax")] * 2
    token = next(each for each in reversed(sent) if each)
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage]) + document.cookie + location.href")
    assert "kbc_" not in kept

    client = Http(people.stack.greeting["storageUrl"], headers={"Authorization": f"Bearer {token}"})
    assert client.get("/v1/auth/me").status == 200
    sign_out(page)
    assert client.get("/v1/auth/me").status == 401
    page.reload()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert tab.errors == []
    page.context.close()


def _bearer(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def test_a_wrong_password_is_refused_with_the_sentence_of_the_server(tab: Console) -> None:
    tab.go("")
    enter(tab.page, ADMIN, "a wrong password")

    expect(tab.page.get_by_role("alert")).to_contain_text("password")
    assert tab.page.get_by_role("textbox", name="E-mail address").input_value() == ADMIN
    tab.errors.clear()


def test_a_session_that_was_ended_elsewhere_leads_to_the_sign_in(tab: Console) -> None:
    page = sign_in(tab)
    page.context.clear_cookies()
    page.reload()

    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


@pytest.mark.parametrize(("status", "times"), [(0, 1), (503, 2)])
def test_a_stack_that_fails_for_a_moment_signs_nobody_out(tab: Console, status: int, times: int) -> None:
    """What the page asks for again is shown, without a reload."""
    page = sign_in(tab)
    busy = {"error": "The stack is busy."}
    page.route(
        "**/v1/auth/session/token",
        lambda route: route.fulfill(status=status, json=busy) if status else route.abort(),
        times=times,
    )
    page.reload()

    expect(page.get_by_test_id("project")).to_have_text("My project")
    tab.errors.clear()  # the request that failed


def test_a_sign_out_that_fails_says_so_and_forgets_nothing(tab: Console) -> None:
    page = sign_in(tab)
    busy = {"error": "The stack is busy."}
    page.route("**/v1/auth/session/end", lambda route: route.fulfill(status=503, json=busy), times=1)
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Sign out").click()

    expect(page.get_by_text("The stack is busy.")).to_be_visible()
    expect(page.get_by_test_id("project")).to_be_visible()
    sign_out(page)
    tab.errors.clear()  # the request that failed


def test_a_tab_is_loaded_again_when_another_person_signs_in_beside_it(
    browser: Browser, tab: Console, people: PeopleStack
) -> None:
    add_person(browser, people, "beside@example.com").page.context.close()
    page = sign_in(tab)
    beside = page.context.new_page()
    beside.goto(page.url)
    sign_out(beside)
    enter(beside, "beside@example.com")
    expect(beside.get_by_test_id("project")).to_have_text("My project")

    with page.expect_event("load"):
        page.get_by_role("link", name="Jobs", exact=True).click()
    page.get_by_role("button", name="Your account").click()
    expect(page.get_by_text("A person", exact=True)).to_be_visible()
    tab.errors.clear()  # the requests that were refused


def test_single_sign_on_leads_to_the_screen_that_was_asked_for(browser: Browser, people: PeopleStack) -> None:
    email = "sso@example.com"
    known = {"email": email, "email_verified": True, "name": "Ann of <b>SSO</b>"}
    assert Http(people.provider).put(f"/users/{email}", known).status == 204
    tab = open_console(browser, people.stack)
    page = tab.page
    page.route("**/*.css", lambda route: route.abort() if "jsdelivr" in route.request.url else route.continue_())
    tab.go("components/ex-generic-v2/sample-customers")
    page.get_by_role("link", name="Sign in with single sign-on").click()
    page.get_by_placeholder("sub").fill(email)
    page.get_by_role("button", name="Authorize").click()

    expect(page.get_by_role("heading", name="Sample: customers")).to_be_visible()
    page.get_by_role("button", name="Your account").click()
    expect(page.get_by_text("Ann of <b>SSO</b>")).to_be_visible()
    page.context.close()


def test_a_second_factor_is_enabled_asked_for_and_disabled(browser: Browser, people: PeopleStack) -> None:
    email = "careful@example.com"
    page = add_person(browser, people, email).page
    page.goto(f"{people.stack.greeting['consoleUrl']}/account")
    page.get_by_role("button", name="Enable").click()
    app = pyotp.TOTP(page.get_by_test_id("factor-key").inner_text())
    scanned = read_qr(page.locator("svg[aria-label='QR code of the key'] path").get_attribute("d") or "")
    assert pyotp.parse_uri(scanned).at(0) == app.at(0)  # pyright: ignore[reportAttributeAccessIssue]
    page.get_by_role("textbox", name="Code").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("not valid").or_(page.get_by_text("wrong"))).to_be_visible()
    page.get_by_role("textbox", name="Code").fill(app.at(int(time.time())))
    page.get_by_role("button", name="Confirm").click()
    recovery = page.get_by_test_id("recovery-codes").inner_text().split()
    assert len(recovery) == 8
    page.get_by_role("button", name="I have kept them").click()
    page.get_by_role("button", name="Sign out", exact=True).click()

    enter(page, email)
    page.get_by_role("textbox", name="Code").fill("nonsense")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert", name="The code is wrong")).to_be_visible()
    page.get_by_role("textbox", name="Code").fill(app.at(int(time.time()) + 30))
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_role("heading", name="Account")).to_be_visible()
    page.get_by_role("textbox", name="Code").fill(recovery[0])
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_role("button", name="Enable")).to_be_visible()
    page.context.close()


def test_a_personal_token_is_shown_once_works_and_is_revoked(tab: Console, people: PeopleStack) -> None:
    page = sign_in(tab)
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Account").click()
    page.get_by_role("button", name="New token").click()
    page.get_by_label("Description").fill("nightly report")
    page.get_by_label("It reads, and changes nothing").check()
    page.get_by_role("button", name="Create").click()
    token = page.get_by_test_id("new-token").inner_text()
    page.get_by_role("button", name="Done").click()

    project = str(people.stack.greeting["projectId"])
    client = Http(
        people.stack.greeting["storageUrl"],
        headers={"Authorization": f"Bearer {token}", "X-KBC-ProjectId": project},
    )
    assert client.get("/v2/storage/buckets").status == 200
    portal = page.context.new_page()
    portal.goto(f"{people.stack.greeting['portalUrl']}/?service=storage#list_buckets")
    portal.get_by_label("X-StorageApi-Token").fill(token)
    portal.get_by_label("X-KBC-ProjectId").fill(project)
    portal.get_by_role("button", name="Send").click()
    expect(portal.get_by_role("status", name="Response")).to_contain_text("Response 200")
    assert token not in page.content()
    row = page.get_by_role("row", name="nightly report")
    expect(row).to_contain_text("read")
    row.get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert client.get("/v2/storage/buckets").status == 401


def test_the_password_is_changed_and_signing_out_everywhere_ends_other_browsers(
    browser: Browser, tab: Console, people: PeopleStack
) -> None:
    other = open_console(browser, people.stack)
    page = sign_in(tab)
    page.goto(f"{tab.base}/account")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password").fill("short")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("12", exact=False).filter(has_text="characters").last).to_be_visible()
    page.get_by_label("New password").fill(f"{PASSWORD} again")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("The password was changed")).to_be_visible()
    page.get_by_label("Current password").fill(f"{PASSWORD} again")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("The password was changed")).to_have_count(2)

    sign_in(other, path="queue")
    page.reload()
    expect(page.get_by_role("table", name="Sign-ins")).to_contain_text("this one")
    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    other.page.reload()
    expect(other.page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    other.page.context.close()
    tab.errors.clear()  # the short password


def test_a_new_project_is_made_and_projects_are_switched_without_signing_in(tab: Console) -> None:
    page = sign_in(tab)
    page.get_by_test_id("project").click()
    page.get_by_role("menuitem", name="New project").click()
    page.get_by_label("Name").fill("Second <b>project</b>")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_test_id("project")).to_have_text("Second <b>project</b>")
    page.get_by_role("link", name="Storage").click()
    expect(page.get_by_role("heading", name="Storage", level=1)).to_be_visible()
    expect(page.get_by_text("in.c-sample")).to_have_count(0)

    page.get_by_test_id("project").click()
    page.get_by_role("menuitem", name="My project").click()
    expect(page.get_by_test_id("project")).to_have_text("My project")


def test_an_address_of_a_project_of_others_says_so(tab: Console) -> None:
    sign_in(tab)
    tab.page.goto(f"{tab.base}/projects/77777/queue")

    expect(tab.page.get_by_role("heading", name="You are not a member of project 77777")).to_be_visible()
    tab.page.get_by_role("link", name="My project").click()
    expect(tab.page.get_by_test_id("project")).to_have_text("My project")
