from __future__ import annotations

import pytest

from penstock.services.storage.routes import jobs


@pytest.fixture
def answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new job is answered at once: where no worker runs, waiting for it takes seconds and brings nothing."""
    monkeypatch.setattr(jobs, "SHORT_SECONDS", 0.0)
