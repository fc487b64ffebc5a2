"""A first day with an unknown API, in the shell alone: from its address to a table that is kept up to date."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.command import run_command
from tests.support.stacks import RunningStack, clean_environment

PAGE, ORDERS = 100, 250
SHOP = "first-day"


class Shop:
    """An API whose pages hold at most a hundred orders, whatever the client asks for."""

    def __init__(self, api: Api) -> None:
        self.url = f"{api.url}/v1/orders"
        self.orders = [{"id": number, "state": "new", "updated_at": "2026-11-01"} for number in range(1, ORDERS + 1)]
        api.on("/v1/orders", self._respond)

    def _respond(self, seen: Seen) -> Response:
        start, limit = int(seen.params.get("offset", 0)), min(int(seen.params.get("limit", 50)), PAGE)
        return Response.json({"orders": self.orders[start : start + limit], "total": len(self.orders)})


class Shell:
    def __init__(self, stack: RunningStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder

    def __call__(self, *words: str, code: int = 0, is_local: bool = False) -> str:
        """What a command prints, errors included."""
        target = () if is_local else ("--data-dir", str(self._stack.folder))
        done = run_command(*words, *target, folder=self._folder, environment=clean_environment())
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def edit(self, name: str, config: str, **changes: Any) -> None:
        """Change settings of the pagination, or of the job, in the file and in the stack."""
        document = json.loads((self._folder / name).read_text())
        parameters = document["parameters"]
        for key, value in changes.items():
            section = parameters["api"]["pagination"] if key == "limit" else parameters["config"]["jobs"][0]
            section[key] = value
        (self._folder / name).write_text(json.dumps(document))
        self("configs", "edit", config, "--file", name)


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        yield api


@pytest.fixture
def shell(stack: RunningStack, tmp_path: Path) -> Shell:
    return Shell(stack, tmp_path)


def test_from_an_address_to_a_table_that_is_kept_up_to_date(api: Api, shell: Shell, tmp_path: Path) -> None:
    shop = Shop(api)

    proposed = shell("new", shop.url, "--output", "shop.json", is_local=True)
    assert "read all 250 records" in proposed
    shell("configs", "create", "shop.json", "--id", SHOP)
    assert "success" in shell("configs", "run", SHOP)
    table = next(line.split()[0] for line in shell("tables", "list").splitlines() if SHOP in line)
    assert "updated_at" in shell("tables", "preview", table, "--limit", "3")
    assert count(shell, table) == ORDERS

    # A page larger than the API gives: the run ends after the first page, and says why.
    shell.edit("shop.json", SHOP, limit=500)
    warned = shell("configs", "run", SHOP)
    assert "warning" in warned
    assert "total" in warned
    assert "250" in warned
    assert "limit" in warned
    assert count(shell, table) == PAGE

    # Fixed, and from now on rows are replaced by their key.
    shell.edit("shop.json", SHOP, limit=PAGE, primaryKey=["id"], incremental=True)
    shell("tables", "delete", table)
    shell("configs", "run", SHOP)
    shop.orders[0]["state"] = "paid"
    shop.orders.append({"id": ORDERS + 1, "state": "new", "updated_at": "2026-11-02"})
    assert "warning" not in shell("configs", "run", SHOP)

    shell("tables", "download", table, "orders.csv")
    rows = {row["id"]: row["state"] for row in csv.DictReader(io.StringIO((tmp_path / "orders.csv").read_text()))}
    assert len(rows) == ORDERS + 1
    assert (rows["1"], rows["2"], rows["251"]) == ("paid", "new", "new")


def count(shell: Shell, table: str) -> int:
    return json.loads(shell("tables", "show", table, "--json"))["rowsCount"]
