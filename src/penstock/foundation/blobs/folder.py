"""The folder with the bytes of files."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from penstock.foundation import clock
from penstock.foundation.blobs.blocks import Blocks
from penstock.foundation.blobs.incoming import Incoming, Part, link_or_copy, make_folder, noticing_a_full_disk
from penstock.foundation.files import durable, locks

LOCK = "remove.lock"


class BlobFolder(msgspec.Struct, frozen=True):
    root: Path

    @property
    def incoming(self) -> Path:
        return self.root / "incoming"

    def receive(self) -> Incoming:
        return Incoming(self.incoming)

    def blocks(self, file_id: int, blob: str) -> Blocks:
        """Uploaded blocks of a blob, before their block list arrives."""
        return Blocks(self.staging(file_id), _hash(blob))

    def store(self, incoming: Incoming, file_id: int) -> str:
        """Store it as a content; returns its name."""
        name = new_name()
        incoming.move(self.content(file_id, name))
        return name

    def adopt(self, path: Path, file_id: int) -> str:
        """Store a file that another process wrote as a content; it also stays in place, so that this can be
        repeated."""
        name = new_name()
        target = self.content(file_id, name)
        with noticing_a_full_disk():
            durable.sync_path(path)
            make_folder(target.parent)
            link_or_copy(path, target)
            durable.sync_path(target.parent)
        return name

    def join(self, parts: Sequence[Part]) -> Incoming:
        """Join many parts to one file; raises FileNotFoundError if one of them is gone."""
        incoming = self.receive()
        try:
            for part in parts:
                incoming.append(part)
        except BaseException:
            incoming.discard()
            raise
        return incoming

    def content(self, file_id: int, name: str) -> Path:
        return self.root / "stored" / str(file_id) / name

    def staging(self, file_id: int) -> Path:
        return self.root / "staged" / str(file_id)

    def drop_contents(self, file_id: int, names: Sequence[str]) -> None:
        if not names:
            return
        with locks.exclusive(self.root / LOCK):
            for name in names:
                self.content(file_id, name).unlink(missing_ok=True)

    def remove(self, file_id: int) -> None:
        """Remove everything of a file; open descriptors stay readable until they are closed."""
        with locks.exclusive(self.root / LOCK):
            for folder in (self.root / "stored" / str(file_id), self.staging(file_id)):
                shutil.rmtree(folder, ignore_errors=True)

    def drop_staged(self, file_id: int) -> None:
        """Remove what was staged; contents stay."""
        shutil.rmtree(self.staging(file_id), ignore_errors=True)

    def note_use(self, file_id: int) -> None:
        """Let find_last_use() return now. What has no contents yet stays unused."""
        now = clock.now().timestamp()
        with suppress(FileNotFoundError):
            os.utime(self.root / "stored" / str(file_id), (now, now))

    def find_last_use(self, file_id: int) -> datetime | None:
        """When a content was last stored or removed, or its use noted; None if there never was one."""
        with suppress(FileNotFoundError):
            return datetime.fromtimestamp((self.root / "stored" / str(file_id)).stat().st_mtime, UTC)
        return None

    def file_ids(self) -> set[int]:
        """The ids of all files that have anything here."""
        folders = [*(self.root / "stored").glob("*"), *(self.root / "staged").glob("*")]
        return {int(folder.name) for folder in folders if folder.name.isdecimal()}

    def sweep(self, seconds: float) -> None:
        """Remove uploads and staged blocks that are too old to be continued."""
        oldest = time.time() - seconds
        for path in [*self.incoming.glob("*"), *(self.root / "staged").glob("*/*")]:
            with suppress(FileNotFoundError):
                if path.is_file() and path.stat().st_mtime < oldest:
                    path.unlink()


def new_name() -> str:
    return secrets.token_hex(16)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
