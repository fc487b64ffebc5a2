"""What a run must not tell."""

from __future__ import annotations

from pathlib import Path

from tests.support.api import Api
from tests.support.extraction import run_extraction


def test_a_password_in_an_address_that_a_function_makes_is_not_logged(tmp_path: Path):
    with Api() as api:
        api.on("/users", {"items": [{"id": 1}]})
        address = {"function": "concat", "args": ["http://bob:hunter2-secret@", {"attr": "server"}, "/"]}
        config = {"debug": True, "server": api.url.removeprefix("http://"), "jobs": [{"endpoint": "users"}]}
        log = run_extraction({"api": {"baseUrl": address}, "config": config}, tmp_path / "out").log

    assert api.seen[0].headers["authorization"].startswith("Basic ")
    assert "hunter2" not in log
    assert api.seen[0].headers["authorization"].removeprefix("Basic ") not in log
