"""Tokens that are sent to somebody by e-mail.

The stack has only the hash of a secret, and cannot send the secret itself. So each recipient gets another one, which is
valid beside it: programs that use the token go on. Refreshing or deleting the token ends all of them.
"""

from __future__ import annotations

import msgspec

from penstock.foundation import events, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login import interface as login
from penstock.services.management import interface as management
from penstock.services.storage.errors.tokens import InvalidShare, MasterToken, NoMail
from penstock.services.storage.models.tokens import SHARE_SEALED_FOR, TokenRow, TokenShare, TokenShared
from penstock.services.storage.operations.issuing import record_change, write_text
from penstock.services.storage.operations.tokens import check_may_reveal, get_token
from penstock.services.storage.store import tokens

MAX_SHARES = 20
"""Secrets of one token: each is compared with every request that has another one."""
MAX_MESSAGE_CHARACTERS = 1000


def share_token(stack: Stack, caller: Caller, token_id: str, share: TokenShare) -> None:
    """Send a token to an address, with a message. Raises TooManyInvitations after too many to the same one."""
    with stack.database.reading() as tx:
        _check_token(tx, caller, token_id)
    address = _check(stack, share)
    login.begin_invitation(stack, caller, address)
    secret = ids.new_secret()
    with stack.database.writing(caller.project_id) as tx:
        token = _check_token(tx, caller, token_id)
        hashes = [*token.shared_hashes, ids.hash_secret(secret).hex()]
        tokens.change_token(tx, msgspec.structs.replace(token, shared_hashes=hashes))
        events.publish(tx, _event(stack, tx, caller, token, address, secret, share.message))
        record_change(tx, caller, token, "storage.tokenShared", "Shared")


def _check(stack: Stack, share: TokenShare) -> str:
    """The address to send it to."""
    if not stack.settings.smtp_host:
        raise NoMail
    if len(share.message) > MAX_MESSAGE_CHARACTERS:
        raise InvalidShare(f"The message has more than {MAX_MESSAGE_CHARACTERS:,} characters. Shorten it.")
    if not share.recipient_email.strip():
        raise InvalidShare("recipientEmail is missing: the address that the token is sent to.")
    return management.check_email(share.recipient_email)


def _check_token(tx: Transaction, caller: Caller, token_id: str) -> TokenRow:
    token = get_token(tx, caller, token_id)
    if token.is_master or token.user_id is not None:
        raise MasterToken(token_id)
    check_may_reveal(tx, caller, token)
    if len(token.shared_hashes) >= MAX_SHARES:
        raise InvalidShare(
            f"The token {token_id} was sent {MAX_SHARES} times. Refresh it, which ends these, or create another token."
        )
    return token


def _event(
    stack: Stack, tx: Transaction, caller: Caller, token: TokenRow, address: str, secret: str, message: str
) -> TokenShared:
    sealed = stack.cipher.seal(write_text(token, secret).encode(), SHARE_SEALED_FOR)
    return TokenShared(
        project_id=caller.project_id,
        email=address,
        sender=caller.description,
        project_name=management.get_project(tx, caller.project_id).name,
        description=token.description,
        expires=token.expires,
        message=message,
        sealed_token=sealed.hex(),
    )
