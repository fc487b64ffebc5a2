"""The applications of the stack over HTTP, for managers."""

from __future__ import annotations

from penstock.foundation.callers import of_scope
from penstock.services.login.interface import authenticate_manager
from penstock.services.oauth.models.consumers import Consumer, ConsumerChange, NewConsumer, consumer_view
from penstock.services.oauth.operations import consumers
from penstock.web.auth.manage_token import manage_token
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

MANAGE_OAUTH = of_scope("MANAGE_OAUTH", "oauth:manage")
EVERY = "/manage"
ONE = f"{EVERY}/{{component_id}}"


def routes() -> list[Route]:
    auth, needs = manage_token(authenticate_manager), MANAGE_OAUTH
    return [
        get(EVERY, list_consumers, needs=needs, auth=auth, title="List applications at providers"),
        post(EVERY, create_consumer, needs=needs, auth=auth, status=201, title="Register an application at a provider"),
        get(ONE, get_consumer, needs=needs, auth=auth, title="Get an application at a provider"),
        patch(ONE, change_consumer, needs=needs, auth=auth, title="Change an application at a provider"),
        delete(ONE, delete_consumer, needs=needs, auth=auth, status=204, title="Delete an application at a provider"),
    ]


def list_consumers(request: Request) -> list[Consumer]:
    with request.reading() as tx:
        return [consumer_view(row) for row in consumers.list_consumers(tx)]


def create_consumer(request: Request, body: NewConsumer) -> Consumer:
    """Register the application of a component. Its secrets are returned as ciphers."""
    with request.writing() as tx:
        return consumer_view(consumers.create_consumer(tx, request.identity, request.stack.cipher, body))


def get_consumer(request: Request, component_id: str) -> Consumer:
    with request.reading() as tx:
        return consumer_view(consumers.get_consumer(tx, component_id))


def change_consumer(request: Request, component_id: str, body: ConsumerChange) -> Consumer:
    """What is not given stays as it is. Credentials that were made before keep what they were made with."""
    with request.writing() as tx:
        row = consumers.change_consumer(tx, request.identity, request.stack.cipher, component_id, body)
    return consumer_view(row)


def delete_consumer(request: Request, component_id: str) -> None:
    """Credentials that were made before stay."""
    with request.writing() as tx:
        consumers.remove_consumer(tx, request.identity, component_id)
