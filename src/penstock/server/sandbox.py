"""The sandbox of components, at start and for `penstock doctor`: messages about it, and a component that tries it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from penstock.components.command import build_command
from penstock.components.runner_test import RUNNER_TEST
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.launch import Launch, Limits
from penstock.runtime.launchers.local import LocalLauncher
from penstock.runtime.sandboxing import SandboxRule, Shortage, find_shortage

__all__ = ["SandboxRule", "Shortage", "find_shortage", "run_trial"]

TRIAL_SECONDS = 60


def run_trial(rule: SandboxRule, projects: int) -> str:
    """Run a component as jobs of this stack are run; return why it failed, or an empty text."""
    launcher = LocalLauncher(rule.find_mode(projects), rule.find_reason(projects))
    folder = Path(tempfile.mkdtemp(prefix="penstock-doctor-", dir=_find_parent(rule.folder)))
    try:
        data = DataFolder(folder / "data")
        data.prepare({"parameters": {"operation": "write-table"}}, {})
        program = launcher.start(_make_launch(data.path, rule.folder), lambda _line: None)
        ended = program.wait()
        if ended and ended.exit_code:
            return ended.errors.strip() or ended.reason or f"it ended with exit code {ended.exit_code}"
        return "" if any(data.tables.iterdir()) else "it wrote no table"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_launch(data: Path, stack_folder: Path | None) -> Launch:
    return Launch(
        command=tuple(build_command(RUNNER_TEST)),
        folder=data,
        limits=Limits(timeout_seconds=TRIAL_SECONDS, reserve_megabytes=0),
        network=RUNNER_TEST.network,
        hidden=(stack_folder,) if stack_folder else (),
    )


def _find_parent(stack_folder: Path | None) -> Path | None:
    """The folder in which jobs have theirs; where there is no stack yet, the system's folder for temporary files."""
    jobs = stack_folder / "jobs" if stack_folder else None
    return jobs if jobs and jobs.is_dir() else None
