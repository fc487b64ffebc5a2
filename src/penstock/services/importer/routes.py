"""Importer over HTTP. Bodies are streamed to the disk, so both handlers are async and work in threads of the disk."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.importer import operations
from penstock.services.importer.errors import StillLoading
from penstock.services.importer.models import FileForm, Loaded, LoadResults, TableForm
from penstock.services.importer.receiving import received_form
from penstock.services.storage import interface as storage
from penstock.web.bodies import to_model
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Later, Request, Wait
from penstock.web.routing import Route, post
from penstock.web.streaming import on_disk

LOAD_SECONDS = 45 * 60


def routes() -> list[Route]:
    return [
        post("/write-table", write_table, needs=Right.TOKEN, form=TableForm, title="Upload a CSV file into a table"),
        post("/upload-file", upload_file, needs=Right.TOKEN, form=FileForm, title="Upload a file to Storage"),
        health_check(description_of("import")),
        description("import"),
    ]


async def write_table(request: Request, http: HttpRequest) -> Later[Loaded]:
    """Load rows into a table that exists, and respond when they are there."""
    async with received_form(request.stack, http) as form:
        wanted = to_model(form.fields, TableForm)
        started = await on_disk(operations.load_table, request.stack, request.caller, form.file, wanted)
    wait = Wait(lambda: started.has_ended(request.stack), LOAD_SECONDS, partial(request.stack.notify_workers, STORAGE))
    return Later(wait, lambda: _get_results(request, started))


async def upload_file(request: Request, http: HttpRequest) -> storage.File:
    """Store a file; its id can be sent to Storage as `dataFileId`."""
    async with received_form(request.stack, http) as form:
        wanted, url = to_model(form.fields, FileForm), request.addresses.url_of(STORAGE)
        return await on_disk(
            operations.store_file, request.stack, request.caller, form.file, form.file_name, wanted, url
        )


def _get_results(request: Request, started: storage.StartedImport) -> Loaded:
    results = started.find_results(request.stack, LoadResults)
    if not results:
        raise StillLoading(started.job.id, LOAD_SECONDS)
    return results.to_loaded()
