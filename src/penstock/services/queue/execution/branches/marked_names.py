"""One storage for all branches. What belongs to a development branch is marked by its name.

A bucket `c-main` becomes `c-<branch>-main`, a tag `daily` becomes `<branch>-daily`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.runtime.port import FileFilter, SourceFile
from penstock.services.queue.execution import port_files
from penstock.services.queue.execution.branches.branch_storage import TableSource, has_table
from penstock.services.storage import interface as storage


class MarkedNames:
    def __init__(self, stack: Stack, caller: Caller) -> None:
        self._stack, self._caller = stack, caller
        is_main = not caller.main_branch_id or caller.branch_id == caller.main_branch_id
        self._branch = None if is_main else str(caller.branch_id)

    def find_table(self, table_id: str, branch_id: str | None) -> TableSource:
        if branch_id:
            mark = None if branch_id == str(self._caller.main_branch_id) else branch_id
            return self._source(in_branch(table_id, mark))
        own = in_branch(table_id, self._branch)
        return self._source(own if own != table_id and self._has_table(own) else table_id)

    def to_destination(self, table_id: str) -> str:
        return in_branch(table_id, self._branch)

    def list_files(self, query: FileFilter) -> list[SourceFile]:
        if self._branch and (query.any_tags or query.all_tags):
            own = port_files.list_files(self._stack, self._caller, _mark_query(query, self._branch))
            if own:
                return own
        return port_files.list_files(self._stack, self._caller, query)

    def get_file(self, file_id: str) -> storage.FileRow:
        with self._stack.database.reading() as tx:
            return storage.get_file(tx, self._caller, file_id)

    def mark_tags(self, tags: Sequence[str]) -> list[str]:
        return [f"{self._branch}-{tag}" for tag in tags] if self._branch else list(tags)

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None:
        with self._stack.database.writing(self._caller.project_id) as tx:
            storage.add_file_tags(tx, self._caller, str(file_id), self.mark_tags(tags))

    def _source(self, table_id: str) -> TableSource:
        return TableSource(table_id, self._caller.branch_id)

    def _has_table(self, table_id: str) -> bool:
        bucket_id = table_id.rpartition(".")[0]
        is_readable = storage.find_bucket_metadata(self._stack, self._caller, bucket_id) is not None
        return is_readable and has_table(self._stack, self._caller, table_id)


def in_branch(table_id: str, branch_id: str | None) -> str:
    """`in.c-main.users` is `in.c-<branch>-main.users` in a branch."""
    stage, dot, rest = table_id.partition(".")
    if not branch_id or not rest.startswith("c-") or rest.startswith(f"c-{branch_id}-"):
        return table_id
    return f"{stage}{dot}c-{branch_id}-{rest.removeprefix('c-')}"


def _mark_query(query: FileFilter, branch_id: str) -> FileFilter:
    """The tags that files of a branch have."""
    return msgspec.structs.replace(
        query,
        any_tags=[f"{branch_id}-{tag}" for tag in query.any_tags],
        all_tags=[f"{branch_id}-{tag}" for tag in query.all_tags],
        no_tags=[f"{branch_id}-{tag}" for tag in query.no_tags],
    )
