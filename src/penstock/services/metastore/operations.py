"""Metastore's operations: create, change, list and delete documents, and read their revisions."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.metastore import store
from penstock.services.metastore.errors import (
    CurrentRevision,
    DocumentNotFound,
    InvalidDocument,
    RevisionChanged,
    RevisionNotFound,
    TooManyDocuments,
)
from penstock.services.metastore.filters import parse_filter
from penstock.services.metastore.models import (
    MAX_DOCUMENTS,
    MAX_REVISIONS,
    Attributes,
    ChangedDocument,
    DocumentRow,
    DocumentsQuery,
    NewDocument,
    ReplacedDocument,
)
from penstock.services.metastore.schemas import check_attributes, check_type, get_schema
from penstock.services.storage import interface as storage


def create_document(tx: Transaction, caller: Caller, name: str, new_document: NewDocument) -> DocumentRow:
    get_schema(name, new_document.schema_version)
    check_attributes(name, new_document.data)
    if store.count_documents(tx, caller.project_id) >= MAX_DOCUMENTS:
        raise TooManyDocuments(MAX_DOCUMENTS)
    now = clock.now()
    row = DocumentRow(
        id=ids.new_uuid(),
        number=ids.new_id(tx),
        project_id=caller.project_id,
        organization_id=management.get_project(tx, caller.project_id).organization_id,
        type=name,
        scope=new_document.scope,
        branch_id=storage.get_branch_id(tx, caller, new_document.branch) if new_document.branch else None,
        name=new_document.name or _name_of(new_document.data),
        revision=1,
        schema_version=new_document.schema_version,
        attributes=new_document.data,
        created=now,
        updated=now,
    )
    store.put_document(tx, row)
    return row


def get_document(tx: Transaction, caller: Caller, name: str, document_id: str) -> DocumentRow:
    """One of the project, or one that another project of its organization shares."""
    check_type(name)
    found = store.find_document(tx, _readable(tx, caller), name, document_id)
    if not found:
        raise DocumentNotFound(name, document_id)
    return found


def list_documents(
    tx: Transaction, caller: Caller, name: str, query: DocumentsQuery, *, only_shared: bool = False
) -> list[DocumentRow]:
    """List the documents of the project; or only those that projects of its organization share."""
    check_type(name)
    conditions, readable = parse_filter(query.filter), _readable(tx, caller)
    readable = msgspec.structs.replace(readable, only_shared=only_shared)
    return store.list_documents(tx, readable, name, conditions, query)


def replace_document(
    tx: Transaction, caller: Caller, name: str, document_id: str, replacement: ReplacedDocument
) -> DocumentRow:
    row = _get_own(tx, caller, name, document_id)
    return _change(tx, row, replacement.name, replacement.data, replacement.revision)


def change_document(
    tx: Transaction, caller: Caller, name: str, document_id: str, change: ChangedDocument
) -> DocumentRow:
    row = _get_own(tx, caller, name, document_id)
    merged = {**row.attributes, **(change.data or {})}
    attributes = {key: value for key, value in merged.items() if value is not None}
    return _change(tx, row, change.name or row.name, attributes, change.revision)


def delete_document(tx: Transaction, caller: Caller, name: str, document_id: str) -> None:
    """Delete a document. Its revisions can be read for another 30 days."""
    store.mark_deleted(tx, _get_own(tx, caller, name, document_id), clock.now())


def list_revisions(tx: Transaction, caller: Caller, name: str, query: DocumentsQuery) -> list[DocumentRow]:
    check_type(name)
    return store.list_revisions(tx, caller.project_id, name, parse_filter(query.filter), query)


def get_revision(tx: Transaction, caller: Caller, name: str, document_id: str, revision: str) -> DocumentRow:
    check_type(name)
    number = ids.read_id(revision)
    found = None
    if number is not None:
        found = store.find_revision(tx, caller.project_id, name, document_id, number)
    if not found:
        raise RevisionNotFound(document_id, revision)
    return found


def delete_revision(tx: Transaction, caller: Caller, name: str, document_id: str, revision: str) -> None:
    row = get_revision(tx, caller, name, document_id, revision)
    current = store.find_document(tx, _readable(tx, caller), name, document_id)
    if current and current.revision == row.revision:
        raise CurrentRevision(document_id, row.revision)
    store.remove_revisions(tx, row, first=row.revision, last=row.revision)


def _get_own(tx: Transaction, caller: Caller, name: str, document_id: str) -> DocumentRow:
    """Other projects of the organization read what is shared, and do not change it."""
    row = get_document(tx, caller, name, document_id)
    if row.project_id != caller.project_id:
        raise DocumentNotFound(name, document_id)
    return row


def _change(tx: Transaction, row: DocumentRow, name: str, attributes: Attributes, expected: int | None) -> DocumentRow:
    if expected is not None and expected != row.revision:
        raise RevisionChanged(row.id, expected, row.revision)
    check_attributes(row.type, attributes)
    changed = msgspec.structs.replace(
        row, name=name, attributes=attributes, revision=row.revision + 1, updated=clock.now()
    )
    store.put_document(tx, changed)
    store.remove_revisions(tx, changed, first=0, last=changed.revision - MAX_REVISIONS)
    return changed


def _readable(tx: Transaction, caller: Caller) -> store.Readable:
    return store.Readable(caller.project_id, management.get_project(tx, caller.project_id).organization_id)


def _name_of(attributes: Attributes) -> str:
    for key in ("name", "term"):
        given = attributes.get(key)
        if isinstance(given, str) and given:
            return given[:255]
    raise InvalidDocument("name", "A document needs a name: send `name`, or `name` in `data`.")
