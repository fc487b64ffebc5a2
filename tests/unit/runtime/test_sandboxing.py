"""When a sandbox is required, and what is said where there is none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.runtime.sandboxing import SandboxRule, explain_missing, find_shortage
from tests.support.sandbox import NEEDS_SANDBOX, WITHOUT_NAMESPACES, bubblewrap_missing
from tests.support.views import ROOT


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    with bubblewrap_missing(tmp_path, monkeypatch):
        yield


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


@NEEDS_SANDBOX
def test_where_there_is_one_nothing_is_said() -> None:
    assert explain_missing("auto") == explain_missing("required") == ""


@pytest.mark.usefixtures("without_bubblewrap")
def test_a_stack_of_one_project_on_loopback_is_warned_and_any_other_is_told_that_its_jobs_are_refused() -> None:
    alone, shared = find_shortage(SandboxRule(), 1), find_shortage(SandboxRule(), 2)
    exposed = find_shortage(SandboxRule(host="0.0.0.0"), 1)

    assert alone
    assert shared
    assert exposed
    assert (alone.is_refused, shared.is_refused, exposed.is_refused) == (False, True, True)
    assert "it has 2 projects, which are to be kept apart" in shared.text
    assert "it listens on 0.0.0.0" in exposed.text
    assert "bubblewrap is not installed" in exposed.text
    assert exposed.fix.startswith("Install the package bubblewrap")


def test_where_the_kernel_refuses_namespaces_the_fix_is_a_step_and_not_a_package() -> None:
    script = """
from penstock.runtime.sandboxing import SandboxRule, find_shortage
shortage = find_shortage(SandboxRule(), 2)
print(shortage.text, "|", shortage.fix)
"""
    done = subprocess.run([*WITHOUT_NAMESPACES, sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    text, _, fix = done.stdout.partition(" | ")

    assert "bubblewrap may not make namespaces here" in text
    assert "Install" not in fix
    assert 'or set sandbox = "auto"' in fix
