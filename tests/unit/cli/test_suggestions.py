"""Suggestions for mistyped commands, actions and names."""

from __future__ import annotations

import pytest

from penstock.cli import main
from penstock.cli.suggestions import suggest


def test_the_nearest_names_are_suggested_whatever_their_case() -> None:
    assert suggest("ordrs", ["Orders", "customers"]) == " Did you mean Orders?"
    assert suggest("xyz", ["Orders", "customers"]) == ""


def test_a_mistyped_command_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["job", "list"]) == 2
    assert capsys.readouterr().err == "penstock has no command job. Did you mean jobs? See penstock --help.\n"


def test_a_mistyped_action_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["configs", "pul"])

    assert ended.value.code == 2
    assert "Did you mean pull" in capsys.readouterr().err
