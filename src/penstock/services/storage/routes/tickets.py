"""Tickets over HTTP: unique numbers, which clients use as run ids."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import Right
from penstock.foundation.structs import Wire
from penstock.web.requests import Request
from penstock.web.routing import Route, post


class Ticket(Wire, frozen=True):
    id: int


def routes() -> list[Route]:
    return [post("/v2/storage/tickets", create_ticket, needs=Right.TOKEN, status=201, only_reads=True)]


def create_ticket(request: Request) -> Ticket:
    """A number that is unique in this stack."""
    with request.writing() as tx:
        return Ticket(id=ids.new_id(tx))
