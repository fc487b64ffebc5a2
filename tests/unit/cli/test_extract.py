"""`penstock extract`, as it describes itself."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from tests.support.api import Api
from tests.support.stacks import PENSTOCK, clean_environment
from tests.unit.cli.conftest import Penstock
from tests.unit.cli.terminal import Terminal


def test_help_says_that_it_reaches_private_addresses(penstock: Penstock) -> None:
    shown = " ".join(penstock("extract", "--help").stdout.split())

    assert "may request every address that this machine reaches, private ones too" in shown


def test_on_a_terminal_lines_are_short_and_a_failure_is_printed_once(tmp_path: Path) -> None:
    with Api() as api:
        api.on("/rows", {"rows": [{"id": 1}]})
        loaded = extract_on_terminal(tmp_path, api, "rows")
        failed = extract_on_terminal(tmp_path, api, "missing")

    assert "Extractor finished successfully.\r\n" in loaded
    assert "Records written: 1 (pages: 1, tables: 1)." in loaded
    assert "logger." not in loaded + failed
    assert failed.count("The API request failed: [404]") == 1


def test_off_a_terminal_lines_have_the_form_of_the_original(penstock_process: Penstock, tmp_path: Path) -> None:
    with Api() as api:
        ended = penstock_process("extract", write_document(tmp_path, api, "missing"))

    assert " logger.ERROR: The API request failed: [404]" in ended.stdout
    assert ended.stderr.startswith("The API request failed: [404]")


def extract_on_terminal(folder: Path, api: Api, endpoint: str) -> str:
    """Return all that is shown until the command ends."""
    command = [*PENSTOCK, "extract", str(write_document(folder, api, endpoint)), "--out", str(folder / endpoint)]
    with Terminal(["sh", "-c", f"{shlex.join(command)}; echo ended with $?"], clean_environment()) as terminal:
        return terminal.read("ended with ")


def write_document(folder: Path, api: Api, endpoint: str) -> Path:
    document = {"api": {"baseUrl": api.url}, "config": {"jobs": [{"endpoint": endpoint, "dataField": "rows"}]}}
    (folder / "config.json").write_text(json.dumps(document))
    return folder / "config.json"
