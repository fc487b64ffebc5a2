"""Signing in is tried on both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from penstock.foundation import clock
from tests.unit.services.each_database import services, shared

__all__ = ["services", "shared"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Moves the clock on: `later(minutes=5)`."""

    def move(**how_much: float) -> None:
        now = clock.source
        monkeypatch.setattr(clock, "source", lambda: now() + timedelta(**how_much))

    return move
