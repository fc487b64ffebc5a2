"""Which file goes into which table."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from penstock.runtime.output_mapping import BadOutput, map_tables


def write(folder: Path, name: str, manifest: object = None) -> None:
    (folder / name).write_text("id\n1\n")
    if manifest is not None:
        (folder / f"{name}.manifest").write_text(json.dumps(manifest))


def test_a_manifest_says_where_a_table_goes(tmp_path: Path) -> None:
    manifest = {"destination": "in.c-main.users", "incremental": True, "primary_key": ["id"], "metadata": [1]}
    write(tmp_path, "users.csv", manifest)
    [table] = map_tables(tmp_path, None)

    assert (table.destination, table.incremental, table.primary_key) == ("in.c-main.users", True, ("id",))
    assert table.file == tmp_path / "users.csv"


@pytest.mark.parametrize(
    ("name", "destination"),
    [
        ("users.csv", "in.c-component-1.users"),
        ("users", "in.c-component-1.users"),
        ("in.c-main.users.csv", "in.c-main.users"),
        ("in.c-main.users", "in.c-main.users"),
    ],
)
def test_without_a_manifest_the_name_decides(tmp_path: Path, name: str, destination: str) -> None:
    write(tmp_path, name)

    assert [table.destination for table in map_tables(tmp_path, "in.c-component-1")] == [destination]


def test_tables_come_in_order_of_name(tmp_path: Path) -> None:
    for name in ("c.csv", "a.csv", "b.csv"):
        write(tmp_path, name, {})

    assert [table.file.name for table in map_tables(tmp_path, "in.c-x")] == ["a.csv", "b.csv", "c.csv"]


def test_no_folder_means_no_tables(tmp_path: Path) -> None:
    assert map_tables(tmp_path / "absent", None) == []


def test_without_a_bucket_a_plain_name_leads_nowhere(tmp_path: Path) -> None:
    write(tmp_path, "users.csv")

    with pytest.raises(BadOutput, match=r'Failed to resolve destination for output table "users\.csv"'):
        map_tables(tmp_path, None)


def test_a_manifest_without_a_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "users.csv.manifest").write_text("{}")

    with pytest.raises(BadOutput, match=r'orphaned table manifest: "users\.csv\.manifest"'):
        map_tables(tmp_path, "in.c-x")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"incremental": "yes"}', b'{"primary_key": "id"}', b"\xff", b'{"a":' * 100_000]
)
def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, "users.csv")
    (tmp_path / "users.csv.manifest").write_bytes(content)

    with pytest.raises(BadOutput, match=r'The manifest "users\.csv\.manifest" cannot be read'):
        map_tables(tmp_path, "in.c-x")


def test_only_plain_files_are_tables(tmp_path: Path) -> None:
    (tmp_path / "sliced.csv").mkdir()
    with pytest.raises(BadOutput, match=r'"sliced\.csv" is not a plain file'):
        map_tables(tmp_path, "in.c-x")
    (tmp_path / "sliced.csv").rmdir()
    (tmp_path / "link.csv").symlink_to("/etc/hostname")
    with pytest.raises(BadOutput, match=r'"link\.csv" is not a plain file'):
        map_tables(tmp_path, "in.c-x")
    (tmp_path / "link.csv").unlink()
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(BadOutput, match=r'"pipe\.csv" is not a plain file'):
        map_tables(tmp_path, "in.c-x")


@pytest.mark.parametrize("kind", ["link", "dangling", "folder", "pipe"])
def test_only_plain_files_are_manifests(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "users.csv")
    manifest = tmp_path / "users.csv.manifest"
    if kind == "folder":
        manifest.mkdir()
    elif kind == "pipe":
        os.mkfifo(manifest)
    else:
        manifest.symlink_to("/etc/hostname" if kind == "link" else "/no/such/file")

    with pytest.raises(BadOutput, match="is not a plain file"):
        map_tables(tmp_path, "in.c-x")
