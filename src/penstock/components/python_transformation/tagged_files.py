"""Files by tag: the newest input file with a tag is linked as `in/user/<tag>`, whatever its name."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from penstock.components.program import MANIFEST
from penstock.extractor.base.errors import UserError


class FileManifest(msgspec.Struct, frozen=True):
    id: int = 0
    tags: list[str] = []


def place_tagged_files(folder: Path, tags: list[str]) -> None:
    if not tags:
        return
    known = [(_read(manifest), manifest) for manifest in (folder / "in" / "files").glob(f"*{MANIFEST}")]
    (folder / "in" / "user").mkdir(parents=True, exist_ok=True)
    for tag in tags:
        if not tag or "/" in tag or "\0" in tag or tag in (".", ".."):
            raise UserError(f'Invalid configuration: "{tag}" in `parameters.tags` cannot be the name of a file.')
        found = [(about.id, file) for about, file in known if tag in about.tags]
        if not found:
            raise UserError(f'No input file has the tag "{tag}". Add one to the input mapping.')
        file = max(found)[1]
        target = folder / "in" / "user" / tag
        target.unlink(missing_ok=True)
        os.link(file.with_name(file.name.removesuffix(MANIFEST)), target)


def _read(file: Path) -> FileManifest:
    try:
        return msgspec.json.decode(file.read_bytes(), type=FileManifest, strict=False)
    except msgspec.MsgspecError as error:
        raise UserError(f"The manifest {file.name} of an input file cannot be read: {error}") from error
