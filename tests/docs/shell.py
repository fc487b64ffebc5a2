"""Runs a page as a reader would: one shell, one folder, its files and commands in the order in which they stand."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import PROMPT, BadPage, Block, Command, Page
from tests.support.patience import PATIENCE
from tests.support.stacks import clean_environment

ANYTHING = "…"
SECONDS = PATIENCE
SHOWN_PORT = "8300"
"""Pages show the default port; a test has another one."""

NOT_RUN = {
    "make up": "starts a stack on port 8300 and stays; `make -n up` is checked instead",
    "make test": "is what runs this test",
    "penstock up --allow-host erp.internal.example --allow-host 10.20.0.0/16": "stays until it is stopped",
    "penstock worker --name beside": "stays until it is stopped",
    "penstock tls init": "would change the stack of the other pages; it is run on another folder instead",
    "penstock hosts install": "changes the machine; it is run on a copy of the file instead",
    "penstock up --https": "stays until it is stopped, and wants port 443",
    'docker login -u penstock -p "$PASSWORD" 127.0.0.1:8300': "keeps the password; other commands send it instead",
    "docker push 127.0.0.1:8300/orbit/orbit.ex-rain:1.0.0": "needs an engine; other commands send the same requests",
    "sudo systemctl enable --now penstock": "changes the machine",
    "journalctl -u penstock -f": "needs the service of the line above",
}
"""Commands that pages show and this test does not run, and why."""


class Ended(NamedTuple):
    code: int
    output: str


class PageFailed(Exception):
    """A command of a page did not do what the page says."""


class Shell:
    """A bash that keeps its variables from one command to the next; standard error comes with the output."""

    def __init__(self, folder: Path, port: int = 0, seconds: float = SECONDS) -> None:
        self._script = folder / ".command"
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=folder,
            env=_environment(folder, port),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._seconds = seconds

    def run(self, command: str) -> Ended:
        """The command is read from a file by `.`, so that a mistake in it ends the command and not the shell."""
        assert self._bash.stdin
        self._script.write_text(f"{command}\n")
        mark = f"done-{secrets.token_hex(4)}"
        self._bash.stdin.write(f". ./{self._script.name} </dev/null; printf '\\n{mark} %s\\n' $?\n")
        self._bash.stdin.flush()
        watchdog = threading.Timer(self._seconds, self.close)
        watchdog.start()
        try:
            return self._read(mark)
        finally:
            watchdog.cancel()

    def close(self) -> None:
        """With everything that was started in it."""
        with suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGKILL)

    def _read(self, mark: str) -> Ended:
        assert self._bash.stdout
        lines: list[str] = []
        for line in self._bash.stdout:
            if line.startswith(mark):
                return Ended(int(line.split()[1]), "".join(lines).strip())
            lines.append(line)
        raise PageFailed(f"The shell ended, or did not answer within {self._seconds} seconds:\n{''.join(lines)}")


def run_page(page: Page, folder: Path, port: int) -> int:
    """Everything on the page that can be run; how many commands and programs that was."""
    shell = Shell(folder, port)
    try:
        return sum(_run_block(block, shell, folder, port) for block in page.blocks)
    except (PageFailed, BadPage) as error:
        raise PageFailed(f"{page.name}: {error}") from error
    finally:
        shell.close()


def is_runnable(page: Page) -> bool:
    return any(block.language in ("console", "python") and not block.file_name for block in page.blocks)


def uses(page: Page, program: str) -> bool:
    return any(re.search(rf"\b{program}\b", block.text) for block in page.of("console"))


def matches(expected: str, output: str) -> bool:
    """`…` stands for anything, also for many lines."""
    pattern = ".*?".join(re.escape(part) for part in _plain(expected).split(ANYTHING))
    return re.fullmatch(pattern, _plain(output), re.DOTALL) is not None


def _run_block(block: Block, shell: Shell, folder: Path, port: int) -> int:
    if block.file_name:
        (folder / block.file_name).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.file_name).write_text(block.text.replace(f":{SHOWN_PORT}", f":{port}"))
        return 0
    if block.language == "python":
        _run_python(block, folder, port)
        return 1
    if block.language != "console":
        return 0
    commands = [command for command in block.commands if _without_comment(command) not in NOT_RUN]
    for command in commands:
        _run_command(command, block.exit_code, shell, port)
    return len(commands)


def _run_command(command: Command, exit_code: int, shell: Shell, port: int) -> None:
    ended = shell.run(command.text.replace(f":{SHOWN_PORT}", f":{port}"))
    shown = f"line {command.line}: {PROMPT}{command.text}"
    if ended.code != exit_code:
        raise PageFailed(f"{shown}\nended with {ended.code} instead of {exit_code}:\n{ended.output}")
    output = re.sub(rf"\b{port}\b", SHOWN_PORT, ended.output)
    if command.output and not matches(command.output, output):
        raise PageFailed(f"{shown}\nprinted:\n{output}\ninstead of:\n{command.output}")


def _run_python(block: Block, folder: Path, port: int) -> None:
    program = block.text.replace(f":{SHOWN_PORT}", f":{port}")
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=_environment(folder, port),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if ended.returncode:
        raise PageFailed(f"line {block.line}: the program failed:\n{ended.stderr}")


def _without_comment(command: Command) -> str:
    return re.sub(r"\s+#.*", "", command.text).strip()


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _environment(folder: Path, port: int) -> dict[str, str]:
    """Whoever runs the tests has no settings here, and `penstock` is the one under test."""
    programs = Path(sys.executable).parent
    clean = clean_environment()
    ours = {"HOME": str(folder), "LC_ALL": "C.UTF-8", "PENSTOCK_PORT": str(port)}
    return {**clean, **ours, "PATH": f"{programs}{os.pathsep}{clean['PATH']}"}
