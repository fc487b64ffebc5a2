"""Search over HTTP: everything of a project by name, and tables by metadata."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.search import GlobalSearchQuery, SearchResult, TableSearchQuery
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations import search
from penstock.services.storage.operations.tables.views import tables_view
from penstock.services.storage.routes.views import IncludeQuery, viewer_of
from penstock.web.requests import Request
from penstock.web.routing import Route, get

TABLES = frozenset(("buckets", "metadata"))


def routes() -> list[Route]:
    return [get("/v2/storage/search/tables", search_tables, needs=Right.TOKEN, title="Search tables by metadata")]


def main_routes() -> list[Route]:
    """Routes that exist only without a branch."""
    return [
        get(
            "/v2/storage/global-search",
            search_everywhere,
            needs=Right.TOKEN,
            title="Search objects of the project by name",
        )
    ]


def search_everywhere(request: Request, query: GlobalSearchQuery) -> SearchResult:
    """Buckets, tables, configurations, their rows and workspaces of the project by name, in all branches or in some."""
    with request.reading() as tx:
        return search.search_everywhere(tx, viewer_of(request), query)


def search_tables(request: Request, query: TableSearchQuery) -> list[Table]:
    """Tables that have metadata with this key, value and provider, as far as each is given."""
    include = IncludeQuery(include=query.include).members(TABLES)
    with request.reading() as tx:
        return tables_view(tx, viewer_of(request), search.search_tables(tx, request.caller, query), include)
