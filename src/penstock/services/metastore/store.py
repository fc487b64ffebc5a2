"""The tables of documents and of their revisions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Select,
    Table,
    Text,
    case,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.metastore.models import ORGANIZATION, Condition, DocumentRow, DocumentsQuery

documents = Table(
    "metastore_documents",
    metadata,
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),
    Column("project_id", BigInteger, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("type", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("schema_version", Text, nullable=False),
    Column("branch_id", BigInteger),
    Column("attributes", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("updated", Timestamp, nullable=False),
    Column("deleted", Timestamp),
    Index("metastore_documents_by_project", "project_id", "type", "number"),
    Index("metastore_documents_by_organization", "organization_id", "type", "number"),
)

revisions = Table(
    "metastore_revisions",
    metadata,
    Column("document_id", Text, primary_key=True),
    Column("revision", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("schema_version", Text, nullable=False),
    Column("attributes", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
)

_OF_REVISIONS = {"revision": "revision", "name": "name", "schema_version": "schema_version", "attributes": "attributes"}


class Readable(msgspec.Struct, frozen=True):
    """Whose documents are read: those of a project, or those that an organization shares, too or only."""

    project_id: int
    organization_id: int
    only_shared: bool = False


def put_document(tx: Transaction, row: DocumentRow) -> None:
    """Insert it or change it, with its current revision."""
    fields = msgspec.structs.asdict(row)
    mine = (documents.c.id == row.id, documents.c.project_id == row.project_id)
    if not tx.change(update(documents).where(*mine).values(fields)):
        tx.change(insert(documents).values(fields))
    kept = {name: fields[name] for name in ("revision", "project_id", "name", "schema_version", "attributes")}
    tx.change(insert(revisions).values(document_id=row.id, created=row.updated, **kept))


def find_document(tx: Transaction, readable: Readable, name: str, document_id: str) -> DocumentRow | None:
    """One that is not deleted, of the project or shared with it."""
    mine = documents.c.project_id == readable.project_id
    this = select(documents).where(
        documents.c.id == document_id, documents.c.type == name, documents.c.deleted.is_(None)
    )
    return tx.one(this.where(or_(mine, _is_shared(readable))), into=DocumentRow)


def list_documents(
    tx: Transaction, readable: Readable, name: str, conditions: Sequence[Condition], query: DocumentsQuery
) -> list[DocumentRow]:
    """List documents in the order of their creation."""
    whose = _is_shared(readable) if readable.only_shared else documents.c.project_id == readable.project_id
    statement = select(documents).where(whose, documents.c.type == name, documents.c.deleted.is_(None))
    statement = statement.where(*(_is_true(tx, each, documents) for each in conditions)).order_by(documents.c.number)
    return tx.all(statement.limit(query.limit).offset(query.offset), into=DocumentRow)


def count_documents(tx: Transaction, project_id: int) -> int:
    mine = (documents.c.project_id == project_id, documents.c.deleted.is_(None))
    return tx.value(select(func.count()).select_from(documents).where(*mine)) or 0


def mark_deleted(tx: Transaction, row: DocumentRow, now: datetime) -> None:
    mine = (documents.c.id == row.id, documents.c.project_id == row.project_id)
    tx.change(update(documents).where(*mine).values(deleted=now))


def list_revisions(
    tx: Transaction, project_id: int, name: str, conditions: Sequence[Condition], query: DocumentsQuery
) -> list[DocumentRow]:
    """List the revisions of all documents of a type in the project, deleted ones too: newest first."""
    statement = _with_revisions(project_id, name).where(*(_is_true(tx, each, revisions) for each in conditions))
    statement = statement.order_by(documents.c.number.desc(), revisions.c.revision.desc())
    return tx.all(statement.limit(query.limit).offset(query.offset), into=DocumentRow)


def find_revision(tx: Transaction, project_id: int, name: str, document_id: str, revision: int) -> DocumentRow | None:
    statement = _with_revisions(project_id, name)
    this = statement.where(revisions.c.document_id == document_id, revisions.c.revision == revision)
    return tx.one(this, into=DocumentRow)


def remove_revisions(tx: Transaction, row: DocumentRow, *, first: int, last: int) -> None:
    mine = (revisions.c.document_id == row.id, revisions.c.project_id == row.project_id)
    tx.change(delete(revisions).where(*mine, revisions.c.revision.between(first, last)))


def move_documents(tx: Transaction, project_id: int, organization_id: int) -> None:
    tx.change(update(documents).where(documents.c.project_id == project_id).values(organization_id=organization_id))


def remove_of_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    _remove(tx, (documents.c.project_id == project_id) & (documents.c.branch_id == branch_id))


def remove_deleted(tx: Transaction, before: datetime) -> None:
    """Remove deleted documents of any project."""
    _remove(tx, documents.c.deleted < before)


def _remove(tx: Transaction, which: ColumnElement[bool]) -> None:
    tx.change(delete(revisions).where(revisions.c.document_id.in_(select(documents.c.id).where(which))))
    tx.change(delete(documents).where(which))


def _is_shared(readable: Readable) -> ColumnElement[bool]:
    return (documents.c.organization_id == readable.organization_id) & (documents.c.scope == ORGANIZATION)


def _with_revisions(project_id: int, name: str) -> Select[Any]:
    """Documents as they were in each revision."""
    columns = [
        *(column for column in documents.c if column.name not in (*_OF_REVISIONS, "updated")),
        *(revisions.c[each] for each in _OF_REVISIONS),
        revisions.c.created.label("updated"),
    ]
    both = documents.join(revisions, revisions.c.document_id == documents.c.id)
    return select(*columns).select_from(both).where(documents.c.project_id == project_id, documents.c.type == name)


def _is_true(tx: Transaction, condition: Condition, of: Table) -> ColumnElement[bool]:
    """`of` has what changes with a revision; the rest is of the document."""
    if condition.attribute:
        return _attribute_is(tx, of, condition.attribute, condition.value)
    columns: dict[str, ColumnElement[Any]] = {
        "id": documents.c.id,
        "scope": documents.c.scope,
        "branch": cast(documents.c.branch_id, Text),
        "name": of.c.name,
        "revision": cast(of.c.revision, Text),
        "schemaVersion": of.c.schema_version,
    }
    return columns[condition.field] == condition.value


def _attribute_is(tx: Transaction, of: Table, name: str, value: str) -> ColumnElement[bool]:
    """Names come from requests: `json_each` compares them as values, where a path would need quoting."""
    if tx.connection.dialect.name == "postgresql":
        each = func.json_each_text(of.c.attributes).table_valued("key", "value")
        shown: ColumnElement[Any] = each.c.value
    else:
        each = func.json_each(of.c.attributes).table_valued("key", "value", "type")
        is_boolean = each.c.type.in_(("true", "false"))
        shown = case((is_boolean, each.c.type), else_=cast(each.c.value, Text))
    return select(each.c.key).where(each.c.key == name, shown == value).correlate(of).exists()
