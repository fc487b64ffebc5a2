"""The purge of a project: its workspaces, tables, files and rows are removed.

Everything outside of the database goes first, then the rows that name it, in portions, so that no transaction takes
long, and that of the purge itself last: after a crash at any point, the next attempt finds what is left.
"""

from __future__ import annotations

from sqlalchemy import Table

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.database import Database, Transaction
from penstock.foundation.events import on
from penstock.foundation.jobs import worker as jobs_worker
from penstock.foundation.jobs.lease import Lease
from penstock.foundation.lake import drop_bucket
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.management.interface import ProjectPurged, remove_portion, remove_rows, tables_of
from penstock.services.storage.operations.sharing import remove_links_to
from penstock.services.storage.operations.workspace_engines import remove_engine
from penstock.services.storage.store import purges, workspaces
from penstock.services.storage.store.purges import Purge

log = Log("storage")

PORTION = 5_000
"""Rows that one transaction removes."""


def plan_purge(tx: Transaction, event: ProjectPurged) -> None:
    purges.add_purge(tx, event.project_id)


REACTIONS = [on(ProjectPurged, plan_purge, name="storage.purgeProject")]


class PurgeWorker(jobs_worker.Worker[Purge]):
    """A purge that fails is tried again when its lease ends."""

    def __init__(self, stack: Stack, name: str) -> None:
        super().__init__(stack.database, name, purges.CLAIMS)
        self._stack = stack

    def claim(self) -> Purge | None:
        with self._database.claiming() as tx:
            return purges.claim(tx, self.name, clock.now())

    def perform(self, job: Purge) -> None:
        with Lease(lambda: self._renew(job), lambda: None, lambda _reason: None):
            remove_outside(self._stack, job.project_id)
        self._remove_links(job)
        for table in tables_of("storage"):
            if table is not purges.purges:
                remove_inside(self._database, job, table)
        with self._database.writing(job.project_id) as tx:
            purges.renew(tx, job)
            remove_rows(tx, job.project_id, purges.purges)
        log.info("project purged", project_id=job.project_id)

    def _remove_links(self, job: Purge) -> None:
        """Remove the links of other projects to its buckets."""
        with self._database.writing() as tx:
            remove_links_to(tx, job.project_id)

    def _renew(self, job: Purge) -> None:
        with self._database.writing(job.project_id) as tx:
            purges.renew(tx, job)


def remove_outside(stack: Stack, project_id: int) -> None:
    """What is in folders: databases of workspaces, tables and files."""
    with stack.database.reading() as tx:
        sql = [row for row in workspaces.list_every_workspace(tx) if row.project_id == project_id]
        numbers, file_ids = purges.list_lake_numbers(tx, project_id), purges.list_file_ids(tx, project_id)
    for row in sql:
        remove_engine(stack, row)
    for number in numbers:
        drop_bucket(stack.lake, number)
    folder = BlobFolder(stack.files_folder)
    for file_id in file_ids:
        folder.remove(file_id)


def remove_inside(database: Database, job: Purge, table: Table) -> None:
    """All rows of the project in a table."""
    while remove_some(database, job, table) == PORTION:
        pass


def remove_some(database: Database, job: Purge, table: Table) -> int:
    with database.writing(job.project_id) as tx:
        purges.renew(tx, job)
        return remove_portion(tx, job.project_id, table, PORTION)
