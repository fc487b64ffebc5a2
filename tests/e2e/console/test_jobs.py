"""Jobs, schedules, notifications and branches in the console."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser import Console, needs_chromium
from tests.support.stacks import RunningStack

pytestmark = needs_chromium


def test_jobs_are_filtered_and_the_address_keeps_the_filters(console: Console, stack: RunningStack) -> None:
    stack.run_job("sample-orders")
    page = console.open("queue")

    page.get_by_role("combobox", name="Status").click()
    page.get_by_role("option", name="success").click()
    page.get_by_role("combobox", name="Configuration").click()
    page.get_by_role("option", name="Sample: orders").click()
    page.get_by_role("combobox", name="Time").click()
    page.get_by_role("option", name="Last hour").click()
    expect(page.get_by_role("link", name="Sample: orders").first).to_be_visible()
    page.reload()

    expect(page.get_by_role("combobox", name="Configuration")).to_have_value("Sample: orders")
    expect(page.get_by_role("link", name="Sample: orders").first).to_be_visible()
    page.goto(re.sub("config=[^&]*", "config=no-such", page.url))
    expect(page.get_by_text("No job fits these filters")).to_be_visible()


def test_jobs_have_names_and_rows_and_those_of_a_flow_are_below_it(console: Console, stack: RunningStack) -> None:
    task = {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-orders", "mode": "run"}
    document = {"phases": [{"id": "p", "name": "P"}], "tasks": [{"id": "t", "name": "T", "phase": "p", "task": task}]}
    body = {"name": "The nightly flow", "configurationId": "nightly-names", "configuration": document}
    assert stack.storage.post("/v2/storage/components/keboola.flow/configs", body).status == 201
    flow = stack.run_job("nightly-names", component="keboola.flow")
    page = console.open("queue")

    rows = page.get_by_role("row")
    above = rows.filter(has=page.get_by_role("link", name=flow["id"], exact=True))
    expect(above.get_by_role("link", name="The nightly flow")).to_be_visible()
    below = rows.filter(has=page.get_by_role("link", name=flow["result"]["tasks"][0]["jobId"], exact=True))
    expect(below).to_contain_text("Sample: orders")
    expect(below).to_contain_text("rows")
    first, second = (each.get_by_role("link").first.bounding_box() or {} for each in (above, below))
    assert first["x"] < second["x"]
    assert first["y"] < second["y"]


def test_what_is_shown_stays_while_the_stack_is_away_and_comes_back_by_itself(
    console: Console, stack: RunningStack
) -> None:
    stack.run_job("sample-orders")
    page = console.open("queue")
    expect(page.get_by_role("table")).to_be_visible()
    page.route("**/_svc/**", lambda route: route.abort())
    expect(page.get_by_text("What is shown may be old")).to_be_visible()
    expect(page.get_by_role("table")).to_be_visible()
    page.unroute("**/_svc/**")
    page.get_by_role("button", name="Try again").click()

    expect(page.get_by_text("What is shown may be old")).to_have_count(0)
    console.errors.clear()  # the browser logs requests that were not answered


def test_a_report_has_the_rows_and_the_warnings_of_a_run(console: Console, stack: RunningStack) -> None:
    job = stack.run_job("sample-orders")["id"]
    message = "something looks strange"
    stack.storage.post("/v2/storage/events", {"message": message, "component": "x", "type": "warn", "runId": job})
    page = console.open(f"queue/{job}?tab=report")

    expect(page.get_by_text("2 warnings")).to_be_visible()  # the other: its last page is empty
    expect(page.get_by_role("listitem").filter(has_text=message)).to_be_visible()
    expect(page.get_by_text("Rows written").locator("..")).to_contain_text("1,502")


def test_a_running_extraction_shows_how_far_it_is(console: Console, stack: RunningStack) -> None:
    config = {"parameters": {"operation": "sleep", "timeout": 120}}
    body = {"component": "keboola.runner-config-test", "mode": "run", "configData": config}
    job = stack.queue.post("/jobs", body).json["id"]
    line = "In progress: 3 pages, 1,200 records so far, after 60 seconds. Requests: 4, bytes received: 120,000."
    for message in ("In progress: 1 pages, 5 records so far, after 30 seconds.", line):
        stack.storage.post("/v2/storage/events", {"message": message, "component": "ex-generic-v2", "runId": job})
    page = console.open(f"queue/{job}")

    so_far = page.locator("section").filter(has=page.get_by_role("heading", name="So far"))
    for name, value in {"Pages": "3", "Rows": "1,200", "Requests": "4", "Received": "120 kB"}.items():
        expect(so_far.get_by_text(name, exact=True).locator("..")).to_contain_text(value)
    page.get_by_role("button", name="Terminate").click()
    expect(page.get_by_text("terminated", exact=True).first).to_be_visible()
    expect(so_far).to_have_count(0)


def test_a_failed_job_is_explained_and_names_the_last_success(console: Console, stack: RunningStack) -> None:
    sample = {"api": {"baseUrl": "http://sample.penstock.localhost/"}}
    for endpoint in ("customers", "nowhere"):
        parameters = {**sample, "config": {"outputBucket": "told", "jobs": [{"endpoint": endpoint}]}}
        if endpoint == "customers":
            stack.configure(parameters, "to-explain")
        else:
            path = "/v2/storage/components/ex-generic-v2/configs/to-explain"
            assert stack.storage.put(path, {"configuration": {"parameters": parameters}}).status == 200
        job = stack.run_job("to-explain")["id"]
    page = console.open(f"queue/{job}")

    expect(
        page.get_by_text("Last success").locator("..").get_by_role("link", name=re.compile(r"job \d+"))
    ).to_be_visible()
    expect(page.get_by_role("link", name="Open it in the builder")).to_be_visible()
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_role("region", name="Explanation")).to_contain_text("404")


def test_the_overview_counts_rows_and_leads_to_what_failed(console: Console, stack: RunningStack) -> None:
    stack.run_job("sample-customers")
    page = console.open()

    rows = page.get_by_role("table", name="Numbers of: Rows loaded by day, in 14 days")
    expect(rows.get_by_role("cell").last).not_to_have_text("0")
    page.get_by_text("Jobs failed in 14 days").locator("..").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"queue\?status=error"))
    page.go_back()
    expect(page.locator(".chart svg")).to_have_count(2)  # drawn again, with what is known already


def test_a_schedule_is_chosen_in_words_and_changed(console: Console) -> None:
    page = console.open("automation")
    page.get_by_role("button", name="New schedule").click()
    page.get_by_role("combobox", name="Configuration").click()
    page.get_by_role("option", name="Sample: customers").click()
    page.get_by_role("combobox", name="How often").click()
    page.get_by_role("option", name="Every week").click()
    page.get_by_label("At", exact=True).fill("18:45")
    page.get_by_role("combobox", name="Time zone").fill("Europe/Prague")
    expect(page.get_by_label("Cron")).to_have_value("45 18 * * 1")
    page.get_by_role("button", name="Create").click()

    row = page.get_by_role("row", name="Sample: customers")
    expect(row).to_contain_text("every Monday at 18:45")
    row.get_by_role("button", name="Edit").click()
    page.get_by_label("Cron").fill("*/20 * * * *")
    expect(page.get_by_role("status").filter(has_text="every 20 minutes")).to_be_visible()
    page.get_by_role("switch", name="On").press("Space")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(row).to_contain_text("every 20 minutes")
    expect(row).to_contain_text("disabled")
    row.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete the schedule").click()
    expect(row).to_have_count(0)


def test_a_notification_of_one_configuration_is_made_and_changed(console: Console) -> None:
    page = console.open("automation?tab=notifications")
    page.get_by_role("button", name="New notification").click()
    page.get_by_role("combobox", name="Only of this configuration").click()
    page.get_by_role("option", name="Sample: orders").click()
    page.get_by_label("Address").fill("ops@example.com")
    page.get_by_role("button", name="Create").click()

    expect(page.get_by_role("row", name="ops@example.com")).to_contain_text("job.configuration.id == sample-orders")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Address").fill("others@example.com")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("row", name="others@example.com")).to_contain_text("a job fails")
    expect(page.get_by_role("row", name="ops@example.com")).to_have_count(0)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete the notification").click()
    expect(page.get_by_text("Nobody is notified")).to_be_visible()


def test_a_branch_has_its_own_configurations_and_jobs(console: Console, stack: RunningStack) -> None:
    page = console.open()
    page.get_by_role("button", name="Branch: Main").click()
    page.get_by_role("menuitem", name="New branch…").click()
    page.get_by_label("Name").fill("Cheaper <b>")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("note")).to_contain_text("You are in the branch Cheaper <b>")

    page.get_by_role("link", name="Jobs", exact=True).click()
    expect(page.get_by_text("No job has run yet")).to_be_visible()
    page.get_by_role("link", name="Configurations", exact=True).click()
    page.get_by_role("link", name="Sample: customers").click()
    expect(page).to_have_url(re.compile(r"/branch/\d+/components/"))
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("success", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name=re.compile(r"in\.c-\d+-sample\.customers$"))).to_be_visible()

    page.get_by_role("button", name="Branch: Cheaper").click()
    page.get_by_role("menuitem", name="Delete this branch…").click()
    page.get_by_role("button", name="Delete the branch").click()
    expect(page.get_by_role("button", name="Branch: Main")).to_be_visible()
    assert [each["name"] for each in stack.storage.get("/v2/storage/dev-branches").json] == ["Main"]
    console.errors.clear()  # what the screen of the deleted branch asked for


def test_an_address_of_a_branch_that_is_not_there_says_so(console: Console) -> None:
    page = console.open("branch/987654/storage")

    expect(page.get_by_text("There is no such branch")).to_be_visible()
    page.get_by_role("link", name="Go to Main").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    console.errors.clear()
