"""Whether components are isolated from the stack and from each other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.server.sandbox import SandboxRule, find_shortage
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    rule = SandboxRule(setting=settings.sandbox, host=settings.host, folder=settings.folder)
    yield check_sandbox(rule, count_projects(settings.folder))


def check_sandbox(rule: SandboxRule, projects: int) -> Check:
    shortage = find_shortage(rule, projects)
    if not shortage:
        return ok("sandbox", "components run behind bubblewrap")
    return (wrong if shortage.is_refused else note)("sandbox", shortage.text, shortage.fix)


def count_projects(folder: Path) -> int:
    """Without deleted ones, of a stack whose metadata is in its folder; for others one is assumed."""
    with suppress(sqlite3.Error):
        address = f"file:{quote(str(folder / 'metadata.sqlite'))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as database:
            return int(database.execute("SELECT count(*) FROM management_projects WHERE deleted IS NULL").fetchone()[0])
    return 1
