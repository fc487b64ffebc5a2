"""The output of commands, and how fast they start."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.cli import main
from penstock.cli.output import clean, paint, print_columns


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_whose_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert paint("error", Terminal()) == "\x1b[31merror\x1b[0m"
    assert paint("error", io.StringIO()) == "error"
    assert paint("plain", Terminal()) == "plain"

    monkeypatch.setenv("NO_COLOR", "1")
    assert paint("error", Terminal()) == "error"


def test_an_error_of_a_command_is_printed_without_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", "\x1b[2J.tar", "--data-dir", str(tmp_path / "new")]) == 1

    assert capsys.readouterr().err.startswith("There is no file \N{REPLACEMENT CHARACTER}[2J.tar")


def test_text_of_others_does_not_steer_the_terminal() -> None:
    assert clean("a\x1b[2Jb\r\x07\nc\td") == "a�[2Jb��\nc\td"


def test_columns_are_as_wide_as_their_widest_value(capsys: pytest.CaptureFixture[str]) -> None:
    print_columns([("ID", "NAME", ""), ("1", "orders", "x"), ("20", "", "")])

    assert capsys.readouterr().out == "ID  NAME\n1   orders  x\n20\n"


def test_help_imports_nothing_that_takes_time() -> None:
    program = "import sys; from penstock.cli import build_parser; build_parser([]); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert {"msgspec", "aiohttp", "asyncio", "sqlalchemy", "duckdb", "starlette"}.isdisjoint(loaded)
