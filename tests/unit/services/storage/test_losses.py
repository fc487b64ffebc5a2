"""A catalog that is missing, empty or too old, and files that are missing or damaged: never an empty table."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from penstock.cli.doctor import contents
from penstock.cli.doctor.check import Check
from penstock.foundation.errors import Unavailable
from penstock.services.storage.errors.tables import TableLost
from penstock.services.storage.store.buckets import list_table_names
from penstock.settings import Settings
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.loading import fail, load, rows, storage, succeed

USERS = "in.c-main.users"
HEAD = "id,name\n"
FULL = HEAD + "".join(f"{number},n{number}\n" for number in range(50))


def _home(services: ServicesOnly) -> Path:
    [catalog] = services.stack.folder.glob("lake/*/catalog.sqlite")
    return catalog.parent


def _remove(home: Path) -> None:
    for file in home.glob("catalog.sqlite*"):
        file.unlink()


def _empty(home: Path) -> None:
    _remove(home)
    (home / "catalog.sqlite").touch()


def _remove_all(home: Path) -> None:
    shutil.rmtree(home)


def _forget_table(home: Path) -> None:
    """As in a catalog of an earlier backup."""
    with closing(sqlite3.connect(home / "catalog.sqlite")) as catalog, catalog:
        catalog.execute("DELETE FROM ducklake_table")
        catalog.execute("DELETE FROM ducklake_data_file")


def _doctor(services: ServicesOnly) -> Check:
    found = contents.examine(Settings(data_dir=str(services.stack.folder)))
    return next(check for check in found if check.name == "tables")


def _reopened(services: ServicesOnly, damage: Callable[[Path], None]) -> Http:
    home = _home(services)
    services.stack.lake.close()
    damage(home)
    return storage(services)


@pytest.mark.parametrize("damage", [_remove, _empty, _remove_all, _forget_table])
def test_a_table_that_its_catalog_does_not_know_is_lost_and_not_empty(
    services: ServicesOnly, damage: Callable[[Path], None]
) -> None:
    load_table(services, USERS, FULL)
    http = _reopened(services, damage)
    files = sorted(services.stack.folder.glob("lake/*/data/main/*/*"))

    preview = http.get(f"/tables/{USERS}/data-preview")
    assert (preview.status, preview.json["code"]) == (503, "storage.tables.lost")
    assert "penstock doctor" in preview.json["error"]
    imported = http.post(f"/tables/{USERS}/import", {"dataString": HEAD + "99,new\n", "incremental": 1})
    assert imported.status == 503
    for incremental in (True, False):
        with pytest.raises(TableLost):
            load_table(services, USERS, HEAD + "99,new\n", incremental=incremental)
    assert sorted(services.stack.folder.glob("lake/*/data/main/*/*")) == files
    assert http.get(f"/tables/{USERS}").json["rowsCount"] == 50
    [found] = [
        each for each in contents.examine(Settings(data_dir=str(services.stack.folder))) if each.name == "tables"
    ]
    assert found.is_wrong


@pytest.mark.parametrize("damage", [_remove, _empty])
def test_no_new_catalog_is_made_beside_files_of_tables(services: ServicesOnly, damage: Callable[[Path], None]) -> None:
    load_table(services, USERS, FULL)
    _reopened(services, damage)

    with pytest.raises(Unavailable, match="catalog of these tables is missing"):
        load_table(services, "in.c-main.other", FULL)


def test_a_table_that_was_dropped_is_not_lost(services: ServicesOnly) -> None:
    load_table(services, USERS, FULL)
    http = storage(services)
    [home] = [int(each.name) for each in services.stack.folder.glob("lake/*") if each.name.isdecimal()]
    with services.stack.database.reading() as tx:
        assert list_table_names(tx, home) == {"users"}

    succeed(http, http.send("DELETE", f"/tables/{USERS}?async=1"))

    assert http.get(f"/tables/{USERS}/data-preview").status == 404
    load_table(services, USERS, HEAD + "1,a\n")
    assert rows(http, USERS) == [["1", "a"]]


def _damage(services: ServicesOnly, damage: str) -> None:
    """All files of all tables."""
    services.stack.lake.close()
    for file in services.stack.folder.glob("lake/*/data/main/*/*.parquet"):
        content = file.read_bytes()
        file.chmod(0o600)
        damaged = {
            "cut": content[: len(content) // 2],
            "overwritten": b"x" * len(content),
            "empty": b"",
            "scrambled": content[:4] + bytes(byte ^ 0x55 for byte in content[4:-8]) + content[-8:],
        }
        if damage == "gone":
            file.unlink()
        else:
            file.write_bytes(damaged[damage])


NEED_ROWS: dict[str, Callable[[Http, str], Response]] = {
    "export": lambda http, table: http.post(f"/tables/{table}/export-async", {}),
    "merge": lambda http, table: load(http, table, HEAD + "1,new\n", incremental=1),
    "key": lambda http, table: http.post(f"/tables/{table}/primary-key", {"columns": ["name"]}),
    "deletion": lambda http, table: http.delete(f"/tables/{table}/rows?whereColumn=name&whereValues[]=n1"),
    "snapshot": lambda http, table: http.post(f"/tables/{table}/snapshots", {}),
}
NEED_NONE: dict[str, Callable[[Http, str], Response]] = {
    "add": lambda http, table: http.post(f"/tables/{table}/columns", {"name": "more"}),
    "drop": lambda http, table: http.delete(f"/tables/{table}/columns/name"),
    "replace": lambda http, table: load(http, table, HEAD + "1,new\n"),
    "remove": lambda http, table: http.delete(f"/tables/{table}?async=1"),
}


@pytest.fixture(scope="module")
def loaded_folder(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table for each operation; copied, since to load them takes a while."""
    folder = tmp_path_factory.mktemp("loaded") / "data"
    shutil.copytree(new_data_folder, folder)
    services = ServicesOnly(folder)
    for name in ("preview", *NEED_ROWS, *NEED_NONE):
        load_table(services, f"in.c-main.{name}", FULL, primary_key=("id",) if name == "merge" else ())
    services.close()
    return folder


@pytest.fixture
def loaded(loaded_folder: Path, tmp_path: Path) -> Generator[ServicesOnly]:
    services = ServicesOnly(Path(shutil.copytree(loaded_folder, tmp_path / "data")))
    yield services
    services.close()


@pytest.mark.parametrize("damage", ["gone", "cut", "overwritten", "empty", "scrambled"])
def test_a_table_with_a_damaged_file_is_reported_by_every_operation(loaded: ServicesOnly, damage: str) -> None:
    _damage(loaded, damage)
    http = storage(loaded)

    preview = http.get("/tables/in.c-main.preview/data-preview")
    said = {"preview": (preview.json["code"], preview.json["error"])}
    assert preview.status == 503, preview.text
    for name, do in NEED_ROWS.items():
        said[name] = fail(http, do(http, f"in.c-main.{name}"))
    for name, (code, message) in said.items():
        assert code == "storage.tables.damaged", (name, message)
        assert f'"in.c-main.{name}"' in message
        assert str(loaded.stack.folder) not in message
    for name, do in NEED_NONE.items():
        succeed(http, do(http, f"in.c-main.{name}"))
    if damage != "scrambled":  # that takes reading all rows
        assert _doctor(loaded).is_wrong
