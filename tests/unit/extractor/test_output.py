from __future__ import annotations

from pathlib import Path

import pytest

from penstock.extractor.output import PREFIX, staged


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
