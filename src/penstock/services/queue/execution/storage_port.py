"""Storage as a run sees it: in its branch, with the rights of its token, and under its component's name.

Reading, what the branch itself has comes first, and production where it has nothing. How a branch's tables and files
are told apart from production's is in branches/.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.errors import NotFound
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.port import (
    FileOutput,
    FilesWanted,
    RowsWanted,
    SourceFile,
    SourceTable,
    StoredTable,
    TableOutput,
)
from penstock.services.queue.execution import port_files, port_tables
from penstock.services.queue.execution.branches import storage_of
from penstock.services.storage import interface as storage

DEV_MAPPING = "dev-mapping-allowed"
BRANCH_OF_BUCKET = "KBC.createdBy.branch.id"


class Maker(msgspec.Struct, frozen=True, kw_only=True):
    """Who is said to have written what the run writes."""

    component_id: str
    run_id: str
    config_id: str | None = None
    row_id: str | None = None
    features: tuple[str, ...] = ()
    """Of the component."""


class StoragePort:
    def __init__(
        self,
        stack: Stack,
        caller: Caller,
        maker: Maker,
        interruptible: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`interruptible` is put around whatever takes long, and makes it end when the run is stopped."""
        self._stack, self._caller, self._maker, self._interruptible = stack, caller, maker, interruptible
        self._url = f"https://{service_host(STORAGE, stack.domain)}"
        is_main = not caller.main_branch_id or caller.branch_id == caller.main_branch_id
        self._branch = None if is_main else str(caller.branch_id)
        self._branches = storage_of(stack, caller)

    def get_table(self, table_id: str, branch_id: str | None) -> SourceTable:
        source = self._branches.find_table(table_id, branch_id)
        self._check_source(source.table_id, branch_id)
        try:
            shown, imported = storage.get_table(self._stack, self._at(source.branch_id), source.table_id, self._url)
        except NotFound as error:
            raise BadConfiguration(f'The table "{table_id}" of the input mapping was not found.') from error
        return port_tables.to_source(shown, imported, source.branch_id)

    def export_table(self, table: SourceTable, rows: RowsWanted, target: Path) -> int:
        # Under a name of our own first: the engine would look into the name for what to do.
        written = target.with_name(".rows.csv")
        caller = self._at(table.branch_id)
        with self._interruptible():
            storage.export_table(self._stack, caller, table.id, port_tables.to_query(rows), written)
        return written.rename(target).stat().st_size

    def list_files(self, wanted: FilesWanted) -> list[SourceFile]:
        return self._branches.list_files(wanted)

    def get_file(self, file_id: str) -> SourceFile:
        try:
            return port_files.to_source(self._branches.get_file(file_id))
        except NotFound as error:
            raise BadConfiguration(f'The file "{file_id}" of the input mapping was not found.') from error

    def save_file(self, file: SourceFile, target: Path) -> int:
        """Copied and not linked: what is stored never changes, and the component may write into its copy."""
        source = storage.open_file(self._stack, self._branches.get_file(str(file.id)))
        if not source.is_sliced:
            shutil.copyfile(source.paths[0], target)
            return source.size_bytes
        target.mkdir()
        for number, (path, is_gzipped) in enumerate(zip(source.paths, source.is_gzipped, strict=True)):
            shutil.copyfile(path, target / f"part{number:04}{'.gz' if is_gzipped else ''}")
        return source.size_bytes

    def tag_file(self, file_id: int, tags: Sequence[str]) -> None:
        self._branches.tag_file(file_id, tags)

    def check_table(self, table: TableOutput) -> None:
        storage.check_load(self._stack, self._caller, self._to_load(table))

    def load_table(self, table: TableOutput) -> StoredTable:
        with self._interruptible():
            stored = storage.load_table(self._stack, self._caller, self._to_load(table))
        return StoredTable(
            id=stored.id,
            name=stored.name,
            display_name=stored.display_name,
            columns=stored.columns,
            rows_count=stored.rows_count,
            imported_rows=stored.imported_rows,
        )

    def reserve_files(self, count: int) -> list[int]:
        return storage.reserve_files(self._stack, self._caller, count)

    def check_file(self, file: FileOutput) -> None:
        storage.check_file(self._to_written(0, file))

    def store_file(self, file_id: int, file: FileOutput) -> None:
        storage.store_file(self._stack, self._caller, self._to_written(file_id, file), self._url)

    def _to_load(self, table: TableOutput) -> storage.TableLoad:
        destination = self._branches.to_destination(table.destination)
        deletions = [port_tables.to_deletion(each, self._branches) for each in table.deletions]
        return port_tables.to_load(table, destination, deletions, self._maker.component_id, self._about())

    def _about(self) -> dict[str, str]:
        maker = self._maker
        known = {"component.id": maker.component_id, "configuration.id": maker.config_id}
        known |= {"configurationRow.id": maker.row_id, "branch.id": self._branch}
        return {name: value for name, value in known.items() if value}

    def _to_written(self, file_id: int, file: FileOutput) -> storage.WrittenFile:
        tags = self._branches.mark_tags([*file.tags, *self._run_tags()]) if file.has_run_tags else file.tags
        return storage.WrittenFile(
            id=file_id,
            name=file.name,
            path=file.path,
            tags=tuple(dict.fromkeys(tags)),
            is_public=file.is_public,
            is_permanent=file.is_permanent,
        )

    def _run_tags(self) -> list[str]:
        maker = self._maker
        known = {"componentId": maker.component_id, "configurationId": maker.config_id}
        known |= {"configurationRowId": maker.row_id, "branchId": self._branch, "runId": maker.run_id}
        return [f"{name}: {value}" for name, value in known.items() if value]

    def _at(self, branch_id: int) -> Caller:
        return msgspec.structs.replace(self._caller, branch_id=branch_id)

    def _check_source(self, table_id: str, branch_id: str | None) -> None:
        """Production reads no development branch by accident."""
        if self._branch or branch_id or DEV_MAPPING in self._maker.features:
            return
        bucket_id = table_id.rpartition(".")[0]
        for item in storage.find_bucket_metadata(self._stack, self._caller, bucket_id) or []:
            if item.key == BRANCH_OF_BUCKET and item.value != str(self._caller.main_branch_id):
                raise BadConfiguration(
                    f'The bucket "{bucket_id}" comes from a development branch and must not be used in input mapping.'
                )
