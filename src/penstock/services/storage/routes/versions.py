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
from penstock.services.storage.operations.configurations.components import key_of
from penstock.services.storage.routes.configuration_rows import ROW, whole_view
from penstock.services.storage.routes.configurations import CONFIG
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    every, one = f"{CONFIG}/versions", f"{CONFIG}/versions/{{version}}"
    of_row, one_of_row = f"{ROW}/versions", f"{ROW}/versions/{{version}}"
    return [
        get(every, list_versions, needs=Right.TOKEN, title="List versions of a configuration"),
        get(one, get_version, needs=Right.TOKEN, title="Get a version of a configuration"),
        post(
            f"{one}/rollback", roll_back, needs=Right.TOKEN, status=201, title="Roll back a configuration to a version"
        ),
        post(
            f"{one}/create", copy_version, needs=Right.TOKEN, status=201, title="Copy a version to a new configuration"
        ),
        get(of_row, list_row_versions, needs=Right.TOKEN, title="List versions of a row"),
        get(one_of_row, get_row_version, needs=Right.TOKEN, title="Get a version of a row"),
        post(
            f"{one_of_row}/rollback", roll_row_back, needs=Right.TOKEN, status=201, title="Roll back a row to a version"
        ),
        post(
            f"{one_of_row}/create",
            copy_row_version,
            needs=Right.TOKEN,
            status=201,
            title="Copy a version of a row to a new row",
        ),
    ]


def list_versions(request: Request, component_id: str, config_id: str, query: VersionsQuery) -> list[Version]:
    """Newest first; `include=configuration` returns their documents too."""
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        found = versions.list_versions(tx, key, query)
    return [version_view(row, query.with_documents) for row in found]


def get_version(request: Request, component_id: str, config_id: str, version: str) -> Version:
    """A version with its document and its rows."""
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = versions.get_version(tx, key, version)
        return version_with_rows_view(row, versions.list_rows_at(tx, key, row.version))


def roll_back(request: Request, component_id: str, config_id: str, version: str, body: ChangeText) -> RolledBack:
    """Create a new version equal to an old one."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = versions.roll_back(tx, request.caller, key, version, body.change_description)
    return RolledBack(version=row.version)


def copy_version(request: Request, component_id: str, config_id: str, version: str, body: NewCopy) -> Copied:
    """Create a new configuration from a version of this one."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = versions.copy_version(tx, request.caller, key, version, body)
    return Copied(id=row.id)


def list_row_versions(
    request: Request, component_id: str, config_id: str, row_id: str, query: VersionsQuery
) -> list[Version]:
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        found = versions.list_row_versions(tx, key, row_id, query)
    return [version_view(row, query.with_documents) for row in found]


def get_row_version(request: Request, component_id: str, config_id: str, row_id: str, version: str) -> Version:
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return version_view(versions.get_row_version(tx, key, row_id, version), with_document=True)


def roll_row_back(
    request: Request, component_id: str, config_id: str, row_id: str, version: str, body: ChangeText
) -> Row:
    """Create a new version of the row equal to an old one."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(versions.roll_row_back(tx, request.caller, key, row_id, version, body.change_description))


def copy_row_version(
    request: Request, component_id: str, config_id: str, row_id: str, version: str, body: NewRowCopy
) -> Row:
    """Create a new row from a version of this one, here or in the configuration `targetConfigId`."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(versions.copy_row_version(tx, request.caller, key, row_id, version, body))
