"""`penstock completion`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from penstock.cli import COMMANDS, main

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def scripts(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    def script(shell: str) -> str:
        assert main(["completion", shell]) == 0
        return capsys.readouterr().out

    return {shell: script(shell) for shell in SHELLS}


def completed(script: str, *words: str) -> set[str]:
    """What bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in words)
    program = f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _penstock; echo ${{COMPREPLY[@]}}"
    return set(subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True).stdout.split())


def test_bash_completes_commands_actions_and_flags(scripts: dict[str, str]) -> None:
    script = scripts["bash"]

    assert set(COMMANDS) <= completed(script, "penstock", "")
    assert completed(script, "penstock", "conf") == {"configs"}
    assert completed(script, "penstock", "configs", "pu") == {"pull", "push"}
    assert completed(script, "penstock", "configs", "push", "--y") == {"--yes"}
    assert completed(script, "penstock", "run", "component", "--m") == {"--mode"}
    assert completed(script, "penstock", "completion", "") >= set(SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_valid_in_its_shell(scripts: dict[str, str], shell: str, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed.")
    (tmp_path / "script").write_text(scripts[shell])

    assert subprocess.run([shell, "-n", tmp_path / "script"], check=False).returncode == 0


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_every_script(scripts: dict[str, str], shell: str) -> None:
    assert [name for name in COMMANDS if name not in scripts[shell]] == []
