"""A storage for each branch: ids and tags are the same everywhere, and a run writes only into its own branch.

What a branch does not have is read from the default branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from penstock.foundation.callers import Caller
from penstock.foundation.errors import NotFound
from penstock.foundation.stack import Stack
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.port import FileFilter, SourceFile
from penstock.services.queue.execution import port_files
from penstock.services.queue.execution.branches.branch_storage import TableSource, has_table
from penstock.services.storage import interface as storage


class OwnStorage:
    def __init__(self, stack: Stack, caller: Caller) -> None:
        self._stack, self._caller = stack, caller

    def find_table(self, table_id: str, branch_id: str | None) -> TableSource:
        if branch_id:
            return TableSource(table_id, self._get_branch_id(branch_id))
        is_own = not self._caller.has_own_storage or has_table(self._stack, self._caller, table_id)
        return TableSource(table_id, self._caller.branch_id if is_own else self._caller.main_branch_id)

    def to_destination(self, table_id: str) -> str:
        return table_id

    def list_files(self, query: FileFilter) -> list[SourceFile]:
        own = port_files.list_files(self._stack, self._caller, query)
        if own or not self._caller.has_own_storage:
            return own
        return port_files.list_files(self._stack, self._caller.in_main(), query)

    def get_file(self, file_id: str) -> storage.FileRow:
        with self._stack.database.reading() as tx:
            with suppress(NotFound):
                return storage.get_file(tx, self._caller, file_id)
            return storage.get_file(tx, self._caller.in_main(), file_id)

    def mark_tags(self, tags: Sequence[str]) -> list[str]:
        return list(tags)

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None:
        """A file of the default branch stays as it is."""
        with suppress(NotFound), self._stack.database.writing(self._caller.project_id) as tx:
            storage.add_file_tags(tx, self._caller, str(file_id), tags)

    def _get_branch_id(self, text: str) -> int:
        try:
            with self._stack.database.reading() as tx:
                return storage.get_branch_id(tx, self._caller, text)
        except NotFound as error:
            raise BadConfiguration(f'The branch "{text}" of the input mapping was not found.') from error
