"""Every operation has a title that is a verb phrase."""

from __future__ import annotations

import pytest

from penstock.foundation.callers import Right
from penstock.web.requests import Request
from penstock.web.routing import get
from penstock.web.titles import make_title
from tests.unit.services.test_descriptions import SERVICES, operations

VERBS = (
    "Accept Acknowledge Activate Add Answer Approve Assign Authorize Cancel Change Charge Check Clone Close "
    "Compare Complete Compute Confirm Copy Count Create Decline Delete Deprecate Describe Disable Download Drop "
    "Encrypt End Estimate Exchange Explain Export Find Generate Get Import Invite Join Let List Load Make Merge "
    "Migrate Move Open Optimize Pause Plan Prepare Preview Publish Pull Purge Push Read Rebase Reconnect Refresh "
    "Register Reject Remove Rename Replace Request Require Reset Resolve Restore Retry Revoke Roll Run Save "
    "Schedule Search Send Set Share Show Sign Start Stop Store Stream Submit Suggest Swap Test Update Upload "
    "Validate Verify Withdraw Write"
)
"""Add the verb of a new operation."""
MAX_CHARACTERS = 75


@pytest.mark.parametrize("service", SERVICES)
def test_every_title_begins_with_a_verb_and_says_what_it_is_about(service: str) -> None:
    titles = {row["summary"] for _, row in operations(SERVICES[service].specify("https://example.test"))}

    assert sorted(title for title in titles if title.split()[0] not in VERBS.split() or len(title.split()) < 2) == []
    assert sorted(title for title in titles if title.endswith(".") or len(title) > MAX_CHARACTERS) == []


def get_user(_request: Request) -> None: ...


def list_table_events(_request: Request) -> None: ...


def add_unit(_request: Request) -> None: ...


def test_a_title_is_made_of_the_name_of_the_handler() -> None:
    rows = [get("/", handler, needs=Right.PUBLIC) for handler in (get_user, list_table_events, add_unit)]

    assert [make_title(row) for row in rows] == ["Get a user", "List table events", "Add a unit"]


def test_a_row_has_its_own_title() -> None:
    row = get("/", get_user, needs=Right.PUBLIC, title="Show who is signed in")

    assert make_title(row) == "Show who is signed in"
