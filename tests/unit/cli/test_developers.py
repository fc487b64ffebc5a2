"""`penstock developers`."""

from __future__ import annotations

import json
import re

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_an_account_is_created_listed_without_its_password_and_removed(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)
    made = penstock("developers", "create", "boss", "--admin", "--description", "setup", *where)
    listed = penstock("developers", "list", *where).stdout
    again = penstock("developers", "create", "boss", "--admin", *where)
    removed = penstock("developers", "remove", "boss", *where)

    assert re.fullmatch(r"[0-9a-f]{60}", made.stdout.strip())
    assert "setup" in listed
    assert made.stdout.strip() not in listed
    assert (again.returncode, again.stderr) == (1, 'The account "boss" exists already. Choose another id.\n')
    assert removed.stdout == "The account boss no longer works.\n"
    assert "boss" not in [
        each["username"] for each in json.loads(penstock("developers", "list", "--json", *where).stdout)
    ]


def test_what_is_wrong_with_an_account_is_said(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)

    assert "Name one with --vendor" in penstock("developers", "create", "nobody", *where).stderr
    assert 'There is no vendor "none".' in penstock("developers", "create", "x", "--vendor", "none", *where).stderr
    assert 'There is no account "nobody".' in penstock("developers", "remove", "nobody", *where).stderr
