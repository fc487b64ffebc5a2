"""Documents as requested, stored and returned.

A document has a type, whose schema says what its attributes are, and a revision: every change makes a new one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

TYPES = (
    "semantic-model",
    "semantic-dataset",
    "semantic-metric",
    "semantic-relationship",
    "semantic-glossary",
    "semantic-constraint",
)
SCHEMA_VERSION = "1.0.0"
MAX_DOCUMENTS = 10_000
"""Of a project, of all types together."""
MAX_REVISIONS = 1_000
"""Of a document: older ones are removed."""
MAX_BYTES = 200_000
"""Of the attributes of a document, as JSON."""

PROJECT, ORGANIZATION = "project", "organization"
Scope = Literal["project", "organization"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Attributes = dict[str, Any]


class NewDocument(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`name` is that of the attributes, or their `term`, if it is not given."""

    data: Attributes
    """Attributes of the document, as the schema of its type says. Together at most 200,000 bytes."""
    name: Name | None = None
    """Name of the document. Without it, the attribute `name` or `term`."""
    schema_version: str = SCHEMA_VERSION
    """Version of the schema that the attributes follow."""
    scope: Scope = PROJECT
    """`project`, or `organization` for documents that all projects of the organization read."""
    branch: str | None = None
    """Id of the branch that the document belongs to. Without it, it belongs to the project."""


class ReplacedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """`revision`, if given, must be the current one: a change of somebody else in between is then an error."""

    name: Name
    """New name."""
    data: Attributes
    """New attributes, which replace all before."""
    revision: int | None = None
    """The current revision. If somebody has changed the document meanwhile, the request is refused."""


class ChangedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Members of `data` replace those of the attributes; one that is null is removed."""

    name: Name | None = None
    """New name."""
    data: Attributes | None = None
    """Attributes to set. One that is null is removed; the others stay."""
    revision: int | None = None
    """The current revision. If somebody has changed the document meanwhile, the request is refused."""


class DocumentsQuery(msgspec.Struct, frozen=True, kw_only=True):
    filter: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    """Conditions such as `name=Revenue`, joined by ` and `."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100
    """The highest number of documents to return."""
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    """How many documents are skipped before the first one that is returned."""


class Condition(msgspec.Struct, frozen=True):
    """A part of a filter: a field, or an attribute, has this value."""

    field: str
    attribute: str
    value: str


class DocumentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A document as stored: its current revision."""

    id: str
    number: int
    """The order of creation."""
    project_id: int
    organization_id: int
    type: str
    scope: str
    branch_id: int | None
    name: str
    revision: int
    schema_version: str
    attributes: Attributes
    created: datetime
    updated: datetime
    """When its current revision was made."""
    deleted: datetime | None = None


class Meta(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    branch: str | None
    name: str
    revision: int
    schema_version: str
    project_id: int
    organization_id: str
    scope: str
    created_at: str
    last_updated: str
    deleted_at: str | None
    revision_created_at: str


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """As JSON:API writes an object."""

    type: str
    id: str
    attributes: Attributes
    relationships: dict[str, Any] | None
    meta: Meta


class OneDocument(msgspec.Struct, frozen=True):
    data: Document


class Documents(msgspec.Struct, frozen=True):
    data: list[Document]


def document_view(row: DocumentRow) -> Document:
    meta = Meta(
        branch=None if row.branch_id is None else str(row.branch_id),
        name=row.name,
        revision=row.revision,
        schema_version=row.schema_version,
        project_id=row.project_id,
        organization_id=str(row.organization_id),
        scope=row.scope,
        created_at=_text(row.created),
        last_updated=_text(row.updated),
        deleted_at=_text(row.deleted) if row.deleted else None,
        revision_created_at=_text(row.updated),
    )
    return Document(type=row.type, id=row.id, attributes=row.attributes, relationships=None, meta=meta)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
