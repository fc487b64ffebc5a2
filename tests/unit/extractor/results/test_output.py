from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.results.output import publish, write_report


def made(folder: Path, *names: str, kind: str = "tables") -> Path:
    """Results, made aside."""
    work = folder / "aside"
    (work / kind).mkdir(parents=True)
    for name in names:
        (work / kind / name).write_text("new")
    return work


def test_results_appear_when_they_are_published(tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    work = made(tmp_path, "users")

    publish(work, out, "{}", "[]")

    assert sorted(path.name for path in out.iterdir()) == ["report.json", "state.json", "tables"]
    assert (out / "tables" / "users").read_text() == "new"
    assert (out / "state.json").read_text() == "{}"
    assert (out / "report.json").read_text() == "[]"
    assert list((work / "tables").iterdir()) == []


def test_a_run_without_tables_leaves_an_empty_folder_for_them(tmp_path: Path):
    (tmp_path / "nothing").mkdir()

    (tmp_path / "work").mkdir()

    publish(tmp_path / "work", tmp_path, "{}", "{}")

    assert list((tmp_path / "tables").iterdir()) == []


def test_rejected_rows_appear_beside_the_tables(tmp_path: Path):
    publish(made(tmp_path, "users", kind="rejected"), tmp_path, "{}", "{}")

    assert (tmp_path / "rejected" / "users").read_text() == "new"
    assert list((tmp_path / "tables").iterdir()) == []


def test_a_run_that_fails_may_leave_a_report_alone(tmp_path: Path):
    write_report(tmp_path, "{}")

    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_earlier_tables_are_replaced_if_they_are_made_again_and_stay_otherwise(tmp_path: Path):
    (tmp_path / "tables").mkdir()
    for name in ("users", "orders"):
        (tmp_path / "tables" / name).write_text("old")

    publish(made(tmp_path, "users"), tmp_path, "{}", "{}")

    assert (tmp_path / "tables" / "users").read_text() == "new"
    assert (tmp_path / "tables" / "orders").read_text() == "old"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_results_are_moved_leaves_them_whole(tmp_path: Path, number: signal.Signals):
    target = tmp_path / "tables"
    target.mkdir()
    work = made(tmp_path, *map(str, range(300)))

    def disturb() -> None:
        while not any(target.iterdir()):
            continue
        os.kill(os.getpid(), number)

    before = signal.signal(number, lambda *_: sys.exit(143))
    disturber = threading.Thread(target=disturb)
    try:
        disturber.start()
        publish(work, tmp_path, "{}", "{}")
        disturber.join()
    except SystemExit:  # the signal came just after
        disturber.join()
    finally:
        signal.signal(number, before)

    assert len(list(target.iterdir())) == 300
    assert (tmp_path / "state.json").exists()


def test_a_folder_in_the_way_of_a_table_is_an_error_before_anything_is_moved(tmp_path: Path):
    (tmp_path / "tables" / "users_tags").mkdir(parents=True)

    with pytest.raises(UserError, match=r"There is a folder where the file '.*users_tags' has to go"):
        publish(made(tmp_path, "users", "users_tags"), tmp_path, "{}", "{}")

    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["users_tags"]
    assert not (tmp_path / "state.json").exists()


def test_what_was_rejected_by_an_earlier_run_goes(tmp_path: Path):
    (tmp_path / "rejected").mkdir()
    (tmp_path / "rejected" / "users.ndjson").write_text("old")

    publish(made(tmp_path, "users"), tmp_path, "{}", "{}")

    assert not (tmp_path / "rejected").exists()


def test_a_run_that_is_published_cannot_go_on(tmp_path: Path):
    work = made(tmp_path, "users")
    (work / "run.json").write_text("{}")

    publish(work, tmp_path, "{}", "{}")

    assert not (work / "run.json").exists()
