"""Output mapping: which file in `out/tables` goes into which table, as its manifest says."""

from __future__ import annotations

from pathlib import Path

import msgspec

from penstock.foundation.errors import Invalid

_MANIFEST = ".manifest"


class Manifest(msgspec.Struct, frozen=True):
    destination: str = ""
    incremental: bool = False
    primary_key: list[str] = []


class MappedTable(msgspec.Struct, frozen=True, kw_only=True):
    file: Path
    destination: str
    incremental: bool
    primary_key: tuple[str, ...]


class BadOutput(Invalid):
    """The component's output cannot be mapped."""


def map_tables(folder: Path, default_bucket: str | None) -> list[MappedTable]:
    """Every table that the component left, in order of name."""
    if not folder.exists():
        return []
    files = sorted(folder.iterdir())
    names = {file.name for file in files}
    for file in files:
        if file.name.endswith(_MANIFEST) and file.name.removesuffix(_MANIFEST) not in names:
            raise BadOutput(f'Found orphaned table manifest: "{file.name}"')
    return [_map(file, default_bucket) for file in files if not file.name.endswith(_MANIFEST)]


def _map(file: Path, default_bucket: str | None) -> MappedTable:
    if not _is_plain(file):
        raise BadOutput(f'The table "{file.name}" is not a plain file; tables in slices are not supported yet.')
    manifest = _read_manifest(file.with_name(file.name + _MANIFEST))
    return MappedTable(
        file=file,
        destination=manifest.destination or _default_destination(file, default_bucket),
        incremental=manifest.incremental,
        primary_key=tuple(manifest.primary_key),
    )


def _read_manifest(file: Path) -> Manifest:
    if not file.is_symlink() and not file.exists():
        return Manifest()
    if not _is_plain(file):
        raise BadOutput(f'The manifest "{file.name}" is not a plain file.')
    try:
        return msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadOutput(f'The manifest "{file.name}" cannot be read: {error}') from error


def _is_plain(file: Path) -> bool:
    return file.is_file() and not file.is_symlink()


def _default_destination(file: Path, default_bucket: str | None) -> str:
    name = file.name.removesuffix(".csv")
    if name.count(".") == 2:
        return name
    if default_bucket is None:
        raise BadOutput(f'Failed to resolve destination for output table "{file.name}".')
    return f"{default_bucket}.{name}"
