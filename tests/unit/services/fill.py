"""Putting things into a stack that no route puts there: tables, events, jobs, another project."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, NamedTuple

from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.callers import Caller
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import NewEvent
from tests.support.stacks import ServicesOnly

_numbers = itertools.count(1)


class Project(NamedTuple):
    token: str
    caller: Caller


def add_project(services: ServicesOnly, name: str = "Another project") -> Project:
    with services.stack.database.writing() as tx:
        return Project(*storage.create_project(tx, name, "someone@else.example"))


def first_project(services: ServicesOnly) -> Project:
    token = services.project.token
    return Project(token, storage.authenticate(services.stack, token))


def load_table(
    services: ServicesOnly, table_id: str, csv: str | bytes, project: Project | None = None, **options: Any
) -> StoredTable:
    """Load a CSV text with a header, as a job would."""
    number = next(_numbers)
    file = Path(services.stack.folder) / f"to-load-{number}.csv"
    file.write_bytes(csv if isinstance(csv, bytes) else csv.encode())
    wanted: dict[str, Any] = {"id": f"load-{number}", "table_id": table_id, "file": file, **options}
    try:
        return storage.load_table(services.stack, (project or first_project(services)).caller, TableLoad(**wanted))
    finally:
        file.unlink()


def add_event(services: ServicesOnly, message: str, project: Project | None = None, **fields: Any) -> None:
    wanted: dict[str, Any] = {"message": message, "component": "ex-generic-v2", **fields}
    with services.stack.database.writing() as tx:
        storage.add_events(tx, (project or first_project(services)).caller, [NewEvent(**wanted)])
