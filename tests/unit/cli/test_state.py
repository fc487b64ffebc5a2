"""`penstock state`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.cli.conftest import Shell


def test_a_state_is_shown_replaced_and_emptied(shell: Shell, tmp_path: Path) -> None:
    shell.configure("loads")
    (tmp_path / "state.json").write_text('{"lastId": 5}')

    replaced = shell("state", "reset", "loads", "--set", tmp_path / "state.json")
    shown = shell("state", "show", "loads")
    emptied = shell("state", "reset", "loads")

    assert replaced == "The state of ex-generic-v2/loads is replaced.\n"
    assert json.loads(shown) == {"lastId": 5}
    assert emptied == "The state of ex-generic-v2/loads is empty.\n"
    assert shell.json("state", "show", "loads") == {"state": {}, "rows": {}}
    assert shell.json("configs", "show", "loads")["version"] == 1


def test_a_row_has_a_state_of_its_own(shell: Shell) -> None:
    shell.configure("with-rows")
    path = "/v2/storage/components/ex-generic-v2/configs/with-rows/rows"
    for row_id in ("orders", "users"):
        assert shell.storage.post(path, {"rowId": row_id, "state": {"of": row_id}}).status == 201

    shell("state", "reset", "with-rows", "--row", "orders")

    assert shell.json("state", "show", "with-rows")["rows"] == {"orders": {}, "users": {"of": "users"}}
    assert "has no row ordrs. Did you mean orders?" in shell("state", "show", "with-rows", "--row", "ordrs", code=1)
    shell("state", "reset", "with-rows")
    assert shell.json("state", "show", "with-rows")["rows"] == {"orders": {}, "users": {}}
