"""The folder with the configurations of a project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from penstock.client.config_files.content import SQL_WORKSPACE, Content, Key
from penstock.client.config_files.files import CONFIG, META, ROWS, to_content, to_files, to_id, to_name
from penstock.foundation.errors import Invalid

VERSIONS = "versions.json"


class Base(msgspec.Struct, frozen=True):
    """The version of a configuration that the files were made from, and the digest of its content."""

    version: int
    digest: str


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def read_versions(self) -> dict[Key, Base]:
        file = self.path / VERSIONS
        if not file.exists():
            return {}
        try:
            versions = msgspec.json.decode(file.read_bytes(), type=dict[str, Base])
        except msgspec.MsgspecError as error:
            raise Invalid(f"{file} is damaged: {error}. Restore it from git, or remove it and pull again.") from error
        return {Key(*name.split("/", 1)): base for name, base in versions.items()}

    def write_versions(self, versions: Mapping[Key, Base]) -> None:
        bases = {str(key): versions[key] for key in sorted(versions)}
        lines = [f'  "{name}": {msgspec.json.encode(base).decode()}' for name, base in bases.items()]
        self.path.mkdir(parents=True, exist_ok=True)
        _write(self.path / VERSIONS, "{\n" + ",\n".join(lines) + "\n}\n")

    def read_contents(self) -> dict[Key, Content]:
        paths = {key: path for key, path in self._configurations() if key != SQL_WORKSPACE}
        return {key: to_content(_read_files(path), key.component, path) for key, path in paths.items()}

    def write_content(self, key: Key, content: Content) -> None:
        """Files that the content no longer has are removed, other files of the user stay."""
        folder, files = self._folder_of(key), to_files(content, key.component)
        for stale in _own_files(folder).keys() - files.keys():
            (folder / stale).unlink()
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            _write(folder / path, text)
        _remove_empty(folder)

    def remove_content(self, key: Key) -> None:
        folder = self._folder_of(key)
        for path in _own_files(folder):
            (folder / path).unlink()
        _remove_empty(folder)

    def _folder_of(self, key: Key) -> Path:
        return self.path / to_name(key.component) / to_name(key.id)

    def _configurations(self) -> Iterator[tuple[Key, Path]]:
        for component in _folders(self.path):
            for path in _folders(component):
                if (path / CONFIG).is_file() or (path / META).is_file():
                    yield Key(to_id(component.name), to_id(path.name)), path


def _folders(path: Path) -> list[Path]:
    """List the folders without hidden ones, such as .git."""
    there = path.iterdir() if path.is_dir() else ()
    return sorted(each for each in there if each.is_dir() and not each.name.startswith("."))


def _read_files(folder: Path) -> dict[str, str]:
    return {name: _read(path) for name, path in _own_files(folder).items()}


def _own_files(folder: Path) -> dict[str, Path]:
    """The files that belong to a configuration. Links are not followed: they could lead out of the folder."""
    files = [file for file in _walk(folder) if not file.is_symlink()]
    named = {file.relative_to(folder).as_posix(): file for file in files}
    return {name: file for name, file in named.items() if _is_own(name)}


def _walk(folder: Path) -> Iterator[Path]:
    for parent, _folders_inside, files in os.walk(folder):
        yield from (Path(parent, file) for file in files)


def _is_own(name: str) -> bool:
    first, *rest = name.split("/")
    if first == ROWS and len(rest) > 1:
        first, *rest = rest[1:]
    return (first in (META, CONFIG) and not rest) or (first == "scripts" and bool(rest))


def _remove_empty(folder: Path) -> None:
    for parent, _folders_inside, _files in os.walk(folder, topdown=False):
        if not any(Path(parent).iterdir()):
            Path(parent).rmdir()


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise Invalid(f"{path} is not UTF-8 text.") from error


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())
