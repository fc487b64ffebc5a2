"""`penstock backup` and `penstock restore`."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.unit.cli.conftest import Penstock


def test_a_folder_goes_into_a_file_and_comes_out_again(
    penstock_process: Penstock, new_data_folder: Path, tmp_path: Path
) -> None:
    backup = penstock_process("backup", "b.tar.gz", "--data-dir", new_data_folder)
    restore = penstock_process("restore", "b.tar.gz", "--data-dir", "new place")

    assert (backup.returncode, restore.returncode) == (0, 0), backup.stderr + restore.stderr
    assert "contains the stack's key: keep it like a password" in backup.stdout
    assert f"penstock up --data-dir '{tmp_path / 'new place'}'\n" in restore.stdout
    assert (tmp_path / "new place" / "key").read_bytes() == (new_data_folder / "key").read_bytes()


def test_a_key_kept_elsewhere_is_named(penstock: Penstock, new_data_folder: Path, tmp_path: Path) -> None:
    data = Path(shutil.copytree(new_data_folder, tmp_path / "data"))
    key = (data / "key").rename(tmp_path / "my.key")

    backup = penstock("backup", "b.tar", "--data-dir", data, "--key-file", key)
    restore = penstock("restore", "b.tar", "--data-dir", "new")

    assert f"does not contain the stack's key ({key})" in backup.stdout
    assert restore.stdout.endswith("--key-file FILE\n")


def test_what_cannot_be_is_a_sentence_and_an_exit_code(penstock: Penstock, new_data_folder: Path) -> None:
    nothing = penstock("backup", "b.tar")
    not_ours = penstock("restore", new_data_folder / "key", "--data-dir", "new")

    assert (nothing.returncode, not_ours.returncode) == (1, 1)
    assert "There is no stack in" in nothing.stderr
    assert "is not a backup that Penstock made" in not_ours.stderr
    assert "Traceback" not in nothing.stderr + not_ours.stderr
