"""Signing in is tried on both databases."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from penstock.foundation import clock
from penstock.services.management.login import passwords
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import services, shared

__all__ = ["services", "shared"]

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True, scope="module")
def quick_hashes(request: pytest.FixtureRequest) -> Generator[None]:
    """Where passwords are not what is tested, a hash of one takes no 25 ms of processor time."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.module.__name__.endswith("test_passwords"):
            patch.setattr(passwords, "_hasher", lambda: QUICK)
        yield


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
