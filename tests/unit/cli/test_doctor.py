"""`penstock doctor`."""

from __future__ import annotations

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from penstock.cli.doctor import folder, machine
from penstock.foundation import clock, locks
from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def findings(output: str) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in json.loads(output)["checks"]}


def test_a_running_stack_is_healthy(penstock: Penstock, stack: RunningStack) -> None:
    port = stack.greeting["storageUrl"].split(":")[2].split("/")[0]

    ended = penstock("doctor", "--json", "--data-dir", stack.folder, "--port", port)

    found = findings(ended.stdout)
    assert ended.returncode == 0, ended.stdout
    assert found["stack"]["text"].startswith(f"answers at {stack.greeting['storageUrl']}")
    assert f"held by the stack of this folder (process {stack.process.pid})" in found["port"]["text"]
    assert {found[name]["state"] for name in ("format", "key", "DuckDB", "SQLite", "clock", "disk space")} == {"ok"}


def test_a_machine_without_a_stack_is_healthy_too(penstock: Penstock) -> None:
    ended = penstock("doctor", "--port", "0")

    assert ended.returncode == 0
    assert "note   data folder" in ended.stdout
    assert "`penstock up` makes it" in ended.stdout


def test_what_is_wrong_comes_with_its_fix_and_an_exit_code(penstock: Penstock, new_data_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = penstock("doctor", "--data-dir", new_data_folder, "--port", port)

    assert ended.returncode == 1
    assert f"wrong  port         Port {port} is taken by process" in ended.stdout
    assert "penstock up --port N" in ended.stdout


def test_a_stack_that_does_not_answer_is_wrong(penstock: Penstock, tmp_path: Path) -> None:
    dead = "http://127.0.0.1:1/_svc/storage"
    greeting = {"storageUrl": dead, "queueUrl": dead, "portalUrl": dead, "projectId": 1, "token": "t"}
    (tmp_path / "running.json").write_text(json.dumps({**greeting, "pid": os.getpid()}))
    lock = locks.try_to_hold(tmp_path / "up.lock")

    ended = penstock("doctor", "--json", "--data-dir", tmp_path, "--port", "0")
    assert lock
    lock.close()

    assert ended.returncode == 1
    assert "does not answer" in findings(ended.stdout)["stack"]["text"]


@pytest.mark.parametrize(("number", "state"), [("1", "note"), ("2", "ok"), ("999", "wrong"), ("x", "wrong")])
def test_a_format_is_compared_with_ours(tmp_path: Path, number: str, state: str) -> None:
    (tmp_path / "format").write_text(number)

    assert folder.check_format(tmp_path).state == state


def test_a_key_that_others_can_read_is_wrong(tmp_path: Path) -> None:
    key = tmp_path / "key"
    assert folder.check_key(key).state == "wrong"

    key.write_text("bm90IGEga2V5\n")
    key.chmod(0o644)
    assert folder.check_key(key).fix == f"chmod 600 {key}"

    key.chmod(0o600)
    assert "does not hold a key" in folder.check_key(key).text


def test_a_data_folder_that_is_a_file_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.touch()

    assert folder.check_folder(file).is_wrong
    assert folder.check_folder(tmp_path).state == "ok"


def test_what_is_too_old_is_wrong() -> None:
    assert machine.check_python((3, 10, 9)).is_wrong
    assert machine.check_sqlite((3, 31, 1)).is_wrong
    assert machine.check_platform("win32").is_wrong


def test_a_clock_that_went_back_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "metadata.sqlite").touch()
    assert machine.check_clock(tmp_path).state == "ok"

    monkeypatch.setattr(clock, "source", lambda: datetime(2025, 6, 1, tzinfo=UTC))
    assert "was written" in machine.check_clock(tmp_path).text

    monkeypatch.setattr(clock, "source", lambda: datetime(1970, 1, 1, tzinfo=UTC))
    assert "before Penstock was written" in machine.check_clock(tmp_path).text
