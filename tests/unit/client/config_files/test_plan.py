"""What a pull or a push would do, for every state that a configuration can have."""

from __future__ import annotations

import pytest

from penstock.client.config_files.content import Content, Key
from penstock.client.config_files.folder import Base
from penstock.client.config_files.plan import Remote, plan_pull, plan_push

KEY = Key("component", "1")
OLD, MINE, THEIRS = (Content(name, "", False, {}) for name in ("old", "mine", "theirs"))
BASE = Base(1, OLD.digest)


@pytest.mark.parametrize(
    ("local", "remote", "base", "push", "pull"),
    [
        (OLD, Remote(1, OLD), BASE, None, None),
        (MINE, Remote(1, OLD), BASE, "update", "conflict"),
        (OLD, Remote(2, THEIRS), BASE, "behind", "update"),
        (MINE, Remote(2, THEIRS), BASE, "conflict", "conflict"),
        (MINE, Remote(2, MINE), BASE, None, None),
        (MINE, None, None, "create", None),
        (None, Remote(1, OLD), None, "behind", "create"),
        (MINE, Remote(1, OLD), None, "conflict", "conflict"),
        (OLD, Remote(1, OLD), None, None, None),
        (None, Remote(1, OLD), BASE, "delete", "conflict"),
        (None, Remote(2, THEIRS), BASE, "conflict", "conflict"),
        (OLD, None, BASE, "behind", "delete"),
        (MINE, None, BASE, "conflict", "conflict"),
    ],
)
def test_a_change_of_one_side_is_taken_and_one_of_both_is_a_conflict(
    local: Content | None, remote: Remote | None, base: Base | None, push: str | None, pull: str | None
) -> None:
    sides = {KEY: local} if local else {}, {KEY: remote} if remote else {}, {KEY: base} if base else {}

    assert [change.kind for change in plan_push(*sides)] == ([push] if push else [])
    assert [change.kind for change in plan_pull(*sides)] == ([pull] if pull else [])
