"""Where the bytes of files are."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.foundation import durable, locks
from penstock.foundation.blobs.blocks import Blocks
from penstock.foundation.blobs.incoming import Incoming, Part, link_or_copy, make_folder, noticing_a_full_disk

LOCK = "remove.lock"


class BlobFolder(msgspec.Struct, frozen=True):
    root: Path

    @property
    def incoming(self) -> Path:
        return self.root / "incoming"

    def receive(self) -> Incoming:
        return Incoming(self.incoming)

    def blocks(self, file_id: int, blob: str) -> Blocks:
        """Those of a blob that wait for their list."""
        return Blocks(self.staging(file_id), _hash(blob))

    def store(self, incoming: Incoming, file_id: int) -> str:
        """Make a content of it; returns its name."""
        name = new_name()
        incoming.move(self.content(file_id, name))
        return name

    def adopt(self, path: Path, file_id: int) -> str:
        """Make a content of a file that somebody else wrote; it also stays where it was, to be adopted again."""
        name = new_name()
        target = self.content(file_id, name)
        with noticing_a_full_disk():
            durable.sync_path(path)
            make_folder(target.parent)
            link_or_copy(path, target)
            durable.sync_path(target.parent)
        return name

    def join(self, parts: Sequence[Part]) -> Incoming:
        """One file of many stretches; raises FileNotFoundError when one of them has gone."""
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
        """Everything of a file; what is open stays readable until it is closed."""
        with locks.exclusive(self.root / LOCK):
            for folder in (self.root / "stored" / str(file_id), self.staging(file_id)):
                shutil.rmtree(folder, ignore_errors=True)

    def file_ids(self) -> set[int]:
        """Of all files that have something here."""
        folders = [*(self.root / "stored").glob("*"), *(self.root / "staged").glob("*")]
        return {int(folder.name) for folder in folders if folder.name.isdecimal()}

    def sweep(self, seconds: float) -> None:
        """Remove what was received or staged so long ago that nobody goes on with it."""
        oldest = time.time() - seconds
        for path in [*self.incoming.glob("*"), *(self.root / "staged").glob("*/*")]:
            with suppress(FileNotFoundError):
                if path.is_file() and path.stat().st_mtime < oldest:
                    path.unlink()


def new_name() -> str:
    return secrets.token_hex(16)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
