"""Importer's operations: load received rows into a table, or store received bytes as a file."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.importer.errors import NameMissing
from penstock.services.importer.models import FileForm, TableForm
from penstock.services.storage import interface as storage


def load_table(stack: Stack, caller: Caller, file: storage.Incoming, form: TableForm) -> storage.StartedImport:
    """Start a load; raises if the table does not exist or the caller may not write it."""
    placed = _in_branch(stack, caller, form.branch_id)
    return storage.import_upload(stack, placed, form.table_id, file, form.to_import())


def store_file(
    stack: Stack, caller: Caller, file: storage.Incoming, file_name: str, form: FileForm, storage_url: str
) -> storage.File:
    """A file of the received bytes; `file_name` is the one of the part that they came in."""
    name = file_name or form.name
    if not name:
        raise NameMissing
    placed = _in_branch(stack, caller, form.branch_id)
    row = storage.store_upload(stack, placed, file, form.to_upload(name))
    with stack.database.reading() as tx:
        return storage.show_file(tx, stack, placed, row, storage_url)


def _in_branch(stack: Stack, caller: Caller, branch_id: str) -> Caller:
    with stack.database.reading() as tx:
        return storage.in_branch(tx, caller, branch_id)
