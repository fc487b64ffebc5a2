"""Runs commands as users do: a process, its exit code and its output."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.cli import main
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, ServicesOnly, clean_environment

Penstock = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def penstock(tmp_path: Path) -> Penstock:
    """`penstock("stacks", "--json", PENSTOCK_URL=…)`, in an empty folder."""

    def call(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PENSTOCK, *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**clean_environment(), **variables},
            timeout=PATIENCE,
        )

    return call


class Shell:
    """Commands in this process, on the services of a stack: fast, but nothing runs their jobs."""

    def __init__(self, services: ServicesOnly, capsys: pytest.CaptureFixture[str]) -> None:
        self.storage = services.service("storage")
        self.target = ("--url", f"http://127.0.0.1:{services.port}/_svc/storage", "--token", services.project.token)
        self._capsys = capsys

    def __call__(self, *arguments: str | Path, code: int = 0) -> str:
        """Its standard output; or, if it has to fail, its standard error."""
        self._capsys.readouterr()
        ended = main([*map(str, arguments), *self.target])
        said = self._capsys.readouterr()
        assert ended == code, said.err
        return said.err if code else said.out

    def json(self, *arguments: str | Path) -> Any:
        return json.loads(self(*arguments, "--json"))

    def configure(self, config_id: str, document: object = None, component: str = "ex-generic-v2") -> None:
        body = {"configurationId": config_id, "name": f"The {config_id}", "configuration": document or {}}
        response = self.storage.post(f"/v2/storage/components/{component}/configs", body)
        assert response.status == 201, response.text


@pytest.fixture
def shell(shared: ServicesOnly, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(shared, capsys)
