"""A catalog that was replaced by an older copy: rows that were added later are not silently lost."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, select

from penstock.cli.doctor import contents
from penstock.cli.doctor.check import Check
from penstock.foundation import clock
from penstock.foundation.ids import sequences
from penstock.foundation.lake import Lake, LakeTable, add_column
from penstock.foundation.lake.errors import CatalogOutdated
from penstock.foundation.lake.types import Column
from penstock.foundation.stack.catalog_versions import PREFIX
from penstock.services.storage.operations.maintenance import maintain_all
from penstock.settings import Settings
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.loading import fail, rows, storage, succeed

USERS, OTHER = "in.c-main.users", "in.c-main.other"
HEAD = "id,name\n"


def home_of(services: ServicesOnly) -> Path:
    [catalog] = services.stack.folder.glob("lake/*/catalog.sqlite")
    return catalog.parent


def copy_catalog(source: Path, target: Path) -> None:
    """As an operator does it who has only files."""
    target.mkdir(exist_ok=True)
    for file in target.glob("catalog.sqlite*"):
        file.unlink()
    for file in source.glob("catalog.sqlite*"):
        shutil.copy(file, target)


def doctor(services: ServicesOnly) -> Check:
    found = contents.examine(Settings(data_dir=str(services.stack.folder)))
    return next(check for check in found if check.name == "tables")


def noted(services: ServicesOnly) -> dict[str, int]:
    with services.stack.database.reading() as tx:
        found = tx.connection.execute(select(sequences).where(sequences.c.name.startswith(PREFIX))).fetchall()
    return {row.name: row.value for row in found}


@pytest.mark.parametrize("is_running", [True, False], ids=["while the stack runs", "while it is stopped"])
def test_an_older_catalog_is_refused_and_the_right_one_is_taken_again(
    services: ServicesOnly, tmp_path: Path, is_running: bool
) -> None:
    http, lake = storage(services), services.stack.lake
    load_table(services, OTHER, HEAD + "1,a\n")
    load_table(services, USERS, HEAD + "1,a\n")
    lake.close()
    copy_catalog(home_of(services), tmp_path / "older")
    load_table(services, USERS, HEAD + "2,b\n", incremental=True)
    assert not doctor(services).is_wrong
    if not is_running:
        lake.close()
    copy_catalog(home_of(services), tmp_path / "newer")
    copy_catalog(tmp_path / "older", home_of(services))

    preview = http.get(f"/tables/{USERS}/data-preview")
    assert (preview.status, preview.json["code"]) == (503, "storage.tables.lost"), preview.text
    assert "older than what the stack has recorded" in preview.json["error"]
    assert str(services.stack.folder) not in preview.text
    assert http.post(f"/tables/{USERS}/import", {"dataString": HEAD + "3,c\n", "incremental": 1}).status == 503
    # A load into any table would make the catalog newer, and the loss could not be seen any more.
    with pytest.raises(CatalogOutdated):
        load_table(services, OTHER, HEAD + "2,b\n")
    found = doctor(services)
    assert found.is_wrong
    assert "is older than the database" in found.text

    copy_catalog(tmp_path / "newer", home_of(services))
    assert rows(http, USERS) == [["1", "a"], ["2", "b"]]
    assert not doctor(services).is_wrong


def test_every_change_of_a_table_is_noted(services: ServicesOnly) -> None:
    http, seen = storage(services), [0]

    def is_noted() -> bool:
        [version] = noted(services).values()
        with services.stack.lake.existing(LakeTable(int(home_of(services).name), "users")) as session:
            is_new = version == session.find_version() > seen[-1]
        seen.append(version)
        return is_new

    load_table(services, USERS, HEAD + "1,a\n")
    assert is_noted()
    load_table(services, USERS, HEAD + "2,b\n", incremental=True)
    assert is_noted()
    succeed(http, http.post(f"/tables/{USERS}/columns", {"name": "more"}))
    assert is_noted()
    succeed(http, http.delete(f"/tables/{USERS}/rows?whereColumn=id&whereValues[]=1"))
    assert is_noted()

    succeed(http, http.delete("/buckets/in.c-main?force=1&async=1"))
    assert noted(services) == {}


def test_a_record_that_is_behind_or_missing_is_not_damage(services: ServicesOnly) -> None:
    http = storage(services)
    load_table(services, USERS, HEAD + "1,a\n")
    bucket = int(home_of(services).name)
    crashed = Lake(services.stack.lake.folder)
    add_column(crashed, LakeTable(bucket, "users"), Column("later"))  # and never recorded
    crashed.close()

    services.stack.lake.close()
    assert rows(http, USERS) == [["1", "a"]]
    with services.stack.database.writing() as tx:
        tx.change(delete(sequences).where(sequences.c.name.startswith(PREFIX)))
    assert rows(http, USERS) == [["1", "a"]]
    assert not doctor(services).is_wrong


def test_a_lost_snapshot_is_reported(services: ServicesOnly) -> None:
    http = storage(services)
    load_table(services, USERS, HEAD + "1,a\n")
    made = succeed(http, http.post(f"/tables/{USERS}/snapshots", {}))
    services.stack.lake.close()
    shutil.rmtree(services.stack.folder / "lake" / str(made["id"]))

    body = {"name": "copy", "snapshotId": made["id"]}
    code, message = fail(http, http.post("/buckets/in.c-main/tables-async", body))

    assert (code, f'snapshot "{made["id"]}"' in message) == ("storage.tables.lost", True)
    assert doctor(services).is_wrong


def test_what_a_lost_table_was_is_lost_too(services: ServicesOnly) -> None:
    http = storage(services)
    load_table(services, USERS, HEAD + "1,a\n")
    services.stack.lake.close()
    shutil.rmtree(home_of(services))

    body = {"name": "copy", "sourceTableId": USERS, "timestamp": "now"}
    code, message = fail(http, http.post("/buckets/in.c-main/tables-async", body))

    assert (code, USERS in message) == ("storage.tables.lost", True)


def test_one_older_catalog_does_not_keep_other_buckets_from_being_maintained(
    services: ServicesOnly, tmp_path: Path
) -> None:
    lake, later = services.stack.lake, "in.c-later.users"
    load_table(services, USERS, HEAD + "1,a\n")
    home = home_of(services)
    lake.close()
    copy_catalog(home, tmp_path / "older")
    load_table(services, USERS, HEAD + "2,b\n", incremental=True)
    lake.close()
    copy_catalog(tmp_path / "older", home)
    load_table(services, later, HEAD + "1,a\n")
    file = next(path for path in services.stack.folder.glob("lake/*/**/*.parquet") if home not in path.parents)
    forgotten = file.with_name("of-nobody.parquet")
    forgotten.write_bytes(b"")
    os.utime(forgotten, (0, 0))

    maintain_all(services.stack, clock.now() - timedelta(days=1))

    assert not forgotten.exists()
