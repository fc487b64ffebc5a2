"""`penstock login`: links and personal access tokens, on a data folder whose stack does not run."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import penstock


def test_a_link_is_printed(new_data_folder: Path) -> None:
    where = ("--data-dir", str(new_data_folder))
    link = penstock("login", "link", *where)
    found = json.loads(penstock("login", "link", "--json", *where).stdout)

    assert link.stdout.startswith("http://management.penstock.localhost:8300/v1/auth/page/link?code=")
    assert found["email"] == "admin@penstock.localhost"
    unknown = penstock("login", "link", "--email", "nobody@example.com", *where)
    assert (unknown.returncode, unknown.stderr) == (1, "There is no user nobody@example.com.\n")


def test_personal_tokens_are_created_listed_and_revoked(new_data_folder: Path) -> None:
    where = ("--data-dir", str(new_data_folder))
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
