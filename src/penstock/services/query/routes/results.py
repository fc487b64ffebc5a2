"""The rows of a statement in pages, and how long it took."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.query import operations
from penstock.services.query.models.requests import ResultsQuery
from penstock.services.query.models.views import Profile, Results, profile_view, results_view
from penstock.services.query.results import find_result
from penstock.services.query.routes.jobs import JOB
from penstock.web.requests import Request
from penstock.web.routing import Route, get

STATEMENT = f"{JOB}/{{statement_id}}"


def routes() -> list[Route]:
    return [
        get(f"{STATEMENT}/results", get_results, needs=Right.TOKEN, uses_lake=True, title="Get results of a query"),
        get(f"{STATEMENT}/profile", get_profile, needs=Right.TOKEN, title="Get the timing of a query"),
    ]


def get_results(request: Request, job_id: str, statement_id: str, query: ResultsQuery) -> Results:
    """A page of rows. Each value is text or null."""
    found = find_result(request.stack, request.caller, job_id, statement_id)
    return results_view(found.row, found.read(query.offset, query.page_size))


def get_profile(request: Request, job_id: str, statement_id: str) -> Profile:
    """How long a statement waited and ran."""
    with request.reading() as tx:
        _, row = operations.get_statement(tx, request.caller, job_id, statement_id)
    return profile_view(row)
