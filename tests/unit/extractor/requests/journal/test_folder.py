"""The folder of a run that is not finished: who may go on with it, and what is left of it in the end."""

from __future__ import annotations

import asyncio
import io
import json
import os
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.requests.journal import Choice, Identity, RunFolder, folder, open_folder
from penstock.foundation import clock
from penstock.foundation.redaction import Redactor
from tests.unit.extractor.requests.journal.responses import entry_of

RUN = Identity.of({"parameters": {"a": 1}}, {})
BEGAN = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
HOUR = 3600.0


class Clock:
    def __init__(self) -> None:
        self.at = BEGAN

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.at, UTC)


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    time = Clock()
    monkeypatch.setattr(clock, "source", time.now)
    return time


@pytest.fixture
def told() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def opened(
    out: Path, run: Identity = RUN, choice: Choice = "", told: io.StringIO | None = None
) -> AbstractContextManager[RunFolder]:
    return open_folder(out, run, clock.now().timestamp(), choice, Log(told or io.StringIO(), Redactor()))


def interrupt(out: Path, *keys: str, by: BaseException | None = None) -> None:
    """A run that got these responses and was then interrupted."""
    reason = by or KeyboardInterrupt()

    def work() -> None:
        with opened(out) as run:
            for key in keys:
                run.journal.append(entry_of(key), b"[]")
            (run.path / "tables").mkdir()
            (run.path / "tables" / "users").write_text("half")
            raise reason

    with pytest.raises(type(reason)):
        work()


def left(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*"))


def test_a_run_that_ends_well_leaves_nothing_but_its_results(out: Path):
    with opened(out) as run:
        run.journal.append(entry_of("0#0"), b"[]")
        (out / "state.json").write_text("{}")

    assert left(out) == ["state.json"]


@pytest.mark.parametrize("error", [UserError("wrong"), RuntimeError("ours"), OSError("disk"), MemoryError()])
def test_a_run_that_fails_leaves_nothing_at_all(out: Path, error: Exception):
    interrupt(out, "0#0", by=error)

    assert not out.exists()


def test_a_run_that_fails_leaves_earlier_results_alone(out: Path):
    (out / "tables").mkdir(parents=True)
    (out / "tables" / "users").write_text("old")

    interrupt(out, "0#0", by=UserError("wrong"))

    assert left(out) == ["tables", "tables/users"]


@pytest.mark.parametrize("reason", [KeyboardInterrupt(), SystemExit(143), asyncio.CancelledError()])
def test_a_run_that_is_interrupted_keeps_its_answers_and_nothing_half_made(out: Path, reason: BaseException):
    interrupt(out, "0#0", by=reason)

    assert left(out) == [".extracting", ".extracting/pages", ".extracting/run.json"]
    assert (out / ".extracting").stat().st_mode & 0o777 == 0o700


def test_the_same_run_goes_on_with_the_first_start_and_all_answers(out: Path, time: Clock, told: io.StringIO):
    interrupt(out, "0#0", "0#1")
    time.at += HOUR

    with opened(out, told=told) as run:
        assert run.is_resumed
        assert run.started == BEGAN
        assert run.journal.take("0#0")
        assert run.journal.take("0#1")

    assert "INFO: Resuming the run of 2026-01-01 00:00:00 UTC: 2 of its pages are stored." in told.getvalue()
    assert left(out) == []


def test_a_run_may_be_interrupted_again_and_again(out: Path, time: Clock):
    for number in range(3):
        interrupt(out, f"0#{number}")
        time.at += HOUR

    with opened(out) as run:
        assert run.started == BEGAN
        assert run.journal.waiting == 3


def test_a_run_that_was_killed_goes_on_like_one_that_was_interrupted(out: Path, tmp_path: Path):
    with opened(tmp_path / "other") as run:
        run.journal.append(entry_of("0#0"), b"[]")
        (run.path / "bucket-0").mkdir()
        out.mkdir()
        run.path.rename(out / ".extracting")

    with opened(out) as run:
        assert run.is_resumed
        assert run.journal.waiting == 1
        assert not (run.path / "bucket-0").exists()


@pytest.mark.parametrize(
    "other",
    [
        Identity.of({"parameters": {"a": 2}}, {}),
        Identity.of({"parameters": {"a": 1}}, {"time": {"previousStart": 1}}),
        Identity(RUN.fingerprint, version="0.0.9"),
        Identity(RUN.fingerprint, format=RUN.format + 1),
    ],
    ids=["configuration", "state", "version", "format"],
)
@pytest.mark.parametrize("choice", ["", "resume"])
def test_another_run_starts_over(out: Path, time: Clock, told: io.StringIO, other: Identity, choice: Choice):
    interrupt(out, "0#0")
    time.at += 48 * HOUR  # nobody is asked about what cannot go on anyhow

    with opened(out, other, choice, told) as run:
        assert not run.is_resumed
        assert run.started == time.at
        assert run.journal.waiting == 0

    assert "but it had another configuration, state or version: starting over." in told.getvalue()


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"run": 1}'])
def test_what_a_crash_has_left_of_a_folder_is_replaced(out: Path, told: io.StringIO, text: str | None):
    interrupt(out, "0#0")
    (out / ".extracting/run.json").unlink()
    if text is not None:
        (out / ".extracting/run.json").write_text(text)

    with opened(out, told=told) as run:
        assert not run.is_resumed
        assert run.journal.waiting == 0

    assert told.getvalue() == ""


def test_for_a_day_nobody_is_asked(out: Path, time: Clock):
    interrupt(out, "0#0")
    time.at += 24 * HOUR

    with opened(out) as run:
        assert run.is_resumed


def test_a_run_of_more_than_a_day_ago_goes_on_only_if_that_is_said(out: Path, time: Clock):
    interrupt(out, "0#0")
    time.at += 24 * HOUR + 1

    with pytest.raises(UserError, match=r"began on 2026-01-01 00:00:00 UTC .*`--resume`.*`--fresh`"), opened(out):
        pass
    assert left(out) == [".extracting", ".extracting/pages", ".extracting/run.json"]

    with opened(out, choice="resume") as run:
        assert run.is_resumed
        assert run.started == BEGAN


@pytest.mark.parametrize("hours", [0, 48])
def test_a_fresh_run_takes_nothing_from_an_interrupted_one(out: Path, time: Clock, hours: int):
    interrupt(out, "0#0")
    time.at += hours * HOUR

    with opened(out, choice="fresh") as run:
        assert not run.is_resumed
        assert run.started == time.at
        assert run.journal.waiting == 0


@pytest.mark.parametrize("choice", ["", "resume", "fresh"])
def test_two_runs_cannot_write_to_one_folder(out: Path, choice: Choice):
    with opened(out) as first:
        first.journal.append(entry_of("0#0"), b"[]")
        with pytest.raises(UserError, match=r"^Another run is writing to '.*out'"), opened(out, choice=choice):
            pass
        assert first.journal.read(0).body == b"[]"
        assert (first.path / "run.json").exists()


def test_the_folder_is_free_when_a_run_has_ended_however_it_did(out: Path):
    interrupt(out)
    interrupt(out, by=UserError("wrong"))
    with opened(out):
        pass
    with opened(out):
        pass


def test_a_run_that_has_ended_cannot_go_on_even_if_it_is_killed_while_it_is_removed(
    out: Path, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch, opened(out) as run:
        run.journal.append(entry_of("0#0"), b"[]")
        patch.setattr(folder.shutil, "rmtree", lambda *_args, **_options: None)

    with opened(out) as run:
        assert not run.is_resumed


def test_secrets_are_not_in_what_a_run_writes_about_itself(out: Path):
    with opened(out, Identity.of({"#password": "s3cret"}, {"token": "t0ken"})) as run:
        text = (run.path / "run.json").read_text()

    assert "s3cret" not in text
    assert "t0ken" not in text
    assert set(json.loads(text)) == {"run", "started"}


@pytest.mark.parametrize(
    ("document", "state"),
    [({"a": [1, {"b": None}]}, {}), ({"a": 10**30}, {"x": 1.5}), ({"é": "\N{SNOWMAN}"}, {"": []})],
)
def test_the_same_configuration_and_state_are_the_same_run(document: dict[str, Any], state: dict[str, Any]):
    assert Identity.of(document, state) == Identity.of(json.loads(json.dumps(document)), dict(state))
    assert Identity.of(document, state) != Identity.of({**document, "more": 1}, state)


@pytest.fixture
def small_disk() -> Iterator[None]:
    """No file may grow beyond a hundred kilobytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("small_disk")
def test_a_full_disk_fails_the_run_and_leaves_nothing(out: Path):
    def work() -> None:
        with opened(out) as run:
            for number in range(9):
                run.journal.append(entry_of(f"0#{number}"), b"x" * 30_000)

    with pytest.raises(OSError, match="File too large"):
        work()
    assert not out.exists()


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_in_the_way_of_the_folder_is_removed_and_not_followed(tmp_path: Path, kind: str):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "run.json").write_text("theirs")
    out = tmp_path / "out"
    out.mkdir()
    if kind == "file":
        (out / folder.NAME).write_text("")
    else:
        (out / folder.NAME).symlink_to(elsewhere)

    _locked_once(out)

    assert (elsewhere / "run.json").read_text() == "theirs"
    assert not (out / folder.NAME).exists()


def test_a_file_in_the_place_of_the_output_folder_is_the_users_mistake(tmp_path: Path):
    (tmp_path / "out").write_text("")

    with pytest.raises(UserError, match="is not a folder"):
        _locked_once(tmp_path / "out")


def _locked_once(out: Path) -> None:
    with open_folder(out, Identity("x"), clock.now().timestamp(), "", Log(io.StringIO(), Redactor())):
        pass


def test_of_runs_that_start_together_one_has_the_folder(tmp_path: Path):
    """Of a folder that neither has found, the loser must not take the winner's away."""
    for number in range(30):
        together = Barrier(2)
        with ThreadPoolExecutor(2) as threads:
            ends = list(threads.map(lambda _each: _start(tmp_path / str(number), together), range(2)))  # noqa: B023

        assert set(ends) <= {"ran", "refused"}
        assert "ran" in ends


def _start(out: Path, together: Barrier) -> str:
    together.wait()
    try:
        _locked_once(out)
    except UserError:
        return "refused"
    return "ran"


def test_a_folder_that_was_removed_meanwhile_is_not_worth_its_lock(tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    handle = os.open(out, os.O_RDONLY)
    out.rmdir()
    out.mkdir()

    with pytest.raises(UserError, match="Another run"):
        folder._lock(handle, out)
    os.close(handle)
