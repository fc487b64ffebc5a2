"""Fixtures for tests of all services."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from argon2 import PasswordHasher

from penstock.services.login import passwords

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NOBODYS = QUICK.hash("the password of nobody")
OF_A_STACK = {name: getattr(passwords, name) for name in ("_hasher", "_NOBODYS")}


@pytest.fixture(autouse=True, scope="module")
def quick_hashes() -> Generator[None]:
    """Where passwords are not what is tested, to compute or compare a hash of one takes no 35 ms of processor time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", lambda: QUICK)
        patch.setattr(passwords, "_NOBODYS", NOBODYS)
        yield


@pytest.fixture
def hashes_of_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that is about them."""
    for name, value in OF_A_STACK.items():
        monkeypatch.setattr(passwords, name, value)
