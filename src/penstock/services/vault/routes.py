"""Vault over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.vault import operations
from penstock.services.vault.models import (
    Filter,
    MergedQuery,
    NewVariable,
    Variable,
    VariableRow,
    VariablesQuery,
    variable_view,
)
from penstock.web.health import description, description_of, health_check, health_check_by_post
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, delete, get, post


def routes() -> list[Route]:
    """Values are for configurations of all components, so a token that may only see a part of the project neither reads
    nor changes them. Its jobs get those that their configurations name."""
    health = health_check(description_of("vault"))
    return [
        get("/variables", list_variables, needs=Right.MANAGE_BUCKETS, is_confidential=True, refuses_query_with=404),
        post("/variables", create_variable, needs=Right.MANAGE_BUCKETS, status=201, refuses_body_with=422),
        delete("/variables/{hash}", delete_variable, needs=Right.MANAGE_BUCKETS),
        get(
            "/variables/scoped/branch/{branch_id}",
            list_scoped,
            needs=Right.MANAGE_BUCKETS,
            is_confidential=True,
            refuses_query_with=404,
            title="List variables that a branch sees",
        ),
        get(
            "/variables/merged/branch",
            list_merged,
            needs=Right.MANAGE_BUCKETS,
            is_confidential=True,
            refuses_query_with=404,
            title="List variables that a branch sees, for older clients",
        ),
        health,
        health_check_by_post(health),
        description("vault"),
    ]


def list_variables(request: Request, query: VariablesQuery) -> list[Variable]:
    """Matching variables of the project and its branches, in the order in which they were added."""
    with request.reading() as tx:
        return _views(operations.list_variables(tx, request.caller, query))


def create_variable(request: Request, body: NewVariable) -> Variable:
    """Store a variable; one with the same key and attributes is replaced."""
    with request.writing() as tx:
        return variable_view(operations.put_variable(tx, request.caller, request.stack.cipher, body))


def delete_variable(request: Request, hash: str) -> Text:  # noqa: A002
    """Remove a variable; the response is empty."""
    with request.writing() as tx:
        operations.remove_variable(tx, request.caller, hash)
    return Text("", "text/plain; charset=utf-8")


def list_scoped(request: Request, branch_id: str, query: Filter) -> list[Variable]:
    """What a branch sees: the project's variables and its own, which take precedence."""
    with request.reading() as tx:
        return _views(operations.list_scoped(tx, request.caller, branch_id, query))


def list_merged(request: Request, query: MergedQuery) -> list[Variable]:
    """What a branch sees: the project's variables and its own, for older clients."""
    with request.reading() as tx:
        return _views(operations.list_scoped(tx, request.caller, query.branch_id, query))


def _views(rows: list[VariableRow]) -> list[Variable]:
    return [variable_view(row) for row in rows]
