"""`penstock completion`."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from penstock.cli import COMMANDS, main
from tests.support.patience import PATIENCE

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


def test_fish_completes_commands_actions_and_flags(scripts: dict[str, str], tmp_path: Path) -> None:
    need("fish")
    (tmp_path / "script").write_text(scripts["fish"])

    def offered(line: str) -> set[str]:
        program = f"source script; complete -C '{line}'"
        done = subprocess.run(
            ["fish", "--no-config", "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        return {line.partition("\t")[0] for line in done.stdout.splitlines()}

    assert offered("penstock ") == set(COMMANDS)
    assert offered("penstock configs pu") == {"pull", "push"}
    assert offered("penstock configs push --y") == {"--yes"}
    assert offered("penstock run component --m") == {"--mode"}
    assert offered("penstock completion ") == set(SHELLS)
    assert offered("penstock jobs list --config ") == {"script"}


def test_zsh_completes_commands_actions_and_flags(scripts: dict[str, str], tmp_path: Path) -> None:
    need("zsh")
    show = 'penstock() { print -r -- "<$*>" }'
    (tmp_path / "script").write_text(f"autoload -Uz compinit; compinit -D -u\n{scripts['zsh']}\n{show}\n")
    typed = ("conf", "configs pus", "configs push --y", "run component --m", "completion f", "tables upload t scr")

    assert type_into_zsh(tmp_path, [f"penstock {line}\t\n" for line in typed]) == [
        "configs",
        "configs push",
        "configs push --yes",
        "run component --mode",
        "completion fish",
        "tables upload t script",
    ]


def type_into_zsh(folder: Path, lines: list[str]) -> list[str]:
    """What each line became before it was run; the lines are typed one after another, as completion needs."""
    reader, terminal = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(folder)}
    with io.FileIO(reader, "r+") as screen:
        shell = subprocess.Popen(
            ["zsh", "-f", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=folder, env=environment
        )
        try:
            _type(screen, "PS1=; source ./script; penstock ready\n", rb"<ready>")
            shown = [_type(screen, line, rb"<([^<>]*)>\r?\n") for line in lines]
        finally:
            shell.kill()
            shell.wait(PATIENCE)
            os.close(terminal)
    return shown


def _type(screen: io.FileIO, line: str, wanted: bytes) -> str:
    screen.write(line.encode())
    shown, end = b"", time.monotonic() + PATIENCE
    while not (found := re.search(wanted, shown)):
        assert time.monotonic() < end, shown
        if select.select([screen], [], [], 1)[0]:
            shown += screen.read(4096) or b""
    return found[found.re.groups].decode()


def need(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed.")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_valid_in_its_shell(scripts: dict[str, str], shell: str, tmp_path: Path) -> None:
    need(shell)
    (tmp_path / "script").write_text(scripts[shell])

    assert subprocess.run([shell, "-n", tmp_path / "script"], check=False).returncode == 0


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_every_script(scripts: dict[str, str], shell: str) -> None:
    assert [name for name in COMMANDS if name not in scripts[shell]] == []
