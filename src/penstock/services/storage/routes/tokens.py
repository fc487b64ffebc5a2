"""Tokens over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors.tokens import NoTokensForPrograms
from penstock.services.storage.models.tokens import NewToken, Token, TokenChange, TokenRow, TokenShare
from penstock.services.storage.operations import token_shares, tokens
from penstock.services.storage.operations.issuing import create_token as issue_token
from penstock.services.storage.operations.token_views import Viewing, token_view, viewing
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put


def routes() -> list[Route]:
    one = "/v2/storage/tokens/{token_id}"
    return [
        get(
            "/v2/storage/tokens/verify",
            verify_token,
            needs=Right.TOKEN,
            is_cached=True,
            title="Verify the token of the request",
        ),
        get("/v2/storage/tokens", list_tokens, needs=Right.MANAGE_TOKENS),
        post("/v2/storage/tokens", create_token, needs=Right.TOKEN, status=201),
        get(one, get_token, needs=Right.TOKEN),
        put(one, update_token, needs=Right.MANAGE_TOKENS),
        delete(one, revoke_token, needs=Right.MANAGE_TOKENS, status=204),
        post(f"{one}/refresh", refresh_token, needs=Right.TOKEN, title="Replace the secret of a token"),
        post(f"{one}/share", share_token, needs=Right.MANAGE_TOKENS, status=204, title="Send a token by e-mail"),
    ]


def verify_token(request: Request) -> Token:
    """The project and the permissions of the token."""
    with request.reading() as tx:
        row = tokens.get_token(tx, request.caller, str(request.caller.token_id))
        return token_view(_viewing(tx, request, [row]), row, secret=request.token, with_owner=True)


def list_tokens(request: Request) -> list[Token]:
    with request.reading() as tx:
        rows = tokens.list_tokens(tx, request.caller)
        view = _viewing(tx, request, rows)
        return [token_view(view, row) for row in rows]


def create_token(request: Request, body: NewToken) -> Token:
    """Create a token; its secret is in this response only."""
    _check_may_get(request)
    with request.writing() as tx:
        issued = issue_token(tx, request.caller, body)
        return token_view(_viewing(tx, request, [issued.row]), issued.row, secret=issued.text)


def get_token(request: Request, token_id: str) -> Token:
    """A token; any may read itself, and one that manages tokens all of the project."""
    with request.reading() as tx:
        row = tokens.get_visible_token(tx, request.caller, token_id)
        return token_view(_viewing(tx, request, [row]), row, with_owner=True)


def update_token(request: Request, token_id: str, body: TokenChange) -> Token:
    """Update the given fields, effective at once."""
    with request.writing() as tx:
        row = tokens.update_token(tx, request.caller, token_id, body)
        return token_view(_viewing(tx, request, [row]), row)


def refresh_token(request: Request, token_id: str) -> Token:
    """Create a new secret, which is in this response only; the old one stops working at once."""
    _check_may_get(request)
    with request.writing() as tx:
        issued = tokens.refresh_token(tx, request.caller, token_id)
        return token_view(_viewing(tx, request, [issued.row]), issued.row, secret=issued.text)


def share_token(request: Request, token_id: str, body: TokenShare) -> None:
    """Send the token by e-mail, with a secret of its own for the recipient. Refreshing the token ends it."""
    _check_may_get(request)
    token_shares.share_token(request.stack, request.caller, token_id, body)


def revoke_token(request: Request, token_id: str) -> None:
    """The token stops working at once."""
    with request.writing() as tx:
        tokens.revoke_token(tx, request.caller, token_id)


def _check_may_get(request: Request) -> None:
    if not request.caller.may_get_tokens:
        raise NoTokensForPrograms


def _viewing(tx: Transaction, request: Request, rows: Sequence[TokenRow]) -> Viewing:
    return viewing(tx, request.caller, request.addresses.url_of(STORAGE), rows)
