"""Editor over HTTP.

sessions.py      created, read, listed and deleted
credentials.py   key pairs and passwords of the workspace
loads.py         tables into the workspace and out of it
queries.py       statements, which the query service runs
schema.py        what can be queried
"""

from __future__ import annotations

from penstock.services.editor.routes import credentials, loads, queries, schema, sessions
from penstock.web.health import description, description_of, health_check
from penstock.web.routing import Route


def routes() -> list[Route]:
    """A session is visible to the token that created it, and to those that may read everything."""
    return [
        *sessions.routes(),
        *credentials.routes(),
        *loads.routes(),
        *queries.routes(),
        *schema.routes(),
        health_check(description_of("editor")),
        description("editor"),
    ]
