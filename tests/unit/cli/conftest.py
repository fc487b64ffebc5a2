"""Runs commands, and returns their exit code and output: in this process, or as users do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from penstock.cli import main
from tests.support.command import run_command
from tests.support.stacks import ServicesOnly, clean_environment

Penstock = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def penstock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Penstock:
    """`penstock("stacks", "--json", PENSTOCK_URL=…)`, in an empty folder and in this process: a new one would import
    everything again, for a second or more. `penstock_process` shows, once for each command, that it makes no
    difference."""

    def call(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        given = [*map(str, arguments)]
        capsys.readouterr()
        with monkeypatch.context() as patch, _same_signals():
            patch.chdir(tmp_path)
            _replace_environment(patch, {**clean_environment(), **variables})
            code = _run(given)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(given, code, said.out, said.err)

    return call


def _run(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as end:  # of argparse: --help, or a mistake
        return int(end.code or 0)


@contextmanager
def _same_signals() -> Generator[None]:
    """Commands set handlers that are right until their process ends."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _replace_environment(patch: pytest.MonkeyPatch, wanted: Mapping[str, str]) -> None:
    for name in os.environ.keys() - wanted.keys():
        patch.delenv(name)
    for name, value in wanted.items():
        patch.setenv(name, value)


@pytest.fixture
def penstock_process(tmp_path: Path) -> Penstock:
    """The same as a process of its own."""

    def call(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return run_command(*arguments, folder=tmp_path, environment={**clean_environment(), **variables})

    return call


class Shell:
    """Commands in this process, on the services of a stack: fast, but nothing runs their jobs."""

    def __init__(self, services: ServicesOnly, capsys: pytest.CaptureFixture[str]) -> None:
        self.storage, self.queue = services.service("storage"), services.service("queue")
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
