"""Names in a configuration that become names of files. None of them leads out of the folder they are meant for."""

from __future__ import annotations

from pathlib import Path

from penstock.runtime.documents import BadConfiguration
from penstock.runtime.written import MANIFEST, is_text

NAME_BYTES = 255 - len(MANIFEST)
_FORBIDDEN = ("/", "\\", "\0")


def place_in(folder: Path, name: str, taken: set[str]) -> Path:
    """Where a file of this name goes; names are taken as they are asked for."""
    if not is_file_name(name):
        raise BadConfiguration(
            f'"{name[:300]}" is not a valid destination: it is the name of a file, without folders, of at most '
            f"{NAME_BYTES} bytes, that does not begin with a dot or end with {MANIFEST}."
        )
    if name in taken:
        raise BadConfiguration(f'The destination "{name}" is there twice.')
    taken.add(name)
    return folder / name


def is_file_name(name: str) -> bool:
    is_clear = is_text(name) and not any(sign in name for sign in _FORBIDDEN) and not name.startswith(".")
    return is_clear and 0 < len(name.encode()) <= NAME_BYTES and not name.endswith(MANIFEST)
