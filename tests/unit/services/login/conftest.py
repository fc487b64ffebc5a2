"""Signing in is tried on both databases."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path

import pytest

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import services, shared

__all__ = ["services", "shared"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Moves the clock on: `later(minutes=5)`."""

    def move(**how_much: float) -> None:
        now = clock.source
        monkeypatch.setattr(clock, "source", lambda: now() + timedelta(**how_much))

    return move


@pytest.fixture
def services_behind_proxy(new_data_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    """A stack that believes what 127.0.0.1 says of its clients."""
    shutil.copytree(new_data_folder, tmp_path / "proxied")
    stack = ServicesOnly(tmp_path / "proxied", trusted_proxies=["127.0.0.1"])
    yield stack
    stack.close()
