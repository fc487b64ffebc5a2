"""A port to a real Storage, and what a run does with it."""

from __future__ import annotations

import csv
import io
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation.callers import Caller
from penstock.runtime import input_mapping, output_mapping
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.input_mapping import Fetched
from penstock.runtime.output_mapping import Stored
from penstock.services.queue.execution.storage_port import Maker, StoragePort
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project

BRANCH = 777
numbers = itertools.count(1)


def port_of(shared: ServicesOnly, branch_id: int | None = None, **changes: Any) -> StoragePort:
    caller: Caller = msgspec.structs.replace(first_project(shared).caller, **changes)
    if branch_id:
        caller = msgspec.structs.replace(caller, branch_id=branch_id)
    return StoragePort(
        shared.stack, caller, Maker(component_id="my.component", run_id="55", config_id="c1", row_id="r1")
    )


def fetch(port: StoragePort, folder: DataFolder, remembered: dict[str, Any] | None = None, **wanted: Any) -> Fetched:
    return input_mapping.fetch(port, folder, wanted, remembered or {})


def read_csv(file: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(file.read_text(), newline="")))


def store(
    port: StoragePort, folder: DataFolder, files: dict[str, Any], load_id: str | None = None, **output: Any
) -> Stored:
    """Write what a component would, then map it. A folder of slices is a dictionary."""
    for name, content in files.items():
        path = folder.path / "out" / name
        if isinstance(content, dict) and not name.endswith(".manifest"):
            path.mkdir()
            for slice_name, data in content.items():
                (path / slice_name).write_bytes(data)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
    defaults = output_mapping.Defaults(load_id=load_id or f"job-{next(numbers)}-0", default_bucket="in.c-default")
    return output_mapping.store(port, folder, output_mapping.plan(folder, output, defaults))


def metadata_of(http: Http, table_id: str) -> dict[tuple[str, str], str]:
    items = http.get(f"/tables/{table_id}/metadata").json
    return {(item["provider"], item["key"]): item["value"] for item in items}
