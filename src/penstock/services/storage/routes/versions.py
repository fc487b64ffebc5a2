"""Versions of configurations and rows over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.configuration_rows import Row
from penstock.services.storage.models.versions import (
    ChangeText,
    Copied,
    NewCopy,
    NewRowCopy,
    RolledBack,
    Version,
    VersionsQuery,
    version_view,
    version_with_rows_view,
)
from penstock.services.storage.operations.configurations import versions
from penstock.services.storage.routes.configuration_rows import ROW, whole_view
from penstock.services.storage.routes.configurations import CONFIG, find_key
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    every, one = f"{CONFIG}/versions", f"{CONFIG}/versions/{{version}}"
    of_row, one_of_row = f"{ROW}/versions", f"{ROW}/versions/{{version}}"
    shown = {"query": VersionsQuery, "returns": list[Version]}
    made = {"status": 201}
    return [
        get(every, list_versions, needs=Right.TOKEN, **shown),
        get(one, get_version, returns=Version, needs=Right.TOKEN),
        post(f"{one}/rollback", roll_back, body=ChangeText, returns=RolledBack, needs=Right.TOKEN, **made),
        post(f"{one}/create", copy_version, body=NewCopy, returns=Copied, needs=Right.TOKEN, **made),
        get(of_row, list_row_versions, needs=Right.TOKEN, **shown),
        get(one_of_row, get_row_version, returns=Version, needs=Right.TOKEN),
        post(f"{one_of_row}/rollback", roll_row_back, body=ChangeText, returns=Row, needs=Right.TOKEN, **made),
        post(f"{one_of_row}/create", copy_row_version, body=NewRowCopy, returns=Row, needs=Right.TOKEN, **made),
    ]


def list_versions(request: Request) -> list[Version]:
    """Newest first; `include=configuration` shows their documents too."""
    with request.reading() as tx:
        found = versions.list_versions(tx, find_key(tx, request), request.query)
    return [version_view(row, request.query.with_documents) for row in found]


def get_version(request: Request) -> Version:
    """A version with its document and its rows."""
    with request.reading() as tx:
        key = find_key(tx, request)
        row = versions.get_version(tx, key, request.path["version"])
        return version_with_rows_view(row, versions.list_rows_at(tx, key, row.version))


def roll_back(request: Request) -> RolledBack:
    """Make a new version that is like an old one."""
    text = request.body.change_description
    with request.writing() as tx:
        row = versions.roll_back(tx, request.caller, find_key(tx, request), request.path["version"], text)
    return RolledBack(version=row.version)


def copy_version(request: Request) -> Copied:
    """Make a new configuration that is like a version of this one."""
    with request.writing() as tx:
        row = versions.copy_version(tx, request.caller, find_key(tx, request), request.path["version"], request.body)
    return Copied(id=row.id)


def list_row_versions(request: Request) -> list[Version]:
    with request.reading() as tx:
        found = versions.list_row_versions(tx, find_key(tx, request), request.path["row_id"], request.query)
    return [version_view(row, request.query.with_documents) for row in found]


def get_row_version(request: Request) -> Version:
    row_id, version = request.path["row_id"], request.path["version"]
    with request.reading() as tx:
        return version_view(versions.get_row_version(tx, find_key(tx, request), row_id, version), with_document=True)


def roll_row_back(request: Request) -> Row:
    """Make a new version of the row that is like an old one."""
    row_id, version, text = request.path["row_id"], request.path["version"], request.body.change_description
    with request.writing() as tx:
        return whole_view(versions.roll_row_back(tx, request.caller, find_key(tx, request), row_id, version, text))


def copy_row_version(request: Request) -> Row:
    """Make a new row that is like a version of this one, here or in the configuration `targetConfigId`."""
    row_id, version = request.path["row_id"], request.path["version"]
    with request.writing() as tx:
        return whole_view(
            versions.copy_row_version(tx, request.caller, find_key(tx, request), row_id, version, request.body)
        )
