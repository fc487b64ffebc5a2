"""`penstock login`: links and personal access tokens, and the link that a new stack prints."""

from __future__ import annotations

import json

from tests.support.http import Http
from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_a_link_is_printed(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)
    link = penstock("login", "link", *where)
    found = json.loads(penstock("login", "link", "--json", *where).stdout)

    shown = stack.greeting["loginUrl"].partition("?")[0]
    assert link.stdout.partition("?")[0] == shown
    assert shown.endswith("/v1/auth/page/link")
    assert Http(found["loginUrl"]).send("GET", "?" + found["loginUrl"].partition("?")[2]).status == 200
    assert found["email"] == "admin@penstock.localhost"
    unknown = penstock("login", "link", "--email", "nobody@example.com", *where)
    assert (unknown.returncode, unknown.stderr) == (1, "There is no user nobody@example.com.\n")


def test_personal_tokens_are_created_listed_and_revoked(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)
    made = penstock("login", "create-token", "--description", "script", "--read-only", "--project", "1", *where)
    assert made.stdout.startswith("kbc_pat_")
    number = made.stdout.split("_")[2]

    listed = penstock("login", "tokens", *where).stdout
    assert number in listed
    assert made.stdout.strip() not in listed
    assert penstock("login", "revoke-token", number, *where).returncode == 0
    assert number not in penstock("login", "tokens", *where).stdout
    assert f"There is no personal access token {number}." in penstock("login", "revoke-token", number, *where).stderr
    assert "not a member of the project 99" in penstock("login", "create-token", "--project", "99", *where).stderr
    assert "expiresIn" in penstock("login", "create-token", "--expires-in", "0", *where).stderr
