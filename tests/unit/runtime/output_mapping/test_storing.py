"""What a component left, on its way to storage."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import TableLoad
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.output_mapping import store
from penstock.runtime.output_mapping.plans import Plan
from penstock.runtime.port import Port


class Killed(Exception):
    """The job is to stop."""


class Untouched:
    """A port that nobody may use."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was called after the job was killed")


def _kill() -> None:
    raise Killed


def test_a_run_that_is_to_stop_checks_no_table_and_no_file_any_more(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    table = TableLoad(id="1", file=folder.path / "t.csv", table_id="in.c-main.t")
    file = OutputFile(name="f", path=folder.path / "f")

    for plan in (Plan(tables=[table]), Plan(files=[file])):
        with pytest.raises(Killed):
            store(cast(Port, Untouched()), folder, plan, check_stopped=_kill)
