"""`penstock completion`."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from penstock.cli import COMMANDS, main
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK
from tests.unit.cli.conftest import Shell

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


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("tables show", {"in.c-complete.orders"}),
        ("tables upload", {"in.c-complete.orders"}),
        ("run", {"ex-generic-v2", "keboola.flow"}),
        ("run ex-generic-v2", {"complete-me"}),
        ("run --mode run ex-generic-v2", {"complete-me"}),
        ("configs run", {"complete-me"}),
        ("configs run --json", {"complete-me"}),
    ],
)
def test_names_of_the_stack_are_offered(
    shell: Shell, names: None, capsys: pytest.CaptureFixture[str], typed: str, offered: set[str]
) -> None:
    assert offered <= find_names(shell, capsys, *typed.split(), "")


def test_jobs_are_offered_the_newest_first(shell: Shell, names: None, capsys: pytest.CaptureFixture[str]) -> None:
    wish = {"mode": "run", "component": "ex-generic-v2", "config": "complete-me", "delay": 3600}
    job = shell.queue.post("/jobs", wish).json["id"]

    assert job in find_names(shell, capsys, "logs", "")
    assert job in find_names(shell, capsys, "jobs", "show", "")


@pytest.mark.parametrize("typed", ["", "none ''", "tables list ''", "extract ''", "tables show -", "tables show t ''"])
def test_no_names_are_offered_for_other_words(
    shell: Shell, names: None, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    assert find_names(shell, capsys, *(word.strip("'") for word in typed.split())) == set()


def test_a_name_that_a_shell_would_expand_is_not_offered(
    shell: Shell, names: None, capsys: pytest.CaptureFixture[str]
) -> None:
    body = {"configurationId": "$(reboot)", "name": "Hostile", "configuration": {}}
    shell.storage.post("/v2/storage/components/ex-generic-v2/configs", body)

    assert all(re.fullmatch(r"[\w.-]+", name) for name in find_names(shell, capsys, "configs", "run", ""))


def test_nothing_is_offered_without_a_stack(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["completion", "bash", "--names", "logs", "--data-dir", str(tmp_path), ""]) == 0
    assert capsys.readouterr() == ("\n", "")


def test_bash_offers_names_of_the_stack(scripts: dict[str, str], shell: Shell, names: None, tmp_path: Path) -> None:
    program = tmp_path / "penstock"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PENSTOCK)} "$@"\n')
    program.chmod(0o755)

    assert completed(scripts["bash"], str(program), "configs", "run", *shell.target, "complete-") == {"complete-me"}


@pytest.fixture
def names(shell: Shell) -> None:
    bucket = {"name": "complete", "stage": "in"}
    if shell.storage.get("/v2/storage/buckets/in.c-complete").status == 404:
        shell.storage.post("/v2/storage/buckets", bucket)
        columns = {"name": "orders", "columns": [{"name": "id"}]}
        shell.storage.post("/v2/storage/buckets/in.c-complete/tables-definition", columns)
        shell.configure("complete-me")


def find_names(shell: Shell, capsys: pytest.CaptureFixture[str], *words: str) -> set[str]:
    """What is offered for the last word."""
    capsys.readouterr()
    first, last = words[:-1], words[-1:]
    target = shell.target if first else ()
    assert main(["completion", "bash", "--names", *first, *target, *last]) == 0
    return set(capsys.readouterr().out.split())
