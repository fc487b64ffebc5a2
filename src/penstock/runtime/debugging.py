"""Debug mode: the data folder before each program of a run, and at its end, as a ZIP file among the project's files.

Secrets go: every value under a key that begins with `#`, in the configuration, the state and what is reported.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.contracts.files import OutputFile
from penstock.foundation.redaction import Redactor
from penstock.runtime.archives import pack
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.port import Port

LAST = "output"
_DOCUMENTS = ("config.json", "in/state.json", "out/state.json", "out/usage.json", "out/result.json")


def keep_stage(port: Port, folder: DataFolder, stage: str, tags: list[str], redactor: Redactor) -> int:
    """`stage` is the number of the program that is to run, or LAST. Returns the id of the file."""
    archive = folder.path.with_name(f"{folder.path.name}-stage_{stage}.zip")
    try:
        pack(folder.path, archive, lambda name, path: _without_secrets(name, path, redactor))
        [file_id] = port.reserve_files(1)
        port.store_file(
            file_id, OutputFile(name=f"stage_{stage}.zip", path=archive, tags=["debug", *tags], has_run_tags=False)
        )
    finally:
        archive.unlink(missing_ok=True)
    return file_id


def stage_tags(component_id: str, job_id: str, row_id: str | None) -> list[str]:
    return [component_id, f"jobId:{job_id}", *([f"rowId:{row_id}"] if row_id else [])]


def remove_secrets(node: Any) -> Any:
    """Return the document without what is under keys that begin with `#`, at any depth."""
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        return {key: remove_secrets(value) for key, value in members.items() if not key.startswith("#")}
    return [remove_secrets(item) for item in cast(list[Any], node)] if isinstance(node, list) else node


def _without_secrets(name: str, path: Path, redactor: Redactor) -> bytes | None:
    """Return what stands elsewhere in the same document, such as a password within an address, goes too."""
    if name not in _DOCUMENTS:
        return None
    try:
        content = remove_secrets(msgspec.json.decode(path.read_bytes()))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return b""
    return redactor.clean(msgspec.json.encode(content).decode()).encode()
