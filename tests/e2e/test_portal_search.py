"""The search of the portal in a real browser: what people type finds the operation that they mean, as the first one."""

from __future__ import annotations

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import DESK, build_console, needs_chromium, new_page, open_browser
from tests.support.stacks import RunningStack

pytestmark = needs_chromium

PHRASES = {
    "upload csv": "import#write_table",
    "create job": "queue#create_job",
    "run a component": "sync-actions#run_action",
    "run job": "queue#create_job",
    "stop job": "queue#terminate_job",
    "kill job": "queue#terminate_job",
    "list buckets": "storage#list_buckets",
    "create bucket": "storage#create_bucket",
    "delete bucket": "storage#delete_bucket",
    "create typed table": "storage#define_table",
    "delete table": "storage#delete_table",
    "preview table": "storage#preview_table",
    "export table": "storage#export_table",
    "download table": "storage#read_file",
    "upload file": "import#upload_file",
    "list files": "storage#list_files",
    "list jobs": "queue#list_jobs",
    "search jobs": "queue#search_jobs",
    "get job": "queue#get_job",
    "job status": "queue#get_job",
    "create configuration": "storage#create_configuration",
    "edit config": "storage#update_configuration",
    "rollback configuration": "storage#roll_back",
    "restore configuration": "storage#restore_configuration",
    "versions of a configuration": "storage#list_versions",
    "run sql": "query#submit_query",
    "sql query": "query#submit_query",
    "query results": "query#get_results",
    "create workspace": "storage#create_workspace",
    "encrypt secret": "encryption#encrypt",
    "create variable": "vault#create_variable",
    "delete variable": "vault#delete_variable",
    "create schedule": "scheduler#activate",
    "list schedules": "scheduler#list_schedules",
    "create token": "storage#create_token",
    "verify token": "storage#verify_token",
    "revoke token": "storage#revoke_token",
    "share bucket with organization": "storage#share_with_organization",
    "add column": "storage#add_column",
    "drop column": "storage#drop_column",
    "primary key": "storage#add_key",
    "invite user to project": "management#post_manage_projects_project_id_invitations",
    "create project": "management#create_project",
    "list events": "storage#list_events",
    "list event log": "storage#list_events",
    "create branch": "storage#create_branch",
    "explain failure": "ai#explain_job",
    "create subscription": "notification#create_subscription",
    "usage": "billing#read_usage",
    "balance of credits": "billing#read_credits",
    "list oauth credentials": "oauth#list_of_component",
    "sign in": "management#log_in",
    "create snapshot": "storage#take_snapshot",
    "swap tables": "storage#swap_tables",
    "delete rows": "storage#delete_rows",
    "table metadata": "storage#list_table_metadata",
    "queue kill": "queue#terminate_job",
    "list components": "storage#list_components",
}
"""The operation that is first, by what is typed."""


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    build_console()
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser) -> Generator[Page]:
    page = new_page(browser, DESK)
    yield page
    page.context.close()


def go(page: Page, stack: RunningStack, address: str) -> None:
    page.goto(f"{stack.greeting['portalUrl']}/{address}")


def test_what_people_type_finds_what_they_mean(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=vault")
    for phrase, operation in PHRASES.items():
        page.get_by_role("searchbox").fill(phrase)
        first = page.locator(".portal-operations a").first
        expect(first, phrase).to_have_attribute("href", re.compile(re.escape(f"?service={operation}") + "$"))


def test_operations_are_grouped_by_resource_and_twins_are_folded(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=storage#list_buckets")
    navigation = page.get_by_role("navigation", name="Operations")

    buckets = navigation.get_by_role("group").filter(has=page.get_by_text("Buckets", exact=False).first)
    expect(buckets.get_by_role("link", name="List buckets").first).to_be_visible()
    expect(navigation.locator("a[href*='in_branch']")).to_have_count(0)
    page.get_by_role("link", name="/v2/storage/branch/{branch}/buckets", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("List buckets in a branch")
    page.get_by_role("link", name="/v2/storage/buckets", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("List buckets")


def test_parameters_and_fields_say_what_they_mean(stack: RunningStack, page: Page) -> None:
    go(page, stack, "?service=storage#create_bucket")

    expect(page.get_by_text("in for data that is loaded, out for data that is computed.")).to_be_visible()
    go(page, stack, "?service=storage#preview_table")
    expect(page.get_by_text("Only rows that were changed before this time")).to_be_visible()
