"""The location of a stack's metadata: one kind is never mistaken for the other, and an existing stack is never
overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.app import find_schema
from penstock.cli.doctor.contents import check_server
from penstock.foundation.errors import AppError, Invalid
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack, open_stack, read_format
from penstock.foundation.stack.metadata_locations import read_note
from penstock.server.backups import write_backup
from penstock.server.backups.archive import BackupFailed
from penstock.settings import Settings
from tests.support.postgresql import PostgresServer, database_name

FORMAT = find_schema().format


def open_folder(folder: Path, database: str | None = None) -> Stack:
    return open_stack(Settings(data_dir=str(folder), database=database), Policy(), find_schema())


@pytest.fixture
def url(postgresql: PostgresServer) -> str:
    return postgresql.make_database()


def test_a_new_stack_on_postgresql_has_todays_format_and_no_file(url: str, tmp_path: Path) -> None:
    stack = open_folder(tmp_path, url)

    assert read_format(tmp_path) == FORMAT
    assert read_note(tmp_path) == stack.database.place
    assert not (tmp_path / "metadata.sqlite").exists()
    stack.close()
    open_folder(tmp_path, url).close()


def test_a_folder_on_postgresql_does_not_begin_a_file(url: str, tmp_path: Path) -> None:
    open_folder(tmp_path, url).close()

    with pytest.raises(Invalid, match=f"keeps its metadata in postgresql.*{database_name(url)}.*--database URL"):
        open_folder(tmp_path)
    assert not (tmp_path / "metadata.sqlite").exists()


def test_a_folder_with_its_metadata_does_not_go_to_postgresql(
    postgresql: PostgresServer, url: str, tmp_path: Path
) -> None:
    open_folder(tmp_path).close()

    with pytest.raises(Invalid, match="another --data-dir"):
        open_folder(tmp_path, url)
    assert tables(postgresql, url) == 0


def test_a_stack_is_not_begun_again_with_another_key(url: str, tmp_path: Path) -> None:
    open_folder(tmp_path / "first", url).close()

    with pytest.raises(Invalid, match="has secrets, and the key to them is not at"):
        open_folder(tmp_path / "second", url)
    assert not (tmp_path / "second" / "key").exists()
    (tmp_path / "second" / "key").write_bytes((tmp_path / "first" / "key").read_bytes())
    (tmp_path / "second" / "key").chmod(0o600)
    open_folder(tmp_path / "second", url).close()


def test_a_folder_is_not_opened_on_an_empty_database(postgresql: PostgresServer, url: str, tmp_path: Path) -> None:
    open_folder(tmp_path, url).close()
    empty = postgresql.make_database()

    with pytest.raises(Invalid, match="is not in postgresql"):
        open_folder(tmp_path, empty)
    assert tables(postgresql, empty) == 0


def test_a_newer_format_in_the_database_is_refused(postgresql: PostgresServer, url: str, tmp_path: Path) -> None:
    open_folder(tmp_path, url).close()
    postgresql.ask(f"UPDATE alembic_version SET version_num = '{FORMAT + 1:04}'", database_name(url))

    with pytest.raises(Invalid, match=f"has format {FORMAT + 1}, and this version of Penstock reads up to {FORMAT}"):
        open_folder(tmp_path, url)


def test_a_database_that_cannot_hold_every_text_is_refused(postgresql: PostgresServer, tmp_path: Path) -> None:
    latin = postgresql.make_database(options="ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")

    with pytest.raises(Invalid, match=r"LATIN1.*CREATE DATABASE"):
        open_folder(tmp_path, latin)


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"postgresql://me:\*\*\*@/x.* cannot be used: .*No such file") as refused:
        open_folder(tmp_path / "data", f"postgresql://me:hush@/x?host={tmp_path}")
    assert "hush" not in refused.value.message
    assert not (tmp_path / "data" / "key").exists()


def test_a_backup_of_a_stack_on_postgresql_is_refused_with_a_hint(url: str, tmp_path: Path) -> None:
    open_folder(tmp_path / "data", url).close()

    with pytest.raises(BackupFailed, match="pg_dump"):
        write_backup(tmp_path / "data", tmp_path / "backup.tar")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_the_doctor_looks_at_the_server(postgresql: PostgresServer, url: str, tmp_path: Path) -> None:
    empty = check_server(tmp_path, url)
    open_folder(tmp_path, url).close()
    whole = check_server(tmp_path, url)
    lost = check_server(tmp_path, postgresql.url("absent"))

    assert (empty.state, whole.state, lost.state) == ("note", "ok", "wrong")
    assert "is empty" in empty.text
    assert f"format {FORMAT}" in whole.text
    assert 'database "absent" does not exist' in lost.text


def tables(server: PostgresServer, url: str) -> int:
    return server.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database_name(url))[0][0]
