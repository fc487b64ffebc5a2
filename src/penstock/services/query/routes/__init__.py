"""Query over HTTP.

jobs.py      submit, read, cancel and list jobs
results.py   rows of a statement in pages
files.py     all rows of a statement: as a stream of JSON lines, or as a file
"""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Right
from penstock.services.query.routes import files, jobs, results
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Document, Route, get

SERVICE = "query"


def routes() -> list[Route]:
    """What a statement reads is decided by the token that submits it; a job is visible to that token, and to those that
    may read everything."""
    return [
        *jobs.routes(),
        *results.routes(),
        *files.routes(),
        get(
            "/api/v1/documentation",
            get_documentation,
            needs=Right.PUBLIC,
            document=Document.PROGRAM,
            title="Get the OpenAPI document",
        ),
        health_check(description_of(SERVICE)),
        description(SERVICE),
    ]


def get_documentation(request: Request) -> dict[str, Any]:
    """The OpenAPI document of this service."""
    service = next(each for each in request.services if each.id == SERVICE)
    return service.specify(request.addresses.url_of(SERVICE))
