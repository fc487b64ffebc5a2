"""What becomes of names, for those who ask before they make anything."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.limits import Names
from penstock.services.storage.models import Wire
from penstock.services.storage.operations import names
from penstock.web.requests import Request
from penstock.web.routing import Route, post


class DisplayName(Wire, frozen=True):
    display_name: str


class ColumnNames(Wire, frozen=True):
    column_names: Names[str]


def routes() -> list[Route]:
    webalize, validate = "/v2/storage/webalize", "/v2/storage/validate"
    reads = {"works_on_full_disk": True}
    return [
        post(
            f"{webalize}/display-name",
            clean_display_name,
            body=DisplayName,
            returns=DisplayName,
            needs=Right.TOKEN,
            **reads,
        ),
        post(
            f"{webalize}/column-names",
            clean_column_names,
            body=ColumnNames,
            returns=ColumnNames,
            needs=Right.TOKEN,
            **reads,
        ),
        post(
            f"{validate}/column-names", validate_column_names, body=ColumnNames, status=204, needs=Right.TOKEN, **reads
        ),
    ]


def clean_display_name(request: Request) -> DisplayName:
    return DisplayName(display_name=names.clean_display_name(request.body.display_name))


def clean_column_names(request: Request) -> ColumnNames:
    return ColumnNames(column_names=names.clean_column_names(request.body.column_names))


def validate_column_names(request: Request) -> None:
    """Nothing if all may be columns of one table; else a 422 that says of each why not."""
    names.check_column_names(request.body.column_names)
