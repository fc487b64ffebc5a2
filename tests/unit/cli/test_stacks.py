"""`penstock stacks`."""

from __future__ import annotations

import json
from pathlib import Path

from penstock.foundation.files import locks
from penstock.server.running import Running, remember
from tests.unit.cli.conftest import Penstock


def test_the_shipped_catalogue_holds_five_placeholders(penstock_process: Penstock) -> None:
    listed = json.loads(penstock_process("stacks", "--json").stdout)

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


def test_the_running_stack_comes_first(penstock: Penstock, tmp_path: Path) -> None:
    note = Running(
        storage_url="http://127.0.0.1:8300/_svc/storage", queue_url="", portal_url="", project_id=1, token="t", pid=1
    )
    remember(tmp_path, note)
    lock = locks.try_to_hold(tmp_path / "up.lock")
    assert lock
    with lock:
        listed = json.loads(penstock("stacks", "--json", "--data-dir", tmp_path).stdout)
        first = penstock("stacks", "--data-dir", tmp_path).stdout.splitlines()[1]

    assert (listed[0]["isRunning"], listed[0]["storageHost"], len(listed)) == (True, "127.0.0.1:8300", 6)
    assert first.split()[:3] == ["(running)", "penstock.localhost", "127.0.0.1:8300"]
    assert "(running)" not in penstock("stacks", "--data-dir", tmp_path).stdout
