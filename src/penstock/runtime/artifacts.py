"""Artifacts: files that a run leaves for later runs (`artifacts/out/current`), or for the other jobs of its flow
(`artifacts/out/shared`). They are kept among the project's files, found again by their tags.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from penstock.contracts.files import OutputFile
from penstock.runtime.archives import ARCHIVE_BYTES, BadArchive, list_plain, pack, unpack
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import read_item, read_section
from penstock.runtime.output_mapping.storing import reserve
from penstock.runtime.port import FileFilter, Port, SourceFile

TAG, SHARED = "artifact", "shared"
MAX_RUNS = 1000
_WHERE = "container.artifacts"
_JOB = re.compile(r"jobId-([0-9]{1,18})")


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The run that the artifacts belong to."""

    branch_id: str
    component_id: str
    config_id: str
    job_id: str
    orchestration_id: str | None = None
    """The job of the flow that this one is a part of: only then there is something to share."""


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    component_id: str = ""
    config_id: str | int = ""
    branch_id: str | int = ""
    limit: int = 0
    date_since: str = ""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    enabled: bool = False
    filter: Filter = Filter()


def upload(port: Port, folder: DataFolder, configuration: dict[str, Any], run: Run) -> list[int]:
    """Return ids of the files that were stored. Done again it stores none twice."""
    is_zipped = read_section(read_section(configuration, "artifacts", "container"), "options", _WHERE).get("zip", True)
    tags = [TAG, f"branchId-{run.branch_id}", f"componentId-{run.component_id}"]
    tags += [f"configId-{run.config_id}", f"jobId-{run.job_id}"]
    file_ids = _store(port, folder, "current", tags, is_zipped=bool(is_zipped))
    if run.orchestration_id:
        more = [*tags, SHARED, f"orchestrationId-{run.orchestration_id}"]
        file_ids += _store(port, folder, SHARED, more, is_zipped=bool(is_zipped))
    return file_ids


def download(port: Port, folder: DataFolder, configuration: dict[str, Any], run: Run) -> list[int]:
    """Return ids of the files that were fetched into `artifacts/in`, each kind into its folder, as the configuration
    says."""
    section = read_section(configuration, "artifacts", "container")
    file_ids: list[int] = []
    for kind in ("runs", "custom", SHARED):
        choice = read_item(read_section(section, kind, _WHERE), Choice, f"{_WHERE}.{kind}")
        if choice.enabled and (kind != SHARED or run.orchestration_id):
            file_ids += _fetch(port, folder.path / "artifacts" / "in" / kind, _to_filter(kind, choice.filter, run))
    return file_ids


def _store(port: Port, folder: DataFolder, kind: str, tags: list[str], *, is_zipped: bool) -> list[int]:
    root = folder.path / "artifacts" / "out" / kind
    # A link in the path could lead to files outside the data folder.
    files = [] if root.parent.is_symlink() or root.parent.parent.is_symlink() else list(list_plain(root))
    if sum(file.stat().st_size for file in files) > ARCHIVE_BYTES and not is_zipped:
        raise BadArchive(f'The artifacts in "{kind}" are larger than {ARCHIVE_BYTES:,} bytes.')
    if not files:
        return []
    if not is_zipped:
        ids = reserve(port, folder, [f"artifacts/{kind}/{file.relative_to(root)}" for file in files])
        for file_id, file in zip(ids.values(), files, strict=True):
            port.store_file(file_id, OutputFile(name=file.name, path=file, tags=tags, has_run_tags=False))
        return list(ids.values())
    return _store_archive(port, folder, kind, tags)


def _store_archive(port: Port, folder: DataFolder, kind: str, tags: list[str]) -> list[int]:
    archive = folder.path.with_name(f"{folder.path.name}-{kind}.zip")
    try:
        pack(folder.path / "artifacts" / "out" / kind, archive)
        if archive.stat().st_size > ARCHIVE_BYTES:
            raise BadArchive(f'The artifacts in "{kind}" are larger than {ARCHIVE_BYTES:,} bytes, even packed.')
        ids = reserve(port, folder, [f"artifacts/{kind}"])
        file = OutputFile(name="artifacts.zip", path=archive, tags=tags, has_run_tags=False)
        port.store_file(ids[f"artifacts/{kind}"], file)
        return list(ids.values())
    finally:
        archive.unlink(missing_ok=True)


def _to_filter(kind: str, chosen: Filter, run: Run) -> FileFilter:
    limit = min(chosen.limit or MAX_RUNS, MAX_RUNS)
    if kind == SHARED:
        tags = [TAG, SHARED, f"branchId-{run.branch_id}", f"orchestrationId-{run.orchestration_id}"]
        return FileFilter(all_tags=tags, limit=limit)
    is_own = kind == "runs"
    component, config = (run.component_id, run.config_id) if is_own else (chosen.component_id, str(chosen.config_id))
    branch = run.branch_id if is_own else str(chosen.branch_id) or run.branch_id
    tags = [TAG, f"branchId-{branch}", f"componentId-{component}", f"configId-{config}"]
    return FileFilter(all_tags=tags, no_tags=[SHARED], created_since=chosen.date_since, limit=limit)


def _fetch(port: Port, folder: Path, query: FileFilter) -> list[int]:
    files = port.list_files(query)
    for file in files:
        target = folder / "jobs" / f"job-{_job_of(file)}"
        target.mkdir(parents=True, exist_ok=True)
        target_file = target / (f"{file.id}.zip" if file.name == "artifacts.zip" else Path(file.name).name)
        port.save_file(file, target_file)
        if file.name == "artifacts.zip":
            unpack(target_file, target)
            target_file.unlink()
    return [file.id for file in files]


def _job_of(file: SourceFile) -> str:
    return next((match[1] for tag in file.tags if (match := _JOB.fullmatch(tag))), str(file.id))
