"""Log lines: one JSON object each, with the data as fields."""

from __future__ import annotations

import json
import logging as standard
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.foundation import logging
from penstock.foundation.logging import AsJson, ForPeople

SCRIPT = """
import sys
from pathlib import Path
from penstock.foundation import logging
logging.FILE_BYTES, logging.FILES_KEPT = 2000, 2
logging.set_up(Path(sys.argv[1]) / "logs" / "stack.log")
log = logging.Log("test")
for number in range(100):
    log.info("something happened", number=number, path=Path("x"))
try:
    1 / 0
except ZeroDivisionError as error:
    log.error("it broke", exception=error, job_id=7)
"""


def record(message: str, level: int = standard.INFO, **facts: object) -> standard.LogRecord:
    made = standard.LogRecord("penstock.queue", level, "", 0, message, None, None)
    made.__dict__["facts"] = facts
    return made


def test_a_line_is_one_json_object_with_its_facts() -> None:
    line = AsJson().format(record("job started", job_id=7, where=Path("a/b"), text="two\nlines"))

    assert "\n" not in line
    found = json.loads(line)
    assert (found["message"], found["level"], found["from"]) == ("job started", "info", "queue")
    assert (found["job_id"], found["where"], found["text"]) == (7, "a/b", "two\nlines")


def test_people_read_a_plain_line() -> None:
    line = ForPeople().format(record("worker ended", standard.WARNING, worker="worker-1"))

    assert line.endswith("warning: worker ended worker=worker-1")


def test_a_line_of_another_library_has_no_facts() -> None:
    assert json.loads(AsJson().format(standard.LogRecord("uvicorn", 20, "", 0, "up", None, None)))["message"] == "up"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("log")
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(folder)], capture_output=True, text=True, check=True)
    return folder / "logs", done.stderr


def test_lines_go_to_stderr_and_into_a_file_that_is_rotated(run: tuple[Path, str]) -> None:
    folder, errors = run
    lines = [json.loads(line) for line in errors.splitlines()]

    assert [line.get("number") for line in lines[:-1]] == list(range(100))
    assert {path.name for path in folder.iterdir()} == {"stack.log", "stack.log.1", "stack.log.2"}
    assert all(path.stat().st_size <= 2500 for path in folder.iterdir())


def test_an_error_has_its_traceback_in_one_line(run: tuple[Path, str]) -> None:
    last = json.loads(run[1].splitlines()[-1])

    assert (last["level"], last["job_id"]) == ("error", 7)
    assert "ZeroDivisionError" in last["traceback"]


def test_setting_up_is_for_this_process_only() -> None:
    assert logging.FILE_BYTES == 10_000_000


DAMAGED_FORM = """
import sys
from pathlib import Path
from penstock.foundation import logging
from penstock.web.multipart import NotMultipart, parse_multipart
logging.set_up(Path(sys.argv[1]) / "stack.log")
try:
    parse_multipart(b"not a form", "multipart/form-data; boundary=x")
except NotMultipart:
    logging.Log("test").info("refused")
"""


def test_damaged_forms_of_clients_are_not_logged(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", DAMAGED_FORM, str(tmp_path)], check=True, capture_output=True)

    lines = (tmp_path / "stack.log").read_text().splitlines()
    assert [json.loads(line)["message"] for line in lines] == ["refused"]
