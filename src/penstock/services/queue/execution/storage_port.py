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

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.callers import Caller
from penstock.foundation.errors import NotFound
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.documents import BadConfiguration
from penstock.runtime.port import FileFilter, RowFilter, SourceFile, SourceTable
from penstock.services.queue.execution import port_files, port_tables
from penstock.services.queue.execution.branches import storage_of
from penstock.services.storage import interface as storage

DEV_MAPPING = "dev-mapping-allowed"
BRANCH_OF_BUCKET = "KBC.createdBy.branch.id"


class Maker(msgspec.Struct, frozen=True, kw_only=True):
    """The author that is recorded for what the run writes."""

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

    def export_table(self, table: SourceTable, rows: RowFilter, target: Path) -> int:
        # Under another name first: the engine derives the format from the name.
        written = target.with_name(".rows.csv")
        caller = self._at(table.branch_id)
        with self._interruptible():
            storage.export_table(self._stack, caller, table.id, port_tables.to_query(rows), written)
        return written.rename(target).stat().st_size

    def list_files(self, query: FileFilter) -> list[SourceFile]:
        return self._branches.list_files(query)

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

    def check_table(self, load: TableLoad) -> None:
        storage.check_load(self._stack, self._caller, self._complete(load))

    def load_table(self, load: TableLoad) -> StoredTable:
        with self._interruptible():
            return storage.load_table(self._stack, self._caller, self._complete(load))

    def reserve_files(self, count: int) -> list[int]:
        return storage.reserve_files(self._stack, self._caller, count)

    def check_file(self, file: OutputFile) -> None:
        storage.check_file(self._with_run_tags(file))

    def store_file(self, file_id: int, file: OutputFile) -> None:
        storage.store_file(self._stack, self._caller, file_id, self._with_run_tags(file), self._url)

    def _complete(self, load: TableLoad) -> TableLoad:
        """Return the load with what only the run knows: ids in its branch, and who writes the table."""
        return msgspec.structs.replace(
            load,
            table_id=self._branches.to_destination(load.table_id),
            deletions=[port_tables.in_branch(rule, self._branches) for rule in load.deletions],
            notes=msgspec.structs.replace(load.notes, provider=self._maker.component_id, maker=self._about()),
        )

    def _about(self) -> dict[str, str]:
        maker = self._maker
        known = {"component.id": maker.component_id, "configuration.id": maker.config_id}
        known |= {"configurationRow.id": maker.row_id, "branch.id": self._branch}
        return {name: value for name, value in known.items() if value}

    def _with_run_tags(self, file: OutputFile) -> OutputFile:
        tags = self._branches.mark_tags([*file.tags, *self._run_tags()]) if file.has_run_tags else file.tags
        return msgspec.structs.replace(file, tags=tuple(dict.fromkeys(tags)))

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
