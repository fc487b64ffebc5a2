"""The folder of a workspace.

engine.sock     where the engine process listens
stop            if it is there, the process is ended
ended.json      how the last one ended
used            when it was last used by somebody
clones-checked  when links of clones were last compared with the clones that there are
tables/         links to the files of project tables; the engine can only read them
data/           what the engine may write
    {database}.duckdb   the workspace's own tables
    results/            a Parquet file for each statement that returned rows
    files/              exports
    tmp/                temporary files of statements
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from penstock.foundation.text.quoting import quote_value
from penstock.runtime.users import share

RESULTS, FILES, TEMPORARY = "results", "files", "tmp"


class WorkspaceFolder(msgspec.Struct, frozen=True):
    path: Path

    @property
    def lock(self) -> Path:
        """Return the lock next to the folder, so that it stays the same file when the folder is removed."""
        return self.path.with_name(f"{self.path.name}.lock")

    @property
    def socket(self) -> Path:
        return self.path / "engine.sock"

    @property
    def stop(self) -> Path:
        """Made to have the process ended by the one that started it."""
        return self.path / "stop"

    @property
    def ended(self) -> Path:
        return self.path / "ended.json"

    @property
    def used(self) -> Path:
        """Touched whenever somebody uses the workspace; maintenance does not count."""
        return self.path / "used"

    @property
    def tables(self) -> Path:
        return self.path / "tables"

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def clones(self) -> Path:
        """Links to files of tables that were cloned, in a folder for each clone: they stay, whatever becomes of the
        table."""
        return self.tables / "clones"

    @property
    def clones_checked(self) -> Path:
        return self.path / "clones-checked"

    @property
    def exports(self) -> Path:
        """Files that the engine wrote and cannot reach any more."""
        return self.path / "exports"

    @property
    def results(self) -> Path:
        return self.data / RESULTS

    @property
    def files(self) -> Path:
        return self.data / FILES

    def make(self, reader: int = 0) -> None:
        """`reader` is the user that the engine runs as, if not that of the stack."""
        for folder in (
            self.tables,
            self.clones,
            self.exports,
            self.data,
            *(self.data / name for name in (RESULTS, FILES, TEMPORARY)),
        ):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self.tables, self.clones):
            share(folder, reader)


def from_data(folder: WorkspaceFolder, sql: str) -> str:
    """A query with the paths of its files as they are from the folder that the engine works in: users can read the
    definitions of views, and the plans of queries."""
    return sql.replace(f"{quote_value(folder.tables.resolve())[:-1]}/", "'../tables/")


def remove_results(results: Path, session_id: str) -> None:
    """Remove the results of a session: no one reads them after it."""
    for path in results.glob(f"{session_id}-*"):
        path.unlink(missing_ok=True)


def folder_of(stack_folder: Path, workspace_id: int) -> WorkspaceFolder:
    return WorkspaceFolder(stack_folder / "workspaces" / str(workspace_id))
