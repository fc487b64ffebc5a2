"""A data folder: opened, moved, migrated to the current format, or refused with an error message."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import delete

from penstock.app import find_schema, open_from
from penstock.foundation.database import Database
from penstock.foundation.errors import Invalid
from penstock.foundation.ids import sequences
from penstock.foundation.lake.engine import THREADS
from penstock.foundation.migrations import Schema, migrate
from penstock.foundation.outbound import Policy
from penstock.foundation.secrets import Cipher, read_or_make_key
from penstock.foundation.stack import Stack, open_stack, read_format
from penstock.foundation.stack.fingerprints import NAME, WrongKey
from penstock.server.first_project import ensure_project
from penstock.settings import Settings
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table

FORMAT = Schema().format


def open_folder(folder: Path, schema: Schema | None = None) -> Stack:
    return open_stack(Settings(data_dir=str(folder)), Policy(), schema or Schema())


def test_a_new_folder_becomes_a_stack_of_todays_format(tmp_path: Path) -> None:
    open_folder(tmp_path / "data").close()

    assert read_format(tmp_path / "data") == FORMAT
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    assert not (tmp_path / "data" / "backups").exists()


@pytest.mark.parametrize(("wanted", "used"), [(None, THREADS), (3, 3)])
def test_a_setting_is_how_many_threads_load_tables(tmp_path: Path, wanted: int | None, used: int) -> None:
    stack = open_stack(Settings(data_dir=str(tmp_path), lake_threads=wanted), Policy(), Schema())

    assert stack.lake.threads == used
    stack.close()


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "format").write_text(f"{FORMAT + 1}\n")

    with pytest.raises(Invalid, match=f"has format {FORMAT + 1}, and this version of Penstock reads up to {FORMAT}"):
        open_folder(tmp_path)
    assert not (tmp_path / "metadata.sqlite").exists()


@pytest.mark.parametrize("text", ["", "two", "-1", "1.5"])
def test_a_format_that_is_not_a_number_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "format").write_text(text)

    with pytest.raises(Invalid, match="format"):
        open_folder(tmp_path)


def test_an_older_format_is_migrated_after_a_copy(tmp_path: Path) -> None:
    old = Database(tmp_path / "metadata.sqlite")
    migrate(old.engine, 1)
    old.close()
    read_or_make_key(tmp_path / "key")
    (tmp_path / "format").write_text("1\n")
    kept = sqlite3.connect(tmp_path / "metadata.sqlite")
    kept.execute("INSERT INTO management_projects VALUES (41, 'kept', '2026-01-01 00:00:00.000000')")
    kept.execute("UPDATE foundation_sequences SET value = 41")
    kept.commit()
    kept.close()

    stack = open_folder(tmp_path)
    assert read_format(tmp_path) == FORMAT
    assert names(tmp_path / "metadata.sqlite") == {"kept"}
    [copy] = (tmp_path / "backups").iterdir()
    assert copy.name.startswith("metadata-format-1-")
    assert names(copy) == {"kept"}
    assert "queue_jobs" not in tables(copy)
    assert "queue_jobs" in tables(tmp_path / "metadata.sqlite")
    stack.close()
    open_folder(tmp_path).close()
    assert len(list((tmp_path / "backups").iterdir())) == 1


def names(path: Path) -> set[str]:
    return ask(path, "SELECT name FROM management_projects")


def tables(path: Path) -> set[str]:
    return ask(path, "SELECT name FROM sqlite_master WHERE type = 'table'")


def ask(path: Path, statement: str) -> set[str]:
    connection = sqlite3.connect(path)
    found = {row[0] for row in connection.execute(statement)}
    connection.close()
    return found


def test_a_migration_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    """Killed after the schema was made and before the number was written."""
    stack = open_folder(tmp_path, find_schema())
    token = ensure_project(stack).token
    stack.close()
    (tmp_path / "format").unlink()

    again = open_folder(tmp_path, find_schema())
    assert ensure_project(again).token == token
    again.close()


def test_a_moved_folder_still_opens(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "old")
    before = ServicesOnly(tmp_path / "old")
    load_table(before, "in.c-main.users", "id,#secret\n1,a\n")
    before.close()
    (tmp_path / "old").rename(tmp_path / "it's moved")

    after = ServicesOnly(tmp_path / "it's moved")
    preview = after.service("storage").get("/v2/storage/tables/in.c-main.users/data-preview")
    assert after.project == before.project
    assert preview.text == '"id","secret"\n"1","a"\n'
    load_table(after, "in.c-main.users", "id,#secret\n2,b\n", incremental=True)
    assert after.service("storage").get("/v2/storage/tables/in.c-main.users").json["rowsCount"] == 2
    after.close()


def test_a_key_that_others_can_read_stops_the_start(new_data_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(new_data_folder, tmp_path / "data")
    (tmp_path / "data" / "key").chmod(0o644)

    with pytest.raises(Invalid, match="chmod 600"):
        open_stack(Settings(data_dir=str(tmp_path / "data")), Policy(), find_schema())


def test_a_key_may_be_elsewhere(tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path / "data"), key_file=str(tmp_path / "key-elsewhere"))
    open_stack(settings, Policy(), Schema()).close()

    assert (tmp_path / "key-elsewhere").exists()
    assert not (tmp_path / "data" / "key").exists()


def test_a_revoked_administrators_token_is_replaced_at_the_next_start(services: ServicesOnly) -> None:
    number = services.project.token.split("-")[1]
    services.service("storage").delete(f"/v2/storage/tokens/{number}")

    project = ensure_project(services.stack)
    assert project.id == services.project.id
    assert project.token != services.project.token
    assert services.service("storage", project.token).get("/v2/storage/tokens/verify").status == 200


def test_a_stack_without_its_key_is_refused_and_gets_no_new_one(new_data_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(new_data_folder, folder)
    (folder / "key").unlink()

    with pytest.raises(Invalid, match="--key-file"):
        open_stack(Settings(data_dir=str(folder)), Policy(), find_schema())

    assert not (folder / "key").exists()


def _start(folder: Path, key: Path | None = None) -> Stack:
    return open_from(Settings(data_dir=str(folder), key_file=str(key) if key else None), Policy())


def _forget_fingerprint(stack: Stack) -> None:
    """As a stack of an earlier version has none."""
    with stack.database.writing() as tx:
        tx.change(delete(sequences).where(sequences.c.name == NAME))


def test_another_valid_key_is_refused_with_the_way_out(new_data_folder: Path, tmp_path: Path) -> None:
    folder, other = Path(shutil.copytree(new_data_folder, tmp_path / "data")), tmp_path / "other"
    read_or_make_key(other)
    _start(folder).close()

    with pytest.raises(WrongKey, match="--key-file FILE"):
        _start(folder, other)
    shutil.copy(other, folder / "key")
    with pytest.raises(WrongKey):
        _start(folder)


def test_the_stored_fingerprint_does_not_reveal_the_key(new_data_folder: Path) -> None:
    key = read_or_make_key(new_data_folder / "key")

    assert Cipher(key).fingerprint == Cipher(key).fingerprint
    assert 0 < Cipher(key).fingerprint < 2**63
    assert Cipher(key).fingerprint != int.from_bytes(key[:8]) >> 1


@pytest.mark.parametrize("kind", ["vault", "configuration", "nothing"])
def test_an_earlier_stack_notes_its_key_if_that_opens_a_secret(
    new_data_folder: Path, tmp_path: Path, kind: str
) -> None:
    folder, other = Path(shutil.copytree(new_data_folder, tmp_path / "data")), tmp_path / "other"
    read_or_make_key(other)
    services = ServicesOnly(folder)
    if kind == "vault":
        made = services.service("vault").post("/variables", {"key": "k", "value": "secret", "flags": ["encrypted"]})
        assert made.status == 201
    if kind == "configuration":
        body = {"name": "c", "configuration": {"parameters": {"api": {"baseUrl": "https://a.example/"}, "#p": "s"}}}
        response = services.service("storage").post("/v2/storage/components/ex-generic-v2/configs", body)
        assert response.status == 201
    _forget_fingerprint(services.stack)
    services.close()

    if kind != "nothing":  # a wrong key is not noted as the right one
        _start(folder, other).close()
    _start(folder).close()
    with pytest.raises(WrongKey):
        _start(folder, other)
