"""`penstock stacks`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.cli.conftest import Penstock


def test_the_shipped_catalogue_holds_five_placeholders(penstock: Penstock) -> None:
    listed = json.loads(penstock("stacks", "--json").stdout)

    assert [(stack["region"], stack["provider"]) for stack in listed] == [
        ("US Virginia", "provider 1"),
        ("EU Frankfurt", "provider 1"),
        ("EU Ireland", "provider 2"),
        ("EU Frankfurt", "provider 3"),
        ("US Virginia", "provider 3"),
    ]
    assert all(stack["isPlaceholder"] and stack["tenancy"] == "multi-tenant" for stack in listed)


def test_a_catalogue_of_ones_own_replaces_it(penstock: Penstock, tmp_path: Path) -> None:
    (tmp_path / "penstock.toml").write_text('[[stacks]]\nname = "mine"\ndomain = "stack.test"\ncustomer = "acme"\n')

    ended = penstock("stacks")

    assert len(ended.stdout.splitlines()) == 2
    assert ended.stdout.splitlines()[1].split() == ["mine", "stack.test", "single-tenant", "connection.acme.stack.test"]
    assert ended.stderr == ""


def test_placeholders_are_marked_and_explained(penstock: Penstock) -> None:
    ended = penstock("stacks")

    assert ended.stdout.count("placeholder") == 5
    assert "[[stacks]] in penstock.toml" in ended.stderr
