"""Runs commands as users do: a process, its exit code and its output."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, clean_environment

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
