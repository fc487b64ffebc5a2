"""People of a project in the console: invited, changed, removed; what guests see; usage and the audit log."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.console.people import (
    PeopleStack,
    add_person,
    as_admin,
    as_person,
    invite,
    open_console,
    set_password,
    sign_in,
    sign_out,
)
from tests.e2e.console.test_screens import EVIL, look, settle
from tests.support.browser import Console, find_violations, needs_chromium
from tests.support.http import Http

pytestmark = needs_chromium

SCREENS = {"people": "people", "usage": "usage", "not-a-member": "../77777/queue", "account": "../../account"}


@pytest.fixture
def tab(browser: Browser, people: PeopleStack) -> Generator[Console]:
    console = open_console(browser, people.stack)
    yield console
    console.page.context.close()
    assert console.errors == []


def test_a_guest_is_invited_sees_cannot_write_gets_another_role_and_is_removed(
    browser: Browser, tab: Console, people: PeopleStack
) -> None:
    page, email = sign_in(tab, path="people"), "guest@example.com"
    invite(page, email, "Guest")
    guest = open_console(browser, people.stack)
    theirs = guest.page
    set_password(theirs, people.invitation_of(email), "A guest")
    expect(theirs.get_by_test_id("project")).to_have_text("My project")

    theirs.get_by_role("link", name="People").click()
    expect(theirs.get_by_role("heading", name="People", level=1)).to_be_visible()
    expect(theirs.get_by_text("Your role does not see the people of this project")).to_be_visible()
    settle(theirs)
    expect(theirs.get_by_role("alert")).to_have_count(0)
    expect(theirs.get_by_role("button", name="Invite")).to_have_count(0)
    guest.go("components/ex-generic-v2/sample-customers")
    expect(theirs.get_by_role("button", name="Run", exact=True)).to_have_attribute("aria-disabled", "true")
    guest.go("usage")
    settle(theirs)

    page.reload()
    page.get_by_role("combobox", name=f"Role of {email}").click()
    page.get_by_role("option", name="Share: everything").click()
    expect(page.get_by_role("combobox", name=f"Role of {email}")).to_have_value("Share: everything, and shares buckets")
    guest.go("people")
    expect(theirs.get_by_role("button", name="Invite")).to_be_visible()

    page.get_by_role("button", name=f"Remove {email}").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("row", name=email)).to_have_count(0)
    theirs.reload()
    expect(theirs.get_by_role("heading", name="You are not a member of project")).to_be_visible()
    theirs.goto(people.stack.greeting["consoleUrl"])
    expect(theirs.get_by_role("heading", name="You are in no project yet")).to_be_visible()
    theirs.context.close()


def test_what_a_member_has_made_is_shown_when_she_is_removed_and_can_be_revoked(
    browser: Browser, tab: Console, people: PeopleStack
) -> None:
    email, admin, project = "maker@example.com", as_admin(people), people.stack.greeting["projectId"]
    add_person(browser, people, email).page.context.close()
    assert admin.patch(f"/manage/projects/{project}/users/{email}", json={"role": "admin"}).status_code == 200
    made = as_person(people, email).post(f"/manage/projects/{project}/tokens", json={"description": "nightly load"})
    assert made.status_code == 201, made.text
    program = Http(people.stack.storage.base, made.json()["token"])
    page = sign_in(tab, path="people")
    page.get_by_role("button", name=f"Remove {email}").click()
    page.get_by_role("button", name="Remove", exact=True).click()

    left = page.get_by_role("table", name="Tokens made for programs")
    expect(left.get_by_role("row", name="nightly load")).to_be_visible()
    expect(page.get_by_text("They still work.")).to_be_visible()
    assert find_violations(page, "made-tokens") == []
    assert program.get("/v2/storage/tokens/verify").status == 200
    page.get_by_role("button", name="Revoke nightly load").click()
    expect(left.get_by_role("row", name="nightly load")).to_contain_text("revoked")
    assert program.get("/v2/storage/tokens/verify").status == 401


def test_an_invitation_is_refused_twice_shown_as_text_and_cancelled(tab: Console) -> None:
    page = sign_in(tab, path="people")
    invite(page, "later@example.com", "Read only")
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("textbox", name="E-mail address").fill("later@example.com")
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("alert").filter(has_text="invited").first).to_be_visible()
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Cancel the invitation of later@example.com").click()
    expect(page.get_by_role("row", name="later@example.com")).to_have_count(0)
    tab.errors.clear()  # the second invitation


def test_who_asks_to_join_is_accepted(browser: Browser, tab: Console, people: PeopleStack) -> None:
    """A member of the organization sees the project, and is not in it yet."""
    email, admin = "colleague@example.com", as_admin(people)
    organization = admin.get("/manage/organizations").json()[0]["id"]
    admin.patch(f"/manage/organizations/{organization}", json={"allowAutoJoin": False})
    project = people.stack.greeting["projectId"]
    theirs = add_person(browser, people, email).page
    assert admin.delete(f"/manage/projects/{project}/users/{email}").status_code == 204
    added = admin.post(f"/manage/organizations/{organization}/users", json={"email": email})
    assert added.status_code == 201, added.text

    theirs.goto(f"{people.stack.greeting['consoleUrl']}/projects/{project}/queue")
    theirs.get_by_role("button", name="Ask to join").click()
    expect(theirs.get_by_text("see your request now")).to_be_visible()
    page = sign_in(tab, path="people")
    page.get_by_role("button", name=f"Accept {email}").click()
    expect(page.get_by_role("table", name="Members").get_by_role("row", name=email)).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    theirs.context.close()


def test_who_cannot_ask_is_told_to_be_invited_and_members_of_an_open_organization_join_at_once(
    browser: Browser, people: PeopleStack
) -> None:
    email, admin, project = "outside@example.com", as_admin(people), people.stack.greeting["projectId"]
    page = add_person(browser, people, email).page
    assert admin.delete(f"/manage/projects/{project}/users/{email}").status_code == 204
    refused = {"error": "There is no such project for you."}
    page.route("**/request-access", lambda route: route.fulfill(status=404, json=refused))
    page.goto(f"{people.stack.greeting['consoleUrl']}/projects/{project}/queue")
    page.get_by_role("button", name="Ask to join").click()
    expect(page.get_by_role("alert")).to_contain_text("There is no such project for you.")
    expect(page.get_by_text("Tell an administrator of the project to invite")).to_be_visible()

    organization = admin.get("/manage/organizations").json()[0]["id"]
    admin.patch(f"/manage/organizations/{organization}", json={"allowAutoJoin": True})
    assert admin.post(f"/manage/organizations/{organization}/users", json={"email": email}).status_code == 201
    page.reload()
    page.get_by_role("button", name="Join it as an administrator").click()
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    page.context.close()


def test_who_only_reads_queries_in_an_own_workspace(browser: Browser, people: PeopleStack) -> None:
    for each in people.stack.storage.get("/v2/storage/workspaces").json:
        people.stack.storage.delete(f"/v2/storage/workspaces/{each['id']}")
    console = add_person(browser, people, "reader@example.com")
    console.go("sql")
    console.write("SQL", "SELECT 'read' AS found")
    console.page.get_by_role("button", name="Run").click()
    expect(console.page.get_by_role("table", name="Result")).to_contain_text("read")
    console.page.context.close()


def test_a_component_is_registered_by_a_person_and_a_try_that_failed_is_continued(
    tab: Console, people: PeopleStack
) -> None:
    services = people.stack.storage.get("/v2/storage?exclude=components").json["services"]
    developer = next(each["url"] for each in services if each["id"] == "developer")
    assert as_admin(people).post(f"{developer}/vendors", json={"id": "orbit", "name": "Orbit"}).status_code == 201
    page = sign_in(tab, path="components")
    page.get_by_role("button", name="Add a component").click()
    expect(page.get_by_text("penstock components init")).to_be_visible()
    page.get_by_role("tab", name="Register or upload").click()
    expect(page.get_by_text("Signed in as Root.")).to_be_visible()
    assert find_violations(page, "add-component") == []
    wanted = {"Vendor": "orbit", "Id": "ex-weather", "Name": "Weather", "Image": "docker.io/orbit/ex", "Tag": "1.0.0"}
    for name, value in wanted.items():
        page.get_by_role("textbox", name=name, exact=True).fill(value)
    busy = {"errorMessage": "The stack is busy."}
    page.route("**/publish", lambda route: route.fulfill(status=503, json=busy), times=1)
    page.get_by_role("button", name="Add the component").click()
    expect(page.get_by_text("The stack is busy.")).to_be_visible()
    page.get_by_role("button", name="Add the component").click()

    expect(page.get_by_role("heading", name="Weather", level=1)).to_be_visible()
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("row", name="1.0.0").first).to_contain_text("current")
    tab.errors.clear()  # the first publication


def test_usage_is_charted_listed_and_downloaded(tab: Console, people: PeopleStack) -> None:
    people.stack.run_job("sample-customers")
    page = sign_in(tab, path="usage")

    row = page.get_by_role("table", name="Usage", exact=True).get_by_role("row", name="Sample: customers")
    expect(row).to_contain_text("Generic")
    expect(page.get_by_label("Credits by day and component", exact=True)).to_contain_text("ex-generic-v2")
    page.get_by_text("Day", exact=True).click()
    expect(page.get_by_role("table", name="Usage", exact=True).get_by_role("row")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("day,component,configuration,kind,")
    assert any("ex-generic-v2,sample-customers,job" in line for line in lines[1:])


def test_the_audit_log_says_who_did_what_and_is_filtered(tab: Console, people: PeopleStack) -> None:
    evil = EVIL[0]
    assert people.stack.storage.post("/v2/storage/tokens", {"description": evil}).status == 201
    page = sign_in(tab, path="secrets")
    page.get_by_role("tab", name="Audit log").click()
    log = page.get_by_role("table", name="Audit log")

    expect(log.get_by_role("row", name="token created").first).to_contain_text(f"token “{evil}”")
    page.get_by_role("combobox", name="What").click()
    page.get_by_role("option", name="members").click()
    expect(log.get_by_role("row", name="token created")).to_have_count(0)
    page.get_by_role("textbox", name="Who").fill("nobody at all")
    expect(page.get_by_text("Nothing was recorded")).to_be_visible()
    for _ in range(51):
        people.stack.storage.post("/v2/storage/tokens", {"description": "one of many"})
    page.get_by_role("textbox", name="Who").fill("")
    page.get_by_role("combobox", name="What").click()
    page.get_by_role("option", name="tokens").click()
    expect(log.get_by_role("row")).to_have_count(51)
    page.get_by_role("button", name="More").click()
    expect(log.get_by_role("row").nth(52)).to_be_visible()


def test_names_of_people_and_projects_are_shown_as_they_are_written(tab: Console, people: PeopleStack) -> None:
    admin, page = as_admin(people), tab.page
    page.add_init_script("window.alert = () => { window.wasCalled = true; }")
    users = [f"evil{number}@example.com" for number in range(len(EVIL))]
    project = people.stack.greeting["projectId"]
    for email, name in zip(users, EVIL, strict=True):
        assert (
            admin.post(f"/manage/projects/{project}/users", json={"email": email, "role": "guest"}).status_code == 204
        )
        assert admin.put(f"/manage/users/{email}", json={"name": name}).status_code == 200
    sign_in(tab, path="people")

    for name in EVIL:
        expect(page.get_by_role("table", name="Members")).to_contain_text(name)
    assert page.evaluate("window.wasCalled") is None
    assert page.locator("#root img, #root script").count() == 0


def test_the_screens_of_people_are_accessible_and_fit_a_phone(tab: Console) -> None:
    page = sign_in(tab)
    found = {name: look(tab, f"person-{name}", path) for name, path in SCREENS.items()}
    tab.go("secrets")
    page.get_by_role("tab", name="Audit log").click()
    expect(page.get_by_role("table", name="Audit log")).to_be_visible()
    found["audit log"] = find_violations(page, "audit-log")
    page.get_by_test_id("project").click()
    expect(page.get_by_role("menuitem", name="My project")).to_be_visible()
    found["switcher"] = find_violations(page, "switcher")
    page.keyboard.press("Escape")
    sign_out(page)

    assert {name: problems for name, problems in found.items() if problems} == {}
    tab.errors.clear()  # of a project of others


PLACES = {
    "components/ex-generic-v2/sample-customers": "Run",
    "components/configurations": "New configuration",
    "automation": "New schedule",
    "flows": "New flow",
    "secrets": "New variable",
}


@pytest.mark.parametrize(("role", "may"), [("guest", False), ("readOnly", False), ("share", True), ("admin", True)])
def test_what_a_role_may_not_do_is_disabled_with_the_reason(
    browser: Browser, people: PeopleStack, role: str, may: bool
) -> None:
    email = f"{role.lower()}.acts@example.com"
    member = add_person(browser, people, email, role)
    for place, name in PLACES.items():
        member.go(place)
        button = member.page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible()
        if may:
            expect(button).not_to_have_attribute("aria-disabled", "true")
        else:
            expect(button).to_have_attribute("title", re.compile("Your role in this project only reads"))
            button.click(force=True)
            expect(member.page.get_by_role("dialog")).to_have_count(0)
    member.page.context.close()
