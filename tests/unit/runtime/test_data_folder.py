"""The folder in which a component finds its configuration and leaves its results."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from penstock.runtime.data_folder import STATE_BYTES, DataFolder
from penstock.runtime.documents import UnknownOption
from penstock.runtime.written import BadOutput
from tests.support.nasty_trees import CANNOT, TREES, Tree


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "7" / "1")
    made.prepare({}, {})
    return made


def config(folder: DataFolder) -> dict[str, Any]:
    return json.loads((folder.path / "config.json").read_text())


def leave_state(folder: DataFolder, content: bytes) -> None:
    (folder.path / "out" / "state.json").write_bytes(content)


def test_a_component_finds_its_configuration_and_state(folder: DataFolder) -> None:
    folder.prepare({"parameters": {"z": 1, "a": []}, "runtime": {"tag": "1"}, "processors": {}}, {"last": 5})

    assert config(folder) == {
        "parameters": {"z": 1, "a": []},
        "storage": {},
        "image_parameters": {},
        "authorization": {},
        "action": "run",
    }
    assert json.loads((folder.path / "in" / "state.json").read_text()) == {"last": 5}
    for name in ("in/tables", "in/files", "out/tables", "out/files"):
        assert (folder.path / name).is_dir()


def test_only_its_owner_reads_the_folder(folder: DataFolder) -> None:
    assert (folder.path / "config.json").stat().st_mode & 0o077 == 0
    assert (folder.path / "in" / "state.json").stat().st_mode & 0o077 == 0


def test_what_an_earlier_try_left_is_gone(folder: DataFolder) -> None:
    (folder.tables / "old.csv").write_text("id\n")
    folder.prepare({}, {})

    assert list(folder.tables.iterdir()) == []


def test_secrets_are_removed_when_the_component_is_done(folder: DataFolder) -> None:
    folder.prepare({"parameters": {"#password": "canary"}}, {})
    (folder.tables / "a.csv").write_text("id\n")
    folder.make_durable()
    folder.make_durable()

    assert not any("canary" in path.read_text() for path in folder.path.rglob("*") if path.is_file())
    assert (folder.tables / "a.csv").exists()


def test_links_and_pipes_that_a_component_left_do_not_hang_its_worker(folder: DataFolder) -> None:
    (folder.tables / "dangling").symlink_to("/no/such/file")
    os.mkfifo(folder.tables / "pipe")

    folder.make_durable()

    assert {path.name for path in folder.tables.iterdir()} == {"dangling", "pipe"}


@pytest.mark.parametrize(("content", "state"), [(b"", {}), (b"{}", {}), (b'{"a": {"b": [1]}}', {"a": {"b": [1]}})])
def test_a_state_is_read_back(folder: DataFolder, content: bytes, state: object) -> None:
    leave_state(folder, content)

    assert folder.read_state() == state


def test_no_state_is_an_empty_one(folder: DataFolder) -> None:
    assert folder.read_state() == {}


@pytest.mark.parametrize("content", [b"{", b"[]", b"1", b"null", b"\xff", b'{"a":' * 5000, b"no json"])
def test_a_state_that_is_no_object_is_refused(folder: DataFolder, content: bytes) -> None:
    leave_state(folder, content)

    with pytest.raises(BadOutput, match="cannot be kept: "):
        folder.read_state()


def test_a_state_has_a_limit(folder: DataFolder) -> None:
    room = STATE_BYTES - len(b'{"a":""}')
    leave_state(folder, b'{"a":"' + b"x" * room + b'"}')
    assert len(folder.read_state()["a"]) == room
    leave_state(folder, b'{"a":"' + b"x" * (room + 1) + b'"}')
    with pytest.raises(BadOutput, match="larger than 10,000,000 bytes"):
        folder.read_state()


def test_a_state_that_is_a_folder_is_refused(folder: DataFolder) -> None:
    (folder.path / "out" / "state.json").mkdir()

    with pytest.raises(BadOutput, match="not a plain file"):
        folder.read_state()


def test_removing_what_is_not_there_is_no_error(tmp_path: Path) -> None:
    DataFolder(tmp_path / "absent").remove()

    assert list(tmp_path.iterdir()) == []


WORK = "out/.work"


def leave_work(path: Path, content: str) -> Path:
    (path / WORK).mkdir(parents=True)
    (path / WORK / "pages").write_text(content)
    return path / "out"


def test_a_later_attempt_goes_on_with_what_the_last_one_left(tmp_path: Path) -> None:
    for attempt, content in (("2", "older"), ("10", "newer")):
        leave_work(tmp_path / attempt, content)
    folder = DataFolder(tmp_path / "11")
    folder.prepare({}, {})

    folder.take_over(WORK)

    assert (folder.path / WORK / "pages").read_text() == "newer"
    assert not (tmp_path / "10" / WORK).exists()


def test_what_a_component_is_still_at_is_left_to_it(tmp_path: Path) -> None:
    held = os.open(leave_work(tmp_path / "1", "mine"), os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    folder = DataFolder(tmp_path / "2")
    folder.prepare({}, {})

    folder.take_over(WORK)
    os.close(held)

    assert not (folder.path / WORK).exists()
    assert (tmp_path / "1" / WORK / "pages").read_text() == "mine"


def test_a_first_attempt_has_nothing_to_take_over(folder: DataFolder) -> None:
    folder.take_over(WORK)

    assert not (folder.path / WORK).exists()


def test_a_key_that_nobody_knows_is_named(folder: DataFolder) -> None:
    with pytest.raises(UnknownOption, match='Unrecognized option "foo" under "container"'):
        folder.prepare({"foo": 1}, {})


def test_empty_lists_are_written_as_objects_and_what_is_injected_wins(folder: DataFolder) -> None:
    given = {"storage": [], "parameters": None, "image_parameters": {"a": 1}, "variables_id": "5", "artifacts": {}}
    folder.write_configuration(given, action="test", image_parameters={"b": 2}, authorization={"oauth_api": {}})

    assert config(folder) == {
        "storage": {},
        "parameters": {},
        "image_parameters": {"b": 2},
        "authorization": {"oauth_api": {}},
        "variables_id": "5",
        "artifacts": {},
        "action": "test",
    }


def test_a_state_that_leads_elsewhere_is_refused(folder: DataFolder, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}")
    (folder.path / "out" / "state.json").symlink_to(tmp_path / "secret.json")

    with pytest.raises(BadOutput, match="not a plain file"):
        folder.read_state()


def test_a_link_that_a_program_left_is_not_written_through(folder: DataFolder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("somebody's")
    folder.create()
    (folder.path / "config.json").symlink_to(elsewhere)
    folder.write_configuration({"parameters": {"a": 1}})

    assert elsewhere.read_text() == "somebody's"
    assert json.loads((folder.path / "config.json").read_text())["parameters"] == {"a": 1}


def test_a_folder_in_the_place_of_the_configuration_does_not_stay(folder: DataFolder) -> None:
    folder.create()
    (folder.path / "config.json" / "deep").mkdir(parents=True)
    folder.write_configuration({})
    (folder.path / "config.json").unlink()
    (folder.path / "config.json").mkdir()
    folder.make_durable()

    assert not (folder.path / "config.json").exists()


def test_what_a_component_has_locked_is_removed_too(folder: DataFolder) -> None:
    folder.create()
    (folder.path / "out/tables/deep").mkdir()
    (folder.path / "out/tables/deep/file").write_text("")
    for name in ("out/tables/deep", "out/tables", "."):
        (folder.path / name).chmod(0)
    folder.remove()

    assert not folder.path.exists()


@pytest.mark.parametrize(
    "tree", [tree for tree in TREES if not tree.may_stay and tree.name != "wide"], ids=lambda tree: tree.name
)
def test_no_tree_hangs_or_breaks_the_end_of_a_component(folder: DataFolder, tree: Tree) -> None:
    made = subprocess.run([sys.executable, "-c", tree.source], cwd=folder.path / "out" / "files", capture_output=True)
    if CANNOT.encode() in made.stderr:
        pytest.skip("The tree cannot be made here.")

    folder.make_durable()
    folder.remove()
    assert not folder.path.exists()
