"""Errors of Metastore."""

from __future__ import annotations

from collections.abc import Iterable

from penstock.foundation.errors import Conflict, Invalid, NotFound


class UnknownType(NotFound):
    def __init__(self, name: str, allowed: Iterable[str]) -> None:
        super().__init__(f'There is no type "{name}". Use one of: {", ".join(allowed)}.')


class UnknownSchema(NotFound):
    def __init__(self, name: str, version: str, allowed: str) -> None:
        super().__init__(f'The type "{name}" has no schema version "{version}". Its version is "{allowed}".')


class DocumentNotFound(NotFound):
    def __init__(self, name: str, document_id: str) -> None:
        super().__init__(f'There is no {name} "{document_id}" in this project.')


class RevisionNotFound(NotFound):
    def __init__(self, document_id: str, revision: str) -> None:
        super().__init__(f'The document "{document_id}" has no revision "{revision}".')


class InvalidDocument(Invalid):
    """What is wrong with a document, and where."""

    status = 422

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f'Invalid request:\n - {path}: "{problem}"')
        self.faults = ({"path": path, "message": problem},)


class TooLarge(InvalidDocument):
    def __init__(self, size: int, limit: int) -> None:
        super().__init__("data", f"The attributes take {size:,} bytes as JSON, and may take {limit:,}.")


class TooManyDocuments(Invalid):
    status = 422

    def __init__(self, limit: int) -> None:
        super().__init__(f"The project has {limit:,} documents, which is the limit. Delete some first.")


class InvalidFilter(Invalid):
    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The filter cannot be read: {problem} Write conditions such as `name=Revenue` or "
            '`attributes.modelUUID="…"`, joined by ` and `.'
        )


class RevisionChanged(Conflict):
    def __init__(self, document_id: str, value: int, current: int) -> None:
        super().__init__(
            f'The document "{document_id}" has revision {current}, not {value}: somebody has changed it. '
            "Read it again, and repeat the change."
        )


class CurrentRevision(Conflict):
    def __init__(self, document_id: str, revision: int) -> None:
        super().__init__(
            f'Revision {revision} is the current one of the document "{document_id}" and cannot be deleted. '
            "Delete the document, or change it first."
        )
