"""Archives of backups, read and changed by hand."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

Members = list[tuple[tarfile.TarInfo, bytes]]
Change = Callable[[Members], None]


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
