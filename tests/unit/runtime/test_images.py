"""Processors, the component, processors again, on one data folder."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from penstock.runtime.images import run_images


class Image(msgspec.Struct, frozen=True):
    name: str
    is_main: bool = False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("in/tables", "in/files", "out/tables", "out/files"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "in/tables/t.csv").write_text("start")
    (tmp_path / "in/state.json").write_text("{}")
    return tmp_path


def append(folder: Path, image: Image) -> str:
    """Copies the table with its own name added, and leaves a state."""
    before = (folder / "in/tables/t.csv").read_text()
    (folder / "out/tables/t.csv").write_text(f"{before}>{image.name}")
    (folder / "out/state.json").write_text(image.name)
    return f"{image.name} saw {sorted(path.name for path in (folder / 'in').iterdir())}"


IMAGES = [Image("before"), Image("main", is_main=True), Image("after")]


def test_what_one_writes_the_next_reads(folder: Path) -> None:
    run_images(IMAGES, folder, lambda image: append(folder, image))

    assert (folder / "out/tables/t.csv").read_text() == "start>before>main>after"


def test_states_are_not_handed_on_and_only_the_components_is_left(folder: Path) -> None:
    said = run_images(IMAGES, folder, lambda image: append(folder, image))

    assert said == [
        "before saw ['files', 'state.json', 'tables']",
        "main saw ['files', 'tables']",
        "after saw ['files', 'tables']",
    ]
    assert (folder / "out/state.json").read_text() == "main"
    assert sorted(path.name for path in folder.iterdir()) == ["in", "out"]


def test_a_component_alone_keeps_its_input_and_its_state(folder: Path) -> None:
    run_images([Image("main", is_main=True)], folder, lambda image: append(folder, image))

    assert (folder / "in/tables/t.csv").read_text() == "start"
    assert (folder / "out/state.json").read_text() == "main"


def test_an_error_ends_the_chain_and_keeps_what_the_component_said_of_itself(folder: Path) -> None:
    def run(image: Image) -> None:
        if image.name == "after":
            raise ValueError("broken")
        append(folder, image)
        (folder / "out/usage.json").write_text(image.name)

    with pytest.raises(ValueError, match="broken"):
        run_images([*IMAGES, Image("never")], folder, run)
    assert (folder / "out/usage.json").read_text() == "main"


@pytest.mark.parametrize("way", ["removed", "link", "file"])
def test_an_out_folder_that_is_none_is_made_anew_and_nothing_elsewhere_is_touched(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, way: str
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "state.json").write_text("mine")

    def run(_image: Image) -> None:
        for path in sorted((folder / "out").rglob("*"), reverse=True):
            path.rmdir()
        (folder / "out").rmdir()
        if way == "link":
            (folder / "out").symlink_to(other)
        elif way == "file":
            (folder / "out").write_text("")

    run_images([Image("main", is_main=True)], folder, run)
    assert (folder / "out").is_dir()
    assert not (folder / "out").is_symlink()
    assert (other / "state.json").read_text() == "mine"


def test_no_program_chooses_where_the_state_is_kept_meanwhile(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "usage.json").write_text("somebody's")

    def plant(image: Image) -> None:
        append(folder, image)
        if not (folder / ".kept").is_symlink():
            (folder / ".kept").symlink_to(elsewhere)

    run_images(IMAGES, folder, plant)

    assert [path.name for path in elsewhere.iterdir()] == ["usage.json"]
    assert not (folder / "out/usage.json").exists()
    assert (folder / "out/state.json").read_text() == "main"
