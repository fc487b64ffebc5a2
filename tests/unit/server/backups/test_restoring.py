"""A backup becomes a stack again, or is refused: atomically."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tarfile
from pathlib import Path

import msgspec
import pytest

from penstock.server.backups import BackupFailed, restore_backup, write_backup
from tests.support.patience import PATIENCE
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for
from tests.unit.server.backups.archives import Change, Members, rewrite


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
    def change(members: Members) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, linked
        members.insert(1, (member, b""))

    return change


def set_header(**values: object) -> Change:
    def change(members: Members) -> None:
        member, content = members[0]
        members[0] = (member, msgspec.json.encode({**msgspec.json.decode(content), **values}))

    return change


def alter(members: Members) -> None:
    member, content = members[4]
    members[4] = (member, content[:-1] + b"!")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (add("../outside"), "which is not part of any backup"),
        (add("/tmp/outside"), "which is not part of any backup"),
        (add("a/../../outside"), "which is not part of any backup"),
        (add("./a"), "which is not part of any backup"),
        (add("a\\b"), "which is not part of any backup"),
        (add("link", tarfile.SYMTYPE, "/etc/passwd"), "which is not part of any backup"),
        (add("link", tarfile.LNKTYPE, "key"), "which is not part of any backup"),
        (add("device", tarfile.CHRTYPE), "which is not part of any backup"),
        (add("pipe", tarfile.FIFOTYPE), "which is not part of any backup"),
        (add("folder", tarfile.DIRTYPE), "which is not part of any backup"),
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


def test_any_file_that_is_not_a_backup_is_refused(tmp_path: Path) -> None:
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


@pytest.fixture(scope="module")
def large_archive(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """So large that restoring it takes a while."""
    folder = tmp_path_factory.mktemp("large")
    shutil.copytree(new_data_folder, folder / "data")
    (folder / "data" / "large").touch()
    os.truncate(folder / "data" / "large", 300_000_000)
    write_backup(folder / "data", folder / "b.tar")
    return folder / "b.tar"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_restore_leaves_nothing_behind(
    large_archive: Path, data: Path, tmp_path: Path, number: int
) -> None:
    (tmp_path / "b.tar").hardlink_to(large_archive)
    command = [*PENSTOCK, "restore", "b.tar", "--data-dir", "restored"]
    restoring = subprocess.Popen(command, cwd=tmp_path, env=clean_environment())
    wait_for(lambda: list(tmp_path.glob(".restored-*/large")))
    restoring.send_signal(number)

    assert restoring.wait(PATIENCE) == {signal.SIGINT: 130, signal.SIGTERM: 143}[signal.Signals(number)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "data"]
