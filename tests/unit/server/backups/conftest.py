from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from penstock.server.backups import write_backup


@pytest.fixture
def data(new_data_folder: Path, tmp_path: Path) -> Path:
    """A data folder that is not in use."""
    return Path(shutil.copytree(new_data_folder, tmp_path / "data"))


@pytest.fixture
def archive(data: Path, tmp_path: Path) -> Path:
    write_backup(data, tmp_path / "backup.tar")
    return tmp_path / "backup.tar"
