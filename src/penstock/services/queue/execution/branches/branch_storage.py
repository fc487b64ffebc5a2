"""What a run asks about the storage of its branch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from penstock.foundation.callers import Caller
from penstock.foundation.errors import NotFound
from penstock.foundation.stack import Stack
from penstock.runtime.port import FileFilter, SourceFile
from penstock.services.storage import interface as storage


class TableSource(NamedTuple):
    """A table to read: its id, and the branch to ask for it."""

    table_id: str
    branch_id: int


class BranchStorage(Protocol):
    def find_table(self, table_id: str, branch_id: str | None) -> TableSource:
        """The table in the branch that is named, else the run's own one, else the default branch's."""
        ...

    def to_destination(self, table_id: str) -> str:
        """The id under which the run writes a table."""
        ...

    def list_files(self, query: FileFilter) -> list[SourceFile]:
        """Files of the branch; those of the default branch if there are none."""
        ...

    def get_file(self, file_id: str) -> storage.FileRow: ...
    def mark_tags(self, tags: Sequence[str]) -> list[str]:
        """The tags that a file of the run gets."""
        ...

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None: ...


def has_table(stack: Stack, caller: Caller, table_id: str) -> bool:
    try:
        storage.get_table(stack, caller, table_id, "")
    except NotFound:
        return False
    return True
