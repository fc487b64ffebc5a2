"""A custom component: a folder with `component.json`, which defines it and its command.

component.json                    the manifest: id, name, type, command, and optional fields
README.md                         its long description
configuration_schema.json         JSON Schema of a configuration's parameters; optional, as the files below
configuration_row_schema.json     of a row's
empty_configuration.json          the initial contents of a new configuration
empty_configuration_row.json      and a new row
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from penstock.components.command import find_program
from penstock.components.component import DATA_TYPE_SUPPORT, Component, Definition, Logging
from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Invalid

FILE = "component.json"
README = "README.md"
FILE_BYTES = 1_000_000
TYPES = ("extractor", "writer", "application", "transformation", "processor", "code-pattern", "data-app", "other")
DOCUMENTS = ("configuration_schema", "configuration_row_schema", "empty_configuration", "empty_configuration_row")
CHOICES = {"type": TYPES, "network": ("bridge", "none"), "default_bucket_stage": ("in", "out")}
LOGGING_CHOICES = {"type": ("standard", "gelf"), "gelf_server_type": ("tcp", "udp", "http")}
VERBOSITIES = ("none", "camouflage", "normal", "verbose")
MAX_VALUES = {"memory_megabytes": 10_000_000, "timeout_seconds": 365 * 24 * 3600}
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,99}(\.[a-z0-9][a-z0-9-]{0,99}){0,3}")


class BadManifest(Invalid):
    code = "developer.badManifest"

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")


class Manifest(Definition, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of `component.json`."""

    command: tuple[str, ...]

    def to_component(self, folder: Path) -> Component:
        return Component(**msgspec.structs.asdict(self), folder=folder)


def read_manifest(folder: Path) -> Manifest:
    """Returns the manifest, with the documents from separate files; raises BadManifest."""
    file = folder / FILE
    try:
        manifest = msgspec.json.decode(_read(file), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadManifest(
            file, f"{explain_error(error).rstrip('.')}. The fields are described in docs/components/own.md."
        ) from error
    _check(folder, file, manifest)
    return msgspec.structs.replace(manifest, **_beside(folder))


def _check(folder: Path, file: Path, manifest: Manifest) -> None:
    if not _ID.fullmatch(manifest.id):
        raise BadManifest(
            file, "`id` must be lower-case letters, digits and dashes, separated by dots, like my-company.ex-weather."
        )
    _check_texts(file, manifest)
    for field, choices in CHOICES.items():
        _check_choice(file, field, getattr(manifest, field), choices)
    if manifest.data_type_support:
        _check_choice(file, "data_type_support", manifest.data_type_support, DATA_TYPE_SUPPORT)
    for field, largest in MAX_VALUES.items():
        if not 1 <= getattr(manifest, field) <= largest:
            raise BadManifest(file, f"`{field}` must be at least 1 and at most {largest:,}.")
    _check_logging(file, manifest.logging)
    _check_command(folder, file, manifest)


def _check_texts(file: Path, manifest: Manifest) -> None:
    if not manifest.name.strip() or not manifest.name.isprintable():
        raise BadManifest(file, "`name` must be one line, and not empty: the display name of the component.")
    if not _TAG.fullmatch(manifest.tag):
        raise BadManifest(file, "`tag` must be a version, like 1.0.0: letters, digits, dots and dashes.")
    if ":" in manifest.image.rpartition("/")[2] or "@" in manifest.image:
        raise BadManifest(file, "`image` must be without a version; that is what `tag` is for.")
    if manifest.image.startswith("-"):
        raise BadManifest(file, "`image` must not begin with a dash: it would be an option of the engine that runs it.")


def _check_logging(file: Path, logging: Logging) -> None:
    for field, choices in LOGGING_CHOICES.items():
        _check_choice(file, f"logging.{field}", getattr(logging, field), choices)
    for level, choice in logging.verbosity.items():
        _check_choice(file, f"logging.verbosity.{level}", choice, VERBOSITIES)


def _check_choice(file: Path, field: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise BadManifest(file, f"`{field}` must be one of {', '.join(choices)}.")


def _check_command(folder: Path, file: Path, manifest: Manifest) -> None:
    if not manifest.command or not manifest.command[0] or any("\0" in word for word in manifest.command):
        raise BadManifest(file, '`command` must be a list of words, like ["python", "main.py"].')
    program = manifest.command[0]
    if not manifest.image and not find_program(folder, program):
        expected = f"a file in {folder} that may be executed" if "/" in program else "a program on the PATH"
        raise BadManifest(file, f"`command` starts with {program}, which is not {expected}.")
    script = manifest.command[1] if program == "python" and len(manifest.command) > 1 else ""
    if not manifest.image and script.endswith(".py") and not (folder / script).is_file():
        raise BadManifest(file, f"`command` runs {script}, which is not a file in {folder}.")


def _beside(folder: Path) -> dict[str, Any]:
    """Separate files take precedence over the manifest."""
    documents: dict[str, Any] = {name: _read_document(folder / f"{name}.json") for name in DOCUMENTS}
    readme = folder / README
    if readme.exists():
        documents["long_description"] = _read(readme).decode("utf-8", "replace")
    return {name: value for name, value in documents.items() if value is not None}


def _read_document(file: Path) -> dict[str, Any] | None:
    if not file.exists():
        return None
    try:
        return msgspec.json.decode(_read(file), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadManifest(file, f"it must hold a JSON object ({error}).") from error


def _read(file: Path) -> bytes:
    if not file.is_file():
        problem = "it is not a plain file" if file.exists() else "there is no such file"
        raise BadManifest(file, f"{problem}. A component is a folder with {FILE} in it.")
    if file.stat().st_size > FILE_BYTES:
        raise BadManifest(file, f"it is larger than {FILE_BYTES:,} bytes.")
    return file.read_bytes()
