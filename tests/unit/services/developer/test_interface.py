"""Which components a stack has."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.components import catalogue
from penstock.components.catalogue import CATALOGUE
from penstock.foundation.database import Database
from penstock.services.developer import interface as developer


@pytest.fixture
def database(new_data_folder: Path, tmp_path: Path) -> Generator[Database]:
    made = Database(Path(shutil.copy(new_data_folder / "metadata.sqlite", tmp_path)))
    yield made
    made.close()


def write(folder: Path, component_id: str, name: str = "X") -> Path:
    folder.mkdir(exist_ok=True)
    document = {"id": component_id, "name": name, "type": "other", "command": ["python", "main.py"]}
    (folder / "component.json").write_text(json.dumps(document))
    (folder / "main.py").touch()
    return folder


def add(database: Database, folder: Path) -> None:
    wanted = developer.read_folder(folder)
    with database.writing() as tx:
        developer.add_component(tx, wanted)


def test_what_ships_is_found_by_id_and_alias(database: Database) -> None:
    with database.reading() as tx:
        assert developer.find_component(tx, "keboola.ex-generic-v2") is CATALOGUE[0]
        assert developer.find_component(tx, "nobody.nothing") is None
        assert developer.list_components(tx) == list(CATALOGUE)


def test_an_added_component_is_as_in_its_folder_until_it_is_removed(database: Database, tmp_path: Path) -> None:
    add(database, write(tmp_path / "x", "me.ex-x"))

    with database.writing() as tx:
        found = developer.find_component(tx, "me.ex-x")
        assert found
        assert (found.name, found.folder, found.command) == ("X", tmp_path / "x", ("python", "main.py"))
        assert developer.list_components(tx)[-1] == found
        developer.remove_component(tx, "me.ex-x")
        assert developer.find_component(tx, "me.ex-x") is None
        with pytest.raises(developer.ComponentNotAdded):
            developer.remove_component(tx, "me.ex-x")


def test_adding_again_reads_the_folder_anew(database: Database, tmp_path: Path) -> None:
    add(database, write(tmp_path / "x", "me.ex-x", "Old"))
    add(database, write(tmp_path / "x", "me.ex-x", "New"))

    with database.reading() as tx:
        assert [component.name for component in developer.list_components(tx)[len(CATALOGUE) :]] == ["New"]


@pytest.mark.parametrize("component_id", ["ex-generic-v2", "keboola.ex-generic-v2", "keboola.variables"])
def test_what_ships_is_neither_replaced_nor_removed(database: Database, tmp_path: Path, component_id: str) -> None:
    with pytest.raises(developer.ComponentShips, match="cannot be replaced"):
        add(database, write(tmp_path / "x", component_id))
    with database.writing() as tx, pytest.raises(developer.ComponentShips, match="cannot be removed"):
        developer.remove_component(tx, component_id)


def test_a_program_may_be_added_for_a_component_that_cannot_run_yet(database: Database, tmp_path: Path) -> None:
    add(database, write(tmp_path / "x", "keboola.ex-aws-s3", "Mine"))

    with database.writing() as tx:
        found = developer.find_component(tx, "keboola.ex-aws-s3")
        listed = [each for each in developer.list_components(tx) if each.id == "keboola.ex-aws-s3"]
        developer.remove_component(tx, "keboola.ex-aws-s3")
        left = developer.find_component(tx, "keboola.ex-aws-s3")

    assert found
    assert (found.name, found.is_runnable, listed) == ("Mine", True, [found])
    assert left
    assert not left.is_runnable


@pytest.fixture
def newly_shipped(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a component that was added while the id was free, as before an update."""
    free = tuple(component for component in CATALOGUE if component.id != "keboola.snowflake-transformation")
    with monkeypatch.context() as before:
        before.setattr(catalogue, "CATALOGUE", free)
        add(database, write(tmp_path / "x", "keboola.snowflake-transformation", "Mine"))
    return "keboola.snowflake-transformation"


def test_one_that_was_added_before_its_id_shipped_stays(database: Database, newly_shipped: str) -> None:
    with database.writing() as tx:
        found = developer.find_component(tx, newly_shipped)
        listed = [component for component in developer.list_components(tx) if component.id == newly_shipped]
        assert found
        assert (found.name, listed, developer.replaces_shipped(found)) == ("Mine", [found], True)

        developer.remove_component(tx, newly_shipped)
        shipped = developer.find_component(tx, newly_shipped)
        assert shipped
        assert (shipped in CATALOGUE, developer.replaces_shipped(shipped)) == (True, False)


def test_it_is_read_anew_until_it_is_removed(database: Database, newly_shipped: str, tmp_path: Path) -> None:
    add(database, write(tmp_path / "x", newly_shipped, "Changed"))

    with database.writing() as tx:
        found = developer.find_component(tx, newly_shipped)
        developer.remove_component(tx, newly_shipped)
    assert found
    assert found.name == "Changed"
    with pytest.raises(developer.ComponentShips, match="cannot be replaced"):
        add(database, write(tmp_path / "x", newly_shipped))
