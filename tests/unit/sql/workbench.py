"""A workspace with project tables, for tests of the engine."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from penstock.foundation.lake import Column, CsvSource, LakeTable, Load, load_csv
from penstock.foundation.stack import Stack
from penstock.foundation.text.quoting import folded
from penstock.sql import Engines, Names, Outcome, Page, Statement, TableLink, Workspace

_NUMBERS = itertools.count(1)
BUCKET = "in.c-main"


class Workbench:
    def __init__(self, stack: Stack, engines: Engines, folder: Path, project_id: int = 1) -> None:
        self.stack, self.engines, self._folder = stack, engines, folder
        number = next(_NUMBERS)
        self.workspace = Workspace(project_id, number, f"WORKSPACE_{number}", f"KBC_{project_id}")
        self.links: dict[str, TableLink] = {}
        self.asked: list[Names] = []
        self.last_id = ""

    def run(self, sql: str, **options: Any) -> Outcome:
        self.last_id = options.pop("id", f"s{next(_NUMBERS)}")
        options = {"dialect": "duckdb", **options}
        with self.engines.open(self.workspace) as engine:
            return engine.execute(Statement(id=self.last_id, sql=sql, **options), self.find_tables)

    def page(self, offset: int = 0, limit: int = 1000) -> Page:
        with self.engines.open(self.workspace) as engine:
            return engine.page(self.last_id, offset, limit)

    def rows(self, sql: str, **options: Any) -> list[list[str | None]]:
        self.run(sql, **options)
        return self.page().rows

    def find_tables(self, names: Names) -> Sequence[TableLink]:
        self.asked.append(names)
        wanted = {folded(each.name) for each in names.tables if each.schema == BUCKET}
        return [link for link in self.links.values() if names.all or folded(link.name) in wanted]

    def load(
        self, name: str, rows: list[list[str]], types: tuple[Column, ...] = (), key: str = "", **options: Any
    ) -> LakeTable:
        """Load rows, the first of which has the names of the columns, to a table of the project."""
        number = next(_NUMBERS)
        file = self._folder / f"{number}.csv"
        with file.open("w", newline="") as target:
            csv.writer(target).writerows(rows)
        source = CsvSource(paths=(file,), columns=tuple(rows[0]), has_header=True)
        table = LakeTable(self.workspace.id + 1000, name)
        load = Load(id=str(number), source=source, types=types, primary_key=(key,) if key else (), **options)
        load_csv(self.stack.lake, table, load)
        self.links[name] = TableLink(
            schema=BUCKET, name=name, table=table, columns=types or tuple(Column(each) for each in rows[0])
        )
        return table
