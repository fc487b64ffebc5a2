"""The project that commands on a data folder use, and the tokens of its projects; readable by its owner only."""

from __future__ import annotations

from pathlib import Path

import msgspec

from penstock.foundation.files import durable

FILE = "projects.json"


class Chosen(msgspec.Struct, frozen=True, omit_defaults=True):
    current: int | None = None
    """None: the first project of the stack."""
    tokens: dict[str, str] = {}
    """By the id of the project."""

    @property
    def token(self) -> str | None:
        return self.tokens.get(str(self.current))


def read_chosen(folder: Path) -> Chosen:
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Chosen)
    except (FileNotFoundError, msgspec.MsgspecError):
        return Chosen()


def write_chosen(folder: Path, chosen: Chosen) -> None:
    durable.write_file(folder / FILE, msgspec.json.encode(chosen))
