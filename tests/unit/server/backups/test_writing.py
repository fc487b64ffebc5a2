"""Backups: taken while a stack works."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from penstock.foundation.files import locks
from penstock.server.backups import BackupFailed, restore_backup, write_backup
from penstock.server.backups.archive import CONTENTS, HEADER
from tests.support.files import to_read, to_write, upload, upload_slices
from tests.support.stacks import RunningStack, ServicesOnly
from tests.unit.server.backups.archives import names
from tests.unit.services.query.workspaces import SqlWorkspace


def test_a_backup_of_a_working_stack_becomes_a_stack_that_ends_its_jobs(stack: RunningStack, tmp_path: Path) -> None:
    stack.run_job("sample-orders")
    under_way = [stack.start_job(config) for config in ("sample-customers", "sample-orders", "sample-customers")]
    for number in range(3):
        write_backup(stack.folder, tmp_path / f"{number}.tar.gz")
        restore_backup(tmp_path / f"{number}.tar.gz", tmp_path / str(number))

    first, last = (RunningStack(tmp_path / number, "--workers", "1") for number in ("0", "2"))
    try:
        for restored in (first, last):
            assert restored.greeting["token"] == stack.greeting["token"]
            assert {restored.finish_job(job_id)["status"] for job_id in under_way} == {"success"}
            assert restored.rows_count("in.c-sample.customers") == len(restored.rows("in.c-sample.customers")) == 250
            assert restored.rows_count("in.c-sample.orders") == 430
    finally:
        for restored in (first, last):
            restored.stop()


def test_what_the_metadata_records_is_in_the_tables(stack: RunningStack, tmp_path: Path) -> None:
    for _ in range(3):
        stack.start_job("sample-customers")
    for number in range(5):
        write_backup(stack.folder, tmp_path / f"{number}.tar")
        restore_backup(tmp_path / f"{number}.tar", tmp_path / str(number))
        restored = ServicesOnly(tmp_path / str(number))
        storage = restored.service("storage")
        for table in storage.get("/v2/storage/tables").json:
            preview = storage.get(f"/v2/storage/tables/{table['id']}/data-preview?limit=1000&format=json").json
            assert len(preview["rows"]) == min(table["rowsCount"], 1000), table["id"]
        restored.close()


def test_the_output_of_a_job_that_is_not_loaded_yet_is_kept(services: ServicesOnly, tmp_path: Path) -> None:
    wanted = {"component": "ex-generic-v2", "config": "sample-customers"}
    job_id = services.service("queue").post("/jobs", wanted).json["id"]
    output = services.stack.jobs_folder / job_id / "0" / "1" / "out" / "tables"
    output.mkdir(parents=True)
    (output / "in.c-kept.table.csv").write_text('"a"\n"1"\n')
    (output.parents[1] / "config.json").write_text("secrets")
    with sqlite3.connect(services.stack.folder / "metadata.sqlite") as metadata:
        metadata.execute(
            "UPDATE queue_jobs SET status = 'processing', attempt = 1, worker = 'gone', "
            """progress = CAST('{"collected":{"part":0,"attempt":1,"done":{}}}' AS BLOB), """
            "lease_until = '2020-01-01 00:00:00.000000'"
        )
    metadata.close()

    write_backup(services.stack.folder, tmp_path / "b.tar")
    restore_backup(tmp_path / "b.tar", tmp_path / "restored")

    assert [name for name in names(tmp_path / "b.tar") if name.startswith("jobs/")] == [
        f"jobs/{job_id}/0/1/out/tables/in.c-kept.table.csv"
    ]
    restored = RunningStack(tmp_path / "restored", "--workers", "1")
    try:
        assert restored.finish_job(job_id)["status"] == "success"
        assert restored.rows("in.c-kept.table") == [["1"]]
    finally:
        restored.stop()


def test_a_backup_has_the_tables_of_a_workspace_that_runs_sql(services: ServicesOnly, tmp_path: Path) -> None:
    workspace = SqlWorkspace(services)
    workspace.run("CREATE TABLE t AS SELECT 1 AS n")
    running = workspace.submit("SELECT count(*) FROM range(1000000000) a, range(1000000000) b", dialect="duckdb")
    write_backup(services.stack.folder, tmp_path / "backup.tar")
    workspace.query.post(f"/api/v1/queries/{running.json['queryJobId']}/cancel", {})
    restore_backup(tmp_path / "backup.tar", tmp_path / "restored")

    assert not [name for name in names(tmp_path / "backup.tar") if name.endswith(".sock")]
    with closing(ServicesOnly(tmp_path / "restored")) as restored:
        path = f"/v2/storage/workspaces/{workspace.id}/query"
        found = restored.service("storage").post(path, {"query": "SELECT n FROM t"}).json
        assert found["data"]["rows"] == [{"N": "1"}]


def test_files_are_kept_with_their_bytes(services: ServicesOnly, tmp_path: Path) -> None:
    storage = services.service("storage")
    plain, sliced = upload(storage, b"plain", tags=["t"]), upload_slices(storage, {"1": b"one", "2": b"two"})
    to_write(plain).put("data.csv", b"newer")
    to_write(plain).put_block("unfinished", "1", b"block")
    storage.delete(f"/v2/storage/files/{upload(storage, b'deleted')['id']}")

    write_backup(services.stack.folder, tmp_path / "b.tar")
    restore_backup(tmp_path / "b.tar", tmp_path / "restored")

    assert len([name for name in names(tmp_path / "b.tar") if name.startswith("files/")]) == 4
    restored = ServicesOnly(tmp_path / "restored")
    try:
        again = restored.service("storage")
        assert {file["id"] for file in again.get("/v2/storage/files").json} == {plain["id"], sliced["id"]}
        assert to_read(again, plain["id"]).get("data.csv").body == b"newer"
        assert to_read(again, sliced["id"]).get("data.csv2").body == b"two"
    finally:
        restored.close()


def test_files_that_come_and_go_during_a_backup_do_not_spoil_it(services: ServicesOnly, tmp_path: Path) -> None:
    storage, is_over = services.service("storage"), threading.Event()

    def come_and_go() -> None:
        while not is_over.is_set():
            file = upload(storage, b"first")
            to_write(file).put("data.csv", b"second")
            storage.delete(f"/v2/storage/files/{file['id']}")

    busy = threading.Thread(target=come_and_go)
    busy.start()
    try:
        for number in range(5):
            write_backup(services.stack.folder, tmp_path / f"{number}.tar")
    finally:
        is_over.set()
        busy.join()
    assert restore_backup(tmp_path / "4.tar", tmp_path / "restored").has_key


def test_a_missing_content_is_found_before_the_backup_is_needed(services: ServicesOnly, tmp_path: Path) -> None:
    upload(services.service("storage"), b"1")
    next(path for path in (services.stack.files_folder / "stored").rglob("*") if path.is_file()).unlink()

    with pytest.raises(BackupFailed, match="the folder is damaged"):
        write_backup(services.stack.folder, tmp_path / "b.tar")


def test_what_a_restored_stack_does_not_need_is_left_out(data: Path, tmp_path: Path) -> None:
    for name in ("logs/stack.log", "jobs/1/1/config.json", "tmp/x", "backups/old.sqlite", "running.json", "up.lock"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text("x")

    written = write_backup(data, tmp_path / "b.tar")

    assert names(tmp_path / "b.tar") == [HEADER, "admin-token", "format", "key", "metadata.sqlite", CONTENTS]
    assert (written.has_key, written.files) == (True, 4)
    assert sorted(path.name for path in data.glob(".*")) == []


def test_a_key_that_is_kept_elsewhere_stays_there(data: Path, tmp_path: Path) -> None:
    key = (data / "key").rename(tmp_path / "key")

    assert not write_backup(data, tmp_path / "b.tar", key=key).has_key
    assert "key" not in names(tmp_path / "b.tar")
    assert not restore_backup(tmp_path / "b.tar", tmp_path / "restored").has_key


def test_a_backup_and_its_folder_are_for_their_owner_only(archive: Path, tmp_path: Path) -> None:
    restore_backup(archive, tmp_path / "restored")

    modes = {path.name: path.stat().st_mode & 0o777 for path in (archive, tmp_path / "restored")}
    assert modes == {"backup.tar": 0o600, "restored": 0o700}
    assert (tmp_path / "restored" / "key").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_is_replaced_only_by_force(data: Path, archive: Path) -> None:
    before = archive.read_bytes()

    with pytest.raises(BackupFailed, match="already there"):
        write_backup(data, archive)
    assert archive.read_bytes() == before

    write_backup(data, archive, force=True)
    assert names(archive)[0] == HEADER


def test_a_name_in_gz_is_compressed(data: Path, archive: Path, tmp_path: Path) -> None:
    write_backup(data, tmp_path / "b.tgz")

    assert (tmp_path / "b.tgz").stat().st_size < archive.stat().st_size / 2
    assert names(tmp_path / "b.tgz") == names(archive)


def test_a_place_that_cannot_be_is_a_sentence(data: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupFailed, match="There is no stack in"):
        write_backup(tmp_path / "nothing", tmp_path / "b.tar")
    with pytest.raises(BackupFailed, match="in the data folder itself"):
        write_backup(data, data / "b.tar")
    with pytest.raises(BackupFailed, match="in a folder that exists"):
        write_backup(data, tmp_path / "no" / "b.tar")
    with pytest.raises(BackupFailed, match="cannot be a file"):
        write_backup(data, tmp_path)


def test_a_missing_table_file_is_found_before_the_backup_is_needed(stack: RunningStack, tmp_path: Path) -> None:
    stack.run_job("sample-customers")
    write_backup(stack.folder, tmp_path / "b.tar")
    restore_backup(tmp_path / "b.tar", tmp_path / "damaged")
    next((tmp_path / "damaged" / "lake").rglob("*.parquet")).unlink()

    with pytest.raises(BackupFailed, match="the folder is damaged"):
        write_backup(tmp_path / "damaged", tmp_path / "c.tar")
    assert not list(tmp_path.glob("*c.tar*"))


def test_two_backups_at_once_are_refused(data: Path, tmp_path: Path) -> None:
    lock = locks.try_to_hold(data / "backup.lock")
    assert lock
    with lock, pytest.raises(BackupFailed, match="Another backup"):
        write_backup(data, tmp_path / "b.tar")
