"""When a sandbox is required, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.runtime import isolation
from penstock.runtime.sandboxing import SandboxRule, explain_missing


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setenv("PATH", str(tmp_path))
    isolation.find_bubblewrap.cache_clear()
    yield
    isolation.find_bubblewrap.cache_clear()


@pytest.mark.parametrize(
    ("setting", "host", "projects", "mode"),
    [
        (None, "loopback", 1, "auto"),
        (None, "127.0.0.1", 1, "auto"),
        (None, "::1", 1, "auto"),
        (None, "loopback", 2, "required"),
        (None, "0.0.0.0", 1, "required"),
        (None, "::", 1, "required"),
        (None, "stack.example.com", 1, "required"),
        ("auto", "0.0.0.0", 2, "auto"),
        ("off", "0.0.0.0", 2, "off"),
        ("required", "loopback", 1, "required"),
    ],
)
def test_it_is_required_where_others_come_in_unless_the_setting_says_otherwise(
    setting: str | None, host: str, projects: int, mode: str
) -> None:
    rule = SandboxRule(setting=setting, host=host)

    assert rule.find_mode(projects) == mode
    assert bool(rule.find_reason(projects)) == (mode == "required")


@pytest.mark.usefixtures("without_bubblewrap")
def test_a_missing_sandbox_is_explained() -> None:
    assert explain_missing("auto").startswith("Components run without a sandbox: bubblewrap is not installed")
    assert "nothing holds back what they reach over the network" in explain_missing("auto")
    assert explain_missing("off").startswith('Components run without a sandbox: the setting sandbox is "off".')


@pytest.mark.skipif(isolation.find_bubblewrap() is None, reason="bubblewrap is not installed, or not usable here")
def test_where_there_is_one_nothing_is_said() -> None:
    assert explain_missing("auto") == explain_missing("required") == ""
