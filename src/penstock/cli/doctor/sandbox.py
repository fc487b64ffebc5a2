"""Whether components are isolated from the stack and from each other, and whether one runs at all."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.errors import AppError
from penstock.server.sandbox import SandboxRule, find_shortage, run_trial
from penstock.settings import Settings


def examine(settings: Settings) -> Iterator[Check]:
    rule = SandboxRule(setting=settings.sandbox, host=settings.host, folder=settings.folder)
    projects = count_projects(settings.folder)
    yield check_sandbox(rule, projects)
    yield check_jobs(rule, projects)


def check_sandbox(rule: SandboxRule, projects: int) -> Check:
    shortage = find_shortage(rule, projects)
    if not shortage:
        return ok("sandbox", "components run behind bubblewrap")
    return (wrong if shortage.is_refused else note)("sandbox", shortage.text, shortage.fix)


def check_jobs(rule: SandboxRule, projects: int) -> Check:
    """Run a component as a job would, which is the only proof that jobs can run."""
    start = time.monotonic()
    try:
        failure = run_trial(rule, projects)
    except (AppError, OSError) as error:
        failure = str(error)
    if failure:
        fix = "Fix what the message names, and see the line above; until then, jobs end with an error."
        return wrong("jobs", f"a component could not run: {failure}", fix)
    return ok("jobs", f"they can run: a component wrote a table in {time.monotonic() - start:.1f} seconds")


def count_projects(folder: Path) -> int:
    """Count the projects that are not deleted; 1 for a stack whose metadata is not in its folder."""
    with suppress(sqlite3.Error):
        address = f"file:{quote(str(folder / 'metadata.sqlite'))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=5)) as database:
            return int(database.execute("SELECT count(*) FROM management_projects WHERE deleted IS NULL").fetchone()[0])
    return 1
