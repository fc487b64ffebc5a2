"""Backups: taken while a stack works, and turned into a stack again."""

from __future__ import annotations

import io
import os
import shutil
import signal
import sqlite3
import subprocess
import tarfile
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from penstock.foundation import locks
from penstock.foundation.secrets import read_or_make_key
from penstock.server.backups import BackupFailed, restore_backup, write_backup
from penstock.server.backups.archive import CONTENTS, HEADER
from tests.support.files import to_read, to_write, upload, upload_slices
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, ServicesOnly, clean_environment, wait_for

Change = Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]


@pytest.fixture
def data(new_data_folder: Path, tmp_path: Path) -> Path:
    """A data folder that nobody uses."""
    return Path(shutil.copytree(new_data_folder, tmp_path / "data"))


@pytest.fixture
def archive(data: Path, tmp_path: Path) -> Path:
    write_backup(data, tmp_path / "backup.tar")
    return tmp_path / "backup.tar"


def rewrite(archive: Path, change: Change) -> None:
    """The same archive with its members changed."""
    with tarfile.open(archive) as tar:
        members = [(member, (tar.extractfile(member) or io.BytesIO()).read()) for member in tar]
    change(members)
    with tarfile.open(archive, "w") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def names(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        return tar.getnames()


def test_a_backup_of_a_working_stack_becomes_a_stack_that_ends_its_jobs(stack: RunningStack, tmp_path: Path) -> None:
    stack.run_job("sample-orders")
    under_way = [stack.start_job(config) for config in ("sample-customers", "sample-orders") * 2]
    for number in range(4):
        write_backup(stack.folder, tmp_path / f"{number}.tar.gz")
        restore_backup(tmp_path / f"{number}.tar.gz", tmp_path / str(number))

    first, last = (RunningStack(tmp_path / number) for number in ("0", "3"))
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
    restored = RunningStack(tmp_path / "restored")
    try:
        assert restored.finish_job(job_id)["status"] == "success"
        assert restored.rows("in.c-kept.table") == [["1"]]
    finally:
        restored.stop()


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


def test_a_folder_in_use_or_with_anything_in_it_is_not_touched(
    archive: Path, data: Path, stack: RunningStack, tmp_path: Path
) -> None:
    with pytest.raises(BackupFailed, match="is not empty"):
        restore_backup(archive, data)
    with pytest.raises(BackupFailed, match=f"A stack is running on .* \\(process {stack.process.pid}\\)"):
        restore_backup(archive, stack.folder)
    (tmp_path / "empty").mkdir()
    assert restore_backup(archive, tmp_path / "empty").has_key


def add(name: str, kind: bytes = tarfile.REGTYPE, linked: str = "") -> Change:
    def change(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, linked
        members.insert(1, (member, b""))

    return change


def set_header(**values: object) -> Change:
    def change(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member, content = members[0]
        members[0] = (member, msgspec.json.encode({**msgspec.json.decode(content), **values}))

    return change


def alter(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    member, content = members[4]
    members[4] = (member, content[:-1] + b"!")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (add("../outside"), "which no backup does"),
        (add("/tmp/outside"), "which no backup does"),
        (add("a/../../outside"), "which no backup does"),
        (add("./a"), "which no backup does"),
        (add("a\\b"), "which no backup does"),
        (add("link", tarfile.SYMTYPE, "/etc/passwd"), "which no backup does"),
        (add("link", tarfile.LNKTYPE, "key"), "which no backup does"),
        (add("device", tarfile.CHRTYPE), "which no backup does"),
        (add("pipe", tarfile.FIFOTYPE), "which no backup does"),
        (add("folder", tarfile.DIRTYPE), "which no backup does"),
        (add("more"), "not those that were put into it"),
        (add("key"), "could not be restored"),
        (alter, "not those that were put into it"),
        (set_header(format=999), "has format 999"),
        (set_header(version=2), "Restore it with that version or a newer one"),
        (set_header(format=1), "its format number is not that of its folder"),
        (set_header(kind="other"), "not a backup that Penstock made"),
        (lambda members: members.pop(0), "not a backup that Penstock made"),
        (lambda members: members.pop(), "cut short"),
        (lambda members: members.clear(), "not a backup that Penstock made"),
    ],
)
def test_an_archive_that_is_not_what_was_written_is_refused(
    archive: Path, tmp_path: Path, change: Change, complaint: str
) -> None:
    rewrite(archive, change)
    before = sorted(tmp_path.iterdir())

    with pytest.raises(BackupFailed, match=complaint):
        restore_backup(archive, tmp_path / "restored")

    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["b.tar", "b.tar.gz"])
def test_an_archive_cut_anywhere_is_refused(data: Path, tmp_path: Path, name: str) -> None:
    write_backup(data, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    # The zeros at the end of a tar file carry nothing.
    needed = len(whole.rstrip(b"\0")) - 100
    for size in [*range(0, needed, needed // 40), needed]:
        (tmp_path / name).write_bytes(whole[:size])
        with pytest.raises(BackupFailed):
            restore_backup(tmp_path / name, tmp_path / "restored")
    assert not (tmp_path / "restored").exists()
    assert not list(tmp_path.glob(".restored*"))


def test_any_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello " * 1000)

    with pytest.raises(BackupFailed, match="not a backup that Penstock made"):
        restore_backup(tmp_path / "text", tmp_path / "restored")
    with pytest.raises(BackupFailed, match="There is no file"):
        restore_backup(tmp_path / "nothing", tmp_path / "restored")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_backup_leaves_nothing_behind(data: Path, tmp_path: Path, number: int) -> None:
    (data / "large").touch()
    os.truncate(data / "large", 1_000_000_000)
    writing = subprocess.Popen(
        [*PENSTOCK, "backup", "b.tar", "--data-dir", data], cwd=tmp_path, env=clean_environment()
    )
    wait_for(lambda: [path for path in tmp_path.glob(".b.tar-*") if path.stat().st_size > 1_000_000])
    writing.send_signal(number)

    assert writing.wait(PATIENCE) == {signal.SIGINT: 130, signal.SIGTERM: 143}[signal.Signals(number)]
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    assert not list(data.glob(".backup-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_restore_leaves_nothing_behind(data: Path, tmp_path: Path, number: int) -> None:
    (data / "large").touch()
    os.truncate(data / "large", 300_000_000)
    write_backup(data, tmp_path / "b.tar")
    command = [*PENSTOCK, "restore", "b.tar", "--data-dir", "restored"]
    restoring = subprocess.Popen(command, cwd=tmp_path, env=clean_environment())
    wait_for(lambda: list(tmp_path.glob(".restored-*/large")))
    restoring.send_signal(number)

    assert restoring.wait(PATIENCE) == {signal.SIGINT: 130, signal.SIGTERM: 143}[signal.Signals(number)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "data"]


def test_a_backup_without_the_key_holds_no_live_token_and_no_secret(services: ServicesOnly, tmp_path: Path) -> None:
    storage, vault = services.service("storage"), services.service("vault")
    once = {"Idempotency-Key": "once", "Content-Type": "application/json"}
    made = storage.send("POST", "/v2/storage/tokens", b'{"description": "a"}', once)
    refreshed = storage.post(f"/v2/storage/tokens/{made.json['id']}/refresh", {})
    parameters = {"api": {"baseUrl": "https://a.example/"}, "#password": "canary-configuration"}
    body = {"name": "c", "configuration": {"parameters": parameters}, "state": {"#token": "canary-state"}}
    assert storage.post("/v2/storage/components/ex-generic-v2/configs", body).status == 201
    assert vault.post("/variables", {"key": "k", "value": "canary-vault", "flags": ["encrypted"]}).status == 201
    job = {"component": "ex-generic-v2", "mode": "run", "configData": {"parameters": {"#p": "canary-job"}}}
    assert services.service("queue").post("/jobs", job).status == 201
    secrets = [services.project.token, made.json["token"], refreshed.json.get("token", made.json["token"])]
    secrets += ["canary-configuration", "canary-state", "canary-vault", "canary-job"]
    key = (services.stack.folder / "key").rename(tmp_path / "key")

    write_backup(services.stack.folder, tmp_path / "b.tar", key=key)

    found = (tmp_path / "b.tar").read_bytes()
    assert [each for each in [*secrets, key.read_text().strip()] if each.encode() in found] == []
    restored = restore_backup(tmp_path / "b.tar", tmp_path / "restored")
    again = ServicesOnly(tmp_path / "restored", key_file=str(key))
    assert not restored.has_key
    assert again.project.token != services.project.token
    assert again.service("storage").get("/v2/storage/tokens/verify").status == 200
    again.close()


@pytest.fixture
def wrong_key(tmp_path: Path) -> Path:
    read_or_make_key(tmp_path / "wrong")
    return tmp_path / "wrong"


def without_fingerprint(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """As backups were written before they had one."""
    member, content = members[0]
    header = msgspec.json.decode(content)
    header.pop("keyFingerprint", None)
    members[0] = (member, msgspec.json.encode(header))


@pytest.mark.parametrize("change", [lambda _members: None, without_fingerprint], ids=["new", "old"])
@pytest.mark.parametrize("has_own", [True, False])
def test_a_key_that_is_not_the_backups_is_refused_before_anything_is_written(
    data: Path, tmp_path: Path, wrong_key: Path, has_own: bool, change: Change
) -> None:
    key = data / "key" if has_own else (data / "key").rename(tmp_path / "key")
    write_backup(data, tmp_path / "b.tar", key=key)
    rewrite(tmp_path / "b.tar", change)
    before = sorted(tmp_path.iterdir())

    way_out = "leave out --key-file" if has_own else "Name the file of the right one: --key-file FILE"
    with pytest.raises(BackupFailed, match=f"(?s)not the key that the secrets in .* Nothing was restored.*{way_out}"):
        restore_backup(tmp_path / "b.tar", tmp_path / "restored", wrong_key)
    assert sorted(tmp_path.iterdir()) == before

    restore_backup(tmp_path / "b.tar", tmp_path / "restored", key)
    ServicesOnly(tmp_path / "restored", key_file=str(key)).close()


def test_a_backup_with_another_key_than_its_secrets_need_is_refused(
    data: Path, tmp_path: Path, wrong_key: Path
) -> None:
    right = (data / "key").rename(tmp_path / "right")
    shutil.copy(wrong_key, data / "key")
    write_backup(data, tmp_path / "b.tar")

    with pytest.raises(BackupFailed, match="The key in the backup is not the key that the secrets"):
        restore_backup(tmp_path / "b.tar", tmp_path / "restored")
    assert restore_backup(tmp_path / "b.tar", tmp_path / "restored", right).has_key


def test_the_command_refuses_a_wrong_key_and_tells_how_to_start_with_the_right_one(
    data: Path, tmp_path: Path, wrong_key: Path
) -> None:
    key = (data / "key").rename(tmp_path / "key")
    write_backup(data, tmp_path / "b.tar", key=key)

    def restore(key_file: str) -> subprocess.CompletedProcess[str]:
        command = [*PENSTOCK, "restore", "b.tar", "--data-dir", "restored", "--key-file", key_file]
        return subprocess.run(command, cwd=tmp_path, env=clean_environment(), capture_output=True, text=True)

    refused, missing, restored = restore(str(wrong_key)), restore("nowhere"), restore("key")
    assert (refused.returncode, missing.returncode, restored.returncode) == (1, 1, 0), restored.stderr
    assert "is not the key that the secrets" in refused.stderr
    assert "There is no key at" in missing.stderr
    assert "--key-file key" in restored.stdout
