from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.foundation.database import Database
from penstock.foundation.lake.unpacking import Meter
from penstock.foundation.migrations import migrate
from penstock.server.first_project import FirstProject
from tests.support.made_once import make_once
from tests.support.postgresql import NewStack, PostgresServer, database_name
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.world import World, Worlds, make_world


@pytest.fixture(scope="module")
def shared(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[ServicesOnly]:
    """The services of a new stack, for all tests of a file."""
    folder = tmp_path_factory.mktemp("shared") / "data"
    shutil.copytree(new_data_folder, folder)
    stack = ServicesOnly(folder)
    yield stack
    stack.close()


@pytest.fixture
def new_project(shared: ServicesOnly) -> ServicesOnly:
    """A new project of the file's stack, for one test: whatever others made there, it has nothing yet."""
    token, caller = add_project(shared, "A new project")
    return shared.of(FirstProject(caller.project_id, token))


@pytest.fixture(scope="session")
def new_metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the common tables; copied, since to make them takes a while."""
    path = tmp_path_factory.mktemp("new-metadata") / "metadata.sqlite"
    _make_tables(path)
    return path


@pytest.fixture
def metadata_file(new_metadata: Path, tmp_path: Path) -> Path:
    """A database with the common tables, for one test."""
    return Path(shutil.copy(new_metadata, tmp_path))


@pytest.fixture(scope="session")
def new_metadata_on_postgresql(postgresql: PostgresServer) -> str:
    """The name of a database with the common tables, to be copied."""
    url = postgresql.make_database()
    _make_tables(url)
    return database_name(url)


@pytest.fixture
def metadata_url(postgresql: PostgresServer, new_metadata_on_postgresql: str) -> Generator[str]:
    """A database with the common tables, for one test."""
    url = postgresql.make_database(new_metadata_on_postgresql)
    yield url
    postgresql.drop_database(url)


def _make_tables(place: Path | str) -> None:
    made = Database(place)
    migrate(made.engine)
    made.close()


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what is unpacked from compressed tables meanwhile, piece by piece."""
    sizes, add = list[int](), Meter.add

    def note(meter: Meter, count: int) -> None:
        sizes.append(count)
        add(meter, count)

    monkeypatch.setattr(Meter, "add", note)
    return sizes


@pytest.fixture(scope="session")
def made_worlds(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World, World]:
    """Made once, for everybody to copy."""

    def make(folder: Path) -> tuple[World, World]:
        shutil.copytree(new_data_folder, folder)
        stack = ServicesOnly(folder)
        found = make_world(stack, "alder", first_project(stack)), make_world(stack, "birch", add_project(stack))
        stack.close()
        return found

    folder, (mine, theirs) = make_once(tmp_path_factory, "worlds", make)
    return folder, mine, theirs


@pytest.fixture(scope="session")
def made_world_on_postgresql(
    new_stack_on_postgresql: NewStack, tmp_path_factory: pytest.TempPathFactory
) -> tuple[NewStack, World]:
    """The same, with one project."""
    folder = tmp_path_factory.mktemp("made-on-postgresql") / "data"
    return new_stack_on_postgresql.fill(folder, lambda stack: make_world(stack, "alder", first_project(stack)))


@pytest.fixture(scope="module")
def worlds(made_worlds: tuple[Path, World, World], tmp_path_factory: pytest.TempPathFactory) -> Generator[Worlds]:
    """Two projects, for all tests of a file."""
    made, mine, theirs = made_worlds
    folder = tmp_path_factory.mktemp("worlds") / "data"
    # Sockets of engines that have ended cannot be copied.
    shutil.copytree(made, folder, ignore=shutil.ignore_patterns("*.sock"))
    stack = ServicesOnly(folder)
    yield Worlds(stack, mine.at(stack), theirs.at(stack))
    stack.close()


@pytest.fixture
def own_world(made_worlds: tuple[Path, World, World], tmp_path: Path) -> Generator[tuple[ServicesOnly, World]]:
    """One project of everything, for one test, which may change it."""
    shutil.copytree(made_worlds[0], tmp_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    stack = ServicesOnly(tmp_path / "data")
    yield stack, made_worlds[1].at(stack)
    stack.close()
