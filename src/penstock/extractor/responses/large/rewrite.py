"""Replaces a file by a converted copy, once that is complete."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.base.errors import UserError

_BUFFER = 1 << 20


@contextmanager
def rewriting(path: Path) -> Generator[tuple[BinaryIO, BinaryIO]]:
    """The file, to read from, and a new one, to write to, which replaces it at the end. On any exception the file stays
    unchanged; raises UserError if the disk is full."""
    draft = path.with_name(f"{path.name}.draft")
    try:
        with path.open("rb", buffering=_BUFFER) as source, _create(draft) as target:
            yield source, target
        draft.replace(path)
    except OSError as error:
        raise UserError(
            f"A large response cannot be rewritten as JSON in {path.parent}: {error.strerror or error}. "
            "Free some space there, or ask for smaller pages."
        ) from error
    finally:
        with suppress(OSError):  # usually it has been moved
            draft.unlink()


def _create(path: Path) -> BinaryIO:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=_BUFFER)
