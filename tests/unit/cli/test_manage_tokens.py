"""`penstock manage-tokens`."""

from __future__ import annotations

import json

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_a_manage_token_is_printed_alone_listed_without_its_secret_and_revoked(
    penstock: Penstock, stack: RunningStack
) -> None:
    where = ("--data-dir", stack.folder)
    made = penstock("manage-tokens", "create", "--scope", "oauth:manage", "--description", "setup", *where)
    kind, number, secret = made.stdout.strip().split("-")
    listed = penstock("manage-tokens", "list", *where).stdout
    revoked = penstock("manage-tokens", "revoke", number, *where)

    assert kind == "manage"
    assert "setup" in listed
    assert "oauth:manage" in listed
    assert secret not in listed
    assert revoked.stdout == f"Manage token {number} no longer works.\n"
    found = json.loads(penstock("manage-tokens", "list", "--json", *where).stdout)
    assert int(number) not in [each["id"] for each in found]


def test_what_is_wrong_with_a_manage_token_is_said(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)

    assert "Name one with --scope, or a user with --user." in penstock("manage-tokens", "create", *where).stderr
    assert (
        "Use one of: billing:manage, oauth:manage"
        in penstock("manage-tokens", "create", "--scope", "all", *where).stderr
    )
    assert "There is no manage token 999999." in penstock("manage-tokens", "revoke", "999999", *where).stderr


def test_a_manage_token_of_a_user_has_no_scopes(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)
    made = penstock("manage-tokens", "create", "--user", "admin@penstock.localhost", *where)
    both = penstock("manage-tokens", "create", "--user", "admin@penstock.localhost", "--scope", "super", *where)

    assert made.stdout.startswith("manage-")
    assert "Drop --scope or --user." in both.stderr
    assert (
        "There is no user nobody@example.com."
        in penstock("manage-tokens", "create", "--user", "nobody@example.com", *where).stderr
    )
