"""`penstock keys`."""

from __future__ import annotations

import json

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_keys_are_rotated_while_the_stack_runs(penstock: Penstock, stack: RunningStack) -> None:
    folder = ("--data-dir", stack.folder)
    before = json.loads(penstock("keys", "list", "--json", *folder).stdout)
    rotated = penstock("keys", "rotate", *folder)
    after = json.loads(penstock("keys", "list", "--json", *folder).stdout)
    shown = penstock("keys", "list", *folder).stdout

    assert rotated.returncode == 0
    assert f"Made the key {after['keys'][0]['id']}." in rotated.stdout
    assert after["keys"][1:] == [{"id": key["id"], "isCurrent": False, "rows": 0} for key in before["keys"]]
    assert after["isRotated"]
    assert shown.splitlines()[1].split()[:2] == [after["keys"][0]["id"], "encrypts"]
    assert stack.run_job("sample-customers")["status"] == "success"
