"""Tables of a project: loaded, exported and deleted through the client."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import duckdb
import pytest

from penstock.client import Client, NotThere, StorageJobFailed, blobs
from penstock.client.loads import InvalidTableId, OtherKey
from tests.support.stacks import wait_for


def rows_of(client: Client, table_id: str) -> list[list[str]]:
    return sorted(client.preview(table_id).rows)


def test_a_load_creates_the_bucket_and_the_table_and_later_ones_replace_or_add(client: Client) -> None:
    table = client.tables.load("in.c-load.users", io.BytesIO(b"id,name\n1,Ada\n2,Emmy\n"), primary_key=["id"])
    assert (table.rows_count, table.primary_key, table.columns) == (2, ["id"], ["id", "name"])

    client.tables.load("in.c-load.users", io.BytesIO(b"id,name\n2,Noether\n3,Maria\n"), incremental=True)
    assert rows_of(client, "in.c-load.users") == [["1", "Ada"], ["2", "Noether"], ["3", "Maria"]]

    client.tables.load("in.c-load.users", io.BytesIO(b"id,name\n9,Zora\n"))
    assert rows_of(client, "in.c-load.users") == [["9", "Zora"]]


def test_a_compressed_file_and_another_delimiter_are_loaded(client: Client, tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"id;name\n1;Ada\n"))

    client.tables.load("in.c-load.packed", tmp_path / "a.csv.gz", delimiter=";")

    assert rows_of(client, "in.c-load.packed") == [["1", "Ada"]]


def test_another_primary_key_than_that_of_the_table_is_refused_before_anything_is_uploaded(client: Client) -> None:
    client.tables.load("in.c-load.keyed", io.BytesIO(b"id,name\n1,Ada\n"), primary_key=["id"])
    before = len(client.files.list(limit=1000))

    with pytest.raises(OtherKey, match="has the primary key id, so rows cannot be written by name"):
        client.tables.load("in.c-load.keyed", io.BytesIO(b"id,name\n1,Eve\n"), primary_key=["name"])

    assert len(client.files.list(limit=1000)) == before
    assert rows_of(client, "in.c-load.keyed") == [["1", "Ada"]]


def test_a_failed_load_raises_the_message_of_storage_and_leaves_no_file(client: Client) -> None:
    before = len(client.files.list(limit=1000))

    with pytest.raises(StorageJobFailed) as failure:
        client.tables.load("in.c-load.broken", io.BytesIO(b"id,name\n1\n"))

    assert failure.value.message
    assert client.tables.find("in.c-load.broken") is None
    assert len(client.files.list(limit=1000)) == before


@pytest.mark.parametrize("table_id", ["orders", "in.orders", "", "in..", "..orders"])
def test_an_invalid_table_id_is_named(client: Client, table_id: str) -> None:
    with pytest.raises((InvalidTableId, NotThere)) as refusal:
        client.tables.load(table_id or "x", io.BytesIO(b"id\n1\n"))

    assert "in.c-shop.orders" in refusal.value.message or refusal.value.status == 404


def read_slices(slices: list[Path]) -> list[tuple[str, str]]:
    with duckdb.connect() as duck:
        return duck.execute(
            "SELECT id, name FROM read_parquet(?) ORDER BY id", [[str(path) for path in slices]]
        ).fetchall()


@pytest.mark.parametrize("loads", [1, 2], ids=["one stored file", "several"])
def test_an_export_is_all_rows_and_its_file_is_removed(client: Client, tmp_path: Path, loads: int) -> None:
    table = f"in.c-load.exported{loads}"
    for number in range(loads):
        client.tables.load(table, io.BytesIO(f"id,name\n{number},Ada\n".encode()), incremental=True)
    before = len(client.files.list(limit=1000))

    slices = client.tables.export(table, tmp_path)

    assert read_slices(slices) == [(str(number), "Ada") for number in range(loads)]
    wait_for(lambda: len(client.files.list(limit=1000)) == before)


def test_an_export_of_a_table_that_changes_meanwhile_is_one_version_of_it(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blobs, "RANGE_BYTES", 100)
    client.tables.load("in.c-load.changing", io.BytesIO(b"id,name\n1,Ada\n"))
    changes = iter([b"id,name\n2,Emmy\n"])

    def change(_: int) -> None:
        for content in changes:
            client.tables.load("in.c-load.changing", io.BytesIO(content))

    assert read_slices(client.tables.export("in.c-load.changing", tmp_path, on_bytes=change)) == [("2", "Emmy")]
    assert next(changes, None) is None


def test_a_deleted_table_is_gone(client: Client) -> None:
    client.tables.load("in.c-load.short", io.BytesIO(b"id\n1\n"))

    client.tables.delete("in.c-load.short")

    assert client.tables.find("in.c-load.short") is None
    with pytest.raises(NotThere):
        client.tables.delete("in.c-load.short")
