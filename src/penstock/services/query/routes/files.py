"""All rows of a statement at once: as a stream of JSON lines, or as a file."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse

from penstock.foundation.callers import Right
from penstock.foundation.errors import Unavailable
from penstock.services.query.errors import ExportTooLarge
from penstock.services.query.models.requests import MAX_PAGE, ExportQuery
from penstock.services.query.models.rows import StatementRow
from penstock.services.query.results import FoundResult, find_result
from penstock.services.query.routes.results import STATEMENT
from penstock.web.ranges import Span
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.streaming import FileStream, on_disk

MEGABYTE = 1_000_000
NDJSON = "application/x-ndjson"
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "arrow": "application/vnd.apache.arrow.stream",
}


def routes() -> list[Route]:
    return [
        get(
            f"{STATEMENT}/results/stream",
            stream_results,
            needs=Right.TOKEN,
            media_type=NDJSON,
            title="Stream results of a query",
        ),
        get(
            f"{STATEMENT}/export",
            export_results,
            needs=Right.TOKEN,
            media_type="*/*",
            title="Export results of a query to a file",
        ),
    ]


async def stream_results(request: Request, job_id: str, statement_id: str, http: HttpRequest) -> Response:  # noqa: ARG001
    """Every row as one line: a JSON object with the names of the columns."""
    found = await on_disk(find_result, request.stack, request.caller, job_id, statement_id)
    # Before the response begins, so that an error has its status.
    first = await on_disk(_read_lines, found, 0)
    return StreamingResponse(_stream(found, first), media_type=NDJSON)


async def _stream(result: FoundResult, lines: bytes) -> AsyncIterator[bytes]:
    for offset in range(MAX_PAGE, result.row.number_of_rows + MAX_PAGE, MAX_PAGE):
        yield lines
        lines = await on_disk(_read_lines, result, offset)


def _read_lines(result: FoundResult, offset: int) -> bytes:
    names = unique_names([column.name for column in result.row.columns])
    rows = result.read(offset, MAX_PAGE)
    return b"".join(msgspec.json.encode(dict(zip(names, row, strict=True))) + b"\n" for row in rows)


def unique_names(names: Sequence[str]) -> list[str]:
    """A query may name two columns alike: the later ones get a number, so that an object has all of them."""
    unique: dict[str, None] = {}
    for name in names:
        candidate, number = name, 1
        while candidate in unique:
            number += 1
            candidate = f"{name}_{number}"
        unique[candidate] = None
    return list(unique)


async def export_results(
    request: Request,
    job_id: str,
    statement_id: str,
    query: ExportQuery,
    http: HttpRequest,  # noqa: ARG001
) -> Response:
    """All rows as a file: CSV with a header, Parquet or Arrow."""
    found = await on_disk(find_result, request.stack, request.caller, job_id, statement_id)
    file = await on_disk(_export, found, query)
    return FileStream(file, Span(0, os.fstat(file.fileno()).st_size), 200, _headers(found.row, query))


def _export(result: FoundResult, query: ExportQuery) -> BinaryIO:
    with result.open() as engine:
        file = _take(engine.export(str(result.row.id), query.file_type, gzip=query.gzip))
    most = result.stack.settings.sql_export_megabytes
    if os.fstat(file.fileno()).st_size > most * MEGABYTE:
        file.close()
        raise ExportTooLarge(result.row.id, most)
    return file


def _take(path: Path) -> BinaryIO:
    """Open the file and remove its name. The engine runs code of users, so what it names is opened as a file only if it
    is one."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    path.unlink()
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise NotAFile
    return file


class NotAFile(Unavailable):
    def __init__(self) -> None:
        super().__init__("The engine of the workspace did not write the file. Try again.")


def _headers(row: StatementRow, query: ExportQuery) -> dict[str, str]:
    ending = f"{query.file_type}.gz" if query.gzip else query.file_type
    return {
        "content-type": "application/gzip" if query.gzip else MEDIA_TYPES[query.file_type],
        "content-disposition": f'attachment; filename="{row.id}.{ending}"',
    }
