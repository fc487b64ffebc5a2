from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.results.output import PREFIX, staged


def test_results_appear_when_they_are_published(tmp_path: Path):
    out = tmp_path / "out"
    with staged(out) as stage:
        stage.tables.mkdir()
        (stage.tables / "users").write_text("x")
        assert not (out / "tables").exists()
        stage.publish("{}")

    assert sorted(path.name for path in out.iterdir()) == ["state.json", "tables"]
    assert (out / "tables" / "users").read_text() == "x"


def test_a_failed_run_leaves_nothing(tmp_path: Path):
    def fail() -> None:
        with staged(tmp_path / "out") as stage:
            (stage.work / "pages").write_text("x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert not (tmp_path / "out").exists()


def test_a_failed_run_leaves_earlier_results_alone(tmp_path: Path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "users").write_text("old")

    with pytest.raises(RuntimeError), staged(tmp_path):
        raise RuntimeError

    assert [path.name for path in tmp_path.rglob("*")] == ["tables", "users"]


def test_what_a_killed_run_left_is_swept(tmp_path: Path):
    (tmp_path / f"{PREFIX}999999999").mkdir()
    (tmp_path / f"{PREFIX}1").mkdir()

    with staged(tmp_path):
        pass

    assert [path.name for path in tmp_path.iterdir()] == [f"{PREFIX}1"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_results_are_moved_leaves_them_whole(tmp_path: Path, number: signal.Signals):
    target = tmp_path / "tables"
    target.mkdir()

    def disturb() -> None:
        while not any(target.iterdir()):
            continue
        os.kill(os.getpid(), number)

    before = signal.signal(number, lambda *_: sys.exit(143))
    disturber = threading.Thread(target=disturb)
    try:
        with staged(tmp_path) as stage:
            stage.tables.mkdir()
            for name in range(300):
                (stage.tables / str(name)).write_text("x")
            disturber.start()
            stage.publish("{}")
            disturber.join()
    except SystemExit:  # the signal came just after
        disturber.join()
    finally:
        signal.signal(number, before)

    assert len(list(target.iterdir())) == 300
    assert (tmp_path / "state.json").exists()


def test_a_folder_in_the_way_of_a_table_is_an_error_before_anything_is_moved(tmp_path: Path):
    (tmp_path / "tables" / "users_tags").mkdir(parents=True)

    def publish() -> None:
        with staged(tmp_path) as stage:
            stage.tables.mkdir()
            for name in ("users", "users_tags"):
                (stage.tables / name).write_text("x")
            stage.publish("{}")

    with pytest.raises(UserError, match=r"There is a folder where the file '.*users_tags' has to go"):
        publish()
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["users_tags"]
