"""Components on a data folder: tables and a configuration in; exit code, lines and tables out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from penstock.components.command import build_command
from penstock.components.component import Component
from penstock.components.program import Data, run_program
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.process import Process
from tests.support.patience import PATIENCE


@dataclass(frozen=True)
class Finished:
    folder: Path
    code: int
    lines: list[str]
    """What it said on standard output."""
    errors: str

    @property
    def all_output(self) -> str:
        return "\n".join([*self.lines, self.errors])

    def text(self, name: str) -> str:
        return (self.folder / "out" / name).read_text()

    def rows(self, table: str) -> list[list[str]]:
        return list(csv.reader(io.StringIO(self.text(f"tables/{table}"), newline="")))

    def names(self) -> list[str]:
        return sorted(file.name for file in (self.folder / "out" / "tables").iterdir())


class Trial:
    """A data folder to fill, and a component to run in it, started as a worker starts it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tables: dict[str, str] = {}
        self._manifests: dict[str, dict[str, Any]] = {}
        self._files: dict[str, tuple[bytes, dict[str, Any]]] = {}
        self.state: dict[str, Any] = {}

    def add_table(self, name: str, text: str, **manifest: Any) -> None:
        self._tables[name] = text
        self._manifests[name] = {"id": f"in.c-main.{name}", **manifest}

    def add_file(self, name: str, content: bytes, **manifest: Any) -> None:
        self._files[name] = (content, manifest)

    def run(self, component: Component, document: dict[str, Any], environment: Mapping[str, str] = {}) -> Finished:
        folder = self._prepare(document)
        lines: list[str] = []
        known = {"KBC_DATADIR": str(folder), "KBC_PROJECTID": "1", "KBC_COMPONENTID": component.id, "KBC_RUNID": "7"}
        process = Process(build_command(component), folder, {**known, **environment}, lines.append)
        ended = process.wait(PATIENCE)
        assert ended, "The component did not end in time."
        return Finished(folder, ended.exit_code, lines, ended.errors)

    def call(
        self, work: Callable[[Data], None], document: dict[str, Any], environment: Mapping[str, str] = {}
    ) -> Finished:
        """The work of a component in this process: starting one takes longer than most of what is tried in it."""
        folder = self._prepare(document)
        said, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(errors):
            for name, value in {"KBC_DATADIR": str(folder), **environment}.items():
                patch.setenv(name, value)
            code = run_program(work)
        said.seek(0)
        return Finished(folder, code, said.read().splitlines(), errors.getvalue())

    def _prepare(self, document: dict[str, Any]) -> Path:
        data = DataFolder(self._path)
        data.prepare(document, self.state)
        for name, text in self._tables.items():
            (self._path / "in" / "tables" / name).write_text(text, newline="")
            (self._path / "in" / "tables" / f"{name}.manifest").write_text(json.dumps(self._manifests[name]))
        for name, (content, manifest) in self._files.items():
            (self._path / "in" / "files" / name).write_bytes(content)
            (self._path / "in" / "files" / f"{name}.manifest").write_text(json.dumps(manifest))
        return self._path
