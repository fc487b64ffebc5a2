"""Metastore over HTTP."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Right
from penstock.services.metastore import operations
from penstock.services.metastore.models import (
    ChangedDocument,
    DocumentRow,
    Documents,
    DocumentsQuery,
    NewDocument,
    OneDocument,
    ReplacedDocument,
    document_view,
)
from penstock.services.metastore.schemas import get_schema
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post, put


def routes() -> list[Route]:
    """Documents describe tables of all buckets, so a token that may only see a part of the project neither reads nor
    changes them. Schemas are the same in every project."""
    every = "/api/v1/repository/{document_type}"
    one, revision = f"{every}/{{document_id}}", f"{every}/{{document_id}}/revisions/{{revision}}"
    return [
        get(
            "/api/v1/schema/{document_type}",
            show_schema,
            needs=Right.TOKEN,
            title="Get the schema of a type of documents",
        ),
        get(
            "/api/v1/schema/{document_type}/{version}",
            show_schema_version,
            needs=Right.TOKEN,
            describes={"version": "Version of the schema, such as `1.0.0`."},
            title="Get a version of the schema of a type of documents",
        ),
        get(every, list_documents, needs=Right.MANAGE_BUCKETS),
        post(every, create_document, needs=Right.MANAGE_BUCKETS, status=201, refuses_body_with=422),
        get(
            f"{every}/organization", list_shared, needs=Right.MANAGE_BUCKETS, title="List documents of the organization"
        ),
        get(f"{every}/revisions", list_revisions, needs=Right.MANAGE_BUCKETS, title="List revisions of documents"),
        get(one, get_document, needs=Right.MANAGE_BUCKETS),
        put(one, replace_document, needs=Right.MANAGE_BUCKETS, refuses_body_with=422),
        patch(one, change_document, needs=Right.MANAGE_BUCKETS, refuses_body_with=422),
        delete(one, delete_document, needs=Right.MANAGE_BUCKETS, status=204),
        get(revision, get_revision, needs=Right.MANAGE_BUCKETS, title="Get a revision of a document"),
        delete(
            revision, delete_revision, needs=Right.MANAGE_BUCKETS, status=204, title="Delete a revision of a document"
        ),
        health_check(description_of("metastore")),
        description("metastore"),
    ]


def show_schema(_request: Request, document_type: str) -> dict[str, Any]:
    """The JSON Schema of the attributes of a type."""
    return get_schema(document_type)


def show_schema_version(_request: Request, document_type: str, version: str) -> dict[str, Any]:
    """The schema of a type of documents, in one version."""
    return get_schema(document_type, version)


def list_documents(request: Request, document_type: str, query: DocumentsQuery) -> Documents:
    """Documents of the project, in the order of their creation."""
    with request.reading() as tx:
        return _views(operations.list_documents(tx, request.caller, document_type, query))


def list_shared(request: Request, document_type: str, query: DocumentsQuery) -> Documents:
    """Documents that projects of the same organization share."""
    with request.reading() as tx:
        return _views(operations.list_documents(tx, request.caller, document_type, query, only_shared=True))


def create_document(request: Request, document_type: str, body: NewDocument) -> OneDocument:
    with request.writing() as tx:
        return _view(operations.create_document(tx, request.caller, document_type, body))


def get_document(request: Request, document_type: str, document_id: str) -> OneDocument:
    with request.reading() as tx:
        return _view(operations.get_document(tx, request.caller, document_type, document_id))


def replace_document(request: Request, document_type: str, document_id: str, body: ReplacedDocument) -> OneDocument:
    """Set the name and all attributes; this makes a revision."""
    with request.writing() as tx:
        return _view(operations.replace_document(tx, request.caller, document_type, document_id, body))


def change_document(request: Request, document_type: str, document_id: str, body: ChangedDocument) -> OneDocument:
    """Set the name, or some attributes; this makes a revision."""
    with request.writing() as tx:
        return _view(operations.change_document(tx, request.caller, document_type, document_id, body))


def delete_document(request: Request, document_type: str, document_id: str) -> None:
    """Delete a document. Its revisions can be read for another 30 days."""
    with request.writing() as tx:
        operations.delete_document(tx, request.caller, document_type, document_id)


def list_revisions(request: Request, document_type: str, query: DocumentsQuery) -> Documents:
    """Revisions of all documents of a type, newest first; `filter=id=…` for those of one."""
    with request.reading() as tx:
        return _views(operations.list_revisions(tx, request.caller, document_type, query))


def get_revision(request: Request, document_type: str, document_id: str, revision: str) -> OneDocument:
    with request.reading() as tx:
        return _view(operations.get_revision(tx, request.caller, document_type, document_id, revision))


def delete_revision(request: Request, document_type: str, document_id: str, revision: str) -> None:
    """Remove a revision that is not the current one."""
    with request.writing() as tx:
        operations.delete_revision(tx, request.caller, document_type, document_id, revision)


def _view(row: DocumentRow) -> OneDocument:
    return OneDocument(document_view(row))


def _views(rows: list[DocumentRow]) -> Documents:
    return Documents([document_view(row) for row in rows])
