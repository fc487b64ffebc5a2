"""Storage's route table: the tables of its resources, one under the other."""

from __future__ import annotations

from penstock.foundation.stacks import STORAGE
from penstock.services.storage.routes import buckets, components, events, index, tables, tokens
from penstock.services.storage.routes.branches import in_branches
from penstock.web.errors import with_text_code
from penstock.web.routing import Route
from penstock.web.service import Service


def service() -> Service:
    # The storage index does not list itself.
    return Service(id=STORAGE, name="Storage API", routes=routes(), errors=with_text_code, is_listed=False)


def routes() -> list[Route]:
    of_branches = [*tokens.routes(), *components.routes(), *buckets.routes(), *tables.routes(), *events.routes()]
    return [*index.routes(), *of_branches, *in_branches(of_branches)]
