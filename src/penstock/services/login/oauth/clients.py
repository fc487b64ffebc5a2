"""Programs register themselves (RFC 7591): without a secret, since every copy of a program would have the same one.

Anybody can do that, so how many there are, how often an address registers some and how large they are is limited. One
that nobody has let in is removed a day later, or when the place is needed.
"""

from __future__ import annotations

from collections.abc import Collection

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError
from penstock.services.login.errors import GrantError
from penstock.services.login.oauth.models import NewClient, RegisteredClient
from penstock.services.login.oauth.redirects import is_allowed
from penstock.services.login.store import clients as store
from penstock.services.login.store.clients import Client

MAX_CLIENTS = 10_000
UNNAMED = "A program without a name"


class TooManyClients(AppError):
    status = 429
    retry_after = 3_600

    def __init__(self) -> None:
        super().__init__(
            f"{MAX_CLIENTS:,} programs are registered and in use, and no more are accepted. Ask the operator of the "
            "stack, or give the program a token instead."
        )


class UnknownClient(GrantError):
    status = 401

    def __init__(self) -> None:
        super().__init__("invalid_client", "The client_id is unknown here. Register the program again.")


def register(tx: Transaction, visitor: Identity, form: NewClient, listed: Collection[str]) -> RegisteredClient:
    """Register a program with those addresses that are allowed: programs register several, and use one that is left."""
    addresses = [address for address in dict.fromkeys(form.redirect_uris) if is_allowed(address, listed)]
    if not addresses:
        raise GrantError(
            "invalid_redirect_uri",
            "None of redirect_uris is allowed. Each must be an https address, an http address of the person's own "
            "machine, such as http://127.0.0.1/callback, or one that the operator has listed in `login_redirects`; "
            "without a user, a fragment or a backslash.",
        )
    if "authorization_code" not in form.grant_types or "code" not in form.response_types:
        message = "grant_types must contain authorization_code, and response_types code: there is no other way."
        raise GrantError("invalid_client_metadata", message)
    return _view(_add(tx, visitor, form.client_name, addresses))


def _add(tx: Transaction, visitor: Identity, name: str, addresses: list[str]) -> Client:
    if store.count_clients(tx) >= MAX_CLIENTS and not store.remove_oldest_unused(tx):
        raise TooManyClients
    client = Client(
        id=f"kbc_cl_{ids.new_secret()}",
        name=" ".join(name.split()) or UNNAMED,
        redirect_uris=addresses,
        created=clock.now(),
    )
    store.add_client(tx, client)
    details = {"name": client.name, "redirects": addresses}
    audit.record(tx, audit.NewEntry.of(visitor, "login.clientRegistered", f"client {client.id}", **details))
    return client


def get_client(tx: Transaction, client_id: str) -> Client:
    client = store.find_client(tx, client_id)
    if not client:
        raise UnknownClient
    return client


def _view(client: Client) -> RegisteredClient:
    return RegisteredClient(
        client_id=client.id,
        client_name=client.name,
        redirect_uris=client.redirect_uris,
        client_id_issued_at=int(client.created.timestamp()),
    )
