"""Tickets over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models import Wire
from penstock.services.storage.operations import tickets
from penstock.web.requests import Request
from penstock.web.routing import Route, post


class Ticket(Wire, frozen=True):
    id: int


def routes() -> list[Route]:
    return [post("/v2/storage/tickets", create_ticket, needs=Right.TOKEN, status=201)]


def create_ticket(request: Request) -> Ticket:
    """A number that is unique in this stack."""
    with request.writing() as tx:
        return Ticket(id=tickets.create_ticket(tx))
