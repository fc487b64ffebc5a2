"""Clean or validate names over HTTP, before a client creates anything."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.limits import Names
from penstock.foundation.structs import Wire
from penstock.services.storage.operations import names
from penstock.web.requests import Request
from penstock.web.routing import Route, post


class DisplayName(Wire, frozen=True):
    display_name: str
    """The text to make a display name of."""


class ColumnNames(Wire, frozen=True):
    column_names: Names[str]
    """The texts to check or to make names of columns of."""


def routes() -> list[Route]:
    webalize, validate = "/v2/storage/webalize", "/v2/storage/validate"
    return [
        post(
            f"{webalize}/display-name",
            clean_display_name,
            needs=Right.TOKEN,
            only_reads=True,
            works_on_full_disk=True,
            title="Make a valid display name of a text",
        ),
        post(
            f"{webalize}/column-names",
            clean_column_names,
            needs=Right.TOKEN,
            only_reads=True,
            works_on_full_disk=True,
            title="Make valid column names of texts",
        ),
        post(
            f"{validate}/column-names",
            validate_column_names,
            needs=Right.TOKEN,
            status=204,
            only_reads=True,
            works_on_full_disk=True,
            title="Check column names",
        ),
    ]


def clean_display_name(_request: Request, body: DisplayName) -> DisplayName:
    return DisplayName(display_name=names.clean_display_name(body.display_name))


def clean_column_names(_request: Request, body: ColumnNames) -> ColumnNames:
    return ColumnNames(column_names=names.clean_column_names(body.column_names))


def validate_column_names(_request: Request, body: ColumnNames) -> None:
    """Nothing if all names are valid columns of one table; else a 422 with a reason for each."""
    names.check_column_names(body.column_names)
