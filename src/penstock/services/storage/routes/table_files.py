"""The file of a table over HTTP: its rows as they are stored, without a job and without a copy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.storage.errors.tables import FileReplaced, RangeTooFar
from penstock.services.storage.operations.tables.exports import open_stored_file
from penstock.web.ranges import RangeNotSatisfiable, Span, read_range
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.streaming import FileStream, on_disk

PARQUET = "application/vnd.apache.parquet"


def routes() -> list[Route]:
    return [
        get(
            "/v2/storage/tables/{table_id}/data-file",
            read_file,
            needs=Right.TOKEN,
            media_type=PARQUET,
            title="Download a table as a Parquet file",
        )
    ]


async def read_file(request: Request, table_id: str, http: HttpRequest) -> Response:
    """All rows as a Parquet file, if the table is stored as one: 409 otherwise. It may have internal columns. With
    `Range` a part of it, and with `If-Match` only of the file with this `ETag`, which changes with the rows."""
    file = await on_disk(open_stored_file, request.stack, request.caller, table_id)
    try:
        return _respond(file, http, table_id)
    except BaseException:
        file.close()
        raise


def _respond(file: BinaryIO, http: HttpRequest, table_id: str) -> Response:
    size, headers = os.fstat(file.fileno()).st_size, _describe(file)
    wanted = http.headers.get("if-match")
    if wanted not in (None, "*", headers["etag"]):
        raise FileReplaced(table_id)
    try:
        span = read_range(http.headers.get("range"), size)
    except RangeNotSatisfiable as error:
        raise RangeTooFar(size) from error
    if not span:
        return FileStream(file, Span(0, size), 200, headers)
    return FileStream(file, span, 206, {**headers, "content-range": span.to_header(size)})


def _describe(file: BinaryIO) -> dict[str, str]:
    """Files of tables never change, and no two have the same name."""
    return {"content-type": PARQUET, "accept-ranges": "bytes", "etag": f'"{Path(file.name).stem}"'}
