"""E-mails with a secret: links for invitations, new passwords and addresses to confirm, and tokens of Storage. It is
encrypted until the e-mail is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.foundation.stack.public_links import base_url
from penstock.services.developer.interface import (
    INVITATION_SEALED_FOR,
    SIGN_UP_SEALED_FOR,
    SignUpRequested,
    VendorInvitationCreated,
)
from penstock.services.management.interface import (
    RESET_SEALED_FOR,
    SEALED_FOR,
    InvitationCreated,
    PasswordResetRequested,
)
from penstock.services.notification.channels.outcome import NotSent
from penstock.services.notification.links import confirmation_url, invitation_url, reset_url, vendor_invitation_url
from penstock.services.notification.operations.sending import Destination, Message, add_deliveries
from penstock.services.storage.interface import SHARE_SEALED_FOR, TokenShared

INVITATION, RESET = "invitation-created", "password-reset-requested"
SHARE = "token-shared"
SIGN_UP, VENDOR_INVITATION = "sign-up-requested", "vendor-invitation-created"
NAME_CHARACTERS = 100


def send_invitation(tx: Transaction, event: InvitationCreated) -> None:
    message = Message(project_id=event.project_id, event=INVITATION, payload=msgspec.to_builtins(event))
    add_deliveries(tx, message, [Destination("email", event.email)])


def write_invitation(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    """Title and message, with the link. Raises NotSent if the code cannot be decrypted."""
    event = msgspec.convert(payload, InvitationCreated)
    code, to = _unseal(stack, event.sealed_code, SEALED_FOR), _shorten(event.to)
    lines = [
        f'{event.invitor} invites you to the {event.level} "{to}".',
        "",
        f"To accept or decline, open: {invitation_url(stack.settings, code)}",
        "",
        "The link works once, within 7 days, and only for you.",
    ]
    return {"title": f'Invitation to the {event.level} "{to}"', "message": "\n".join(lines)}


def _shorten(name: str) -> str:
    """Return the name on one line: the name of a project must not be able to write the rest of the e-mail."""
    return " ".join(name.split())[:NAME_CHARACTERS]


def send_reset(tx: Transaction, event: PasswordResetRequested) -> None:
    if event.user_id:
        message = Message(project_id=0, event=RESET, payload=msgspec.to_builtins(event))
        add_deliveries(tx, message, [Destination("email", event.email)])


def _write_reset(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    event = msgspec.convert(payload, PasswordResetRequested)
    code = _unseal(stack, event.sealed_code, RESET_SEALED_FOR)
    lines = [
        f"Somebody asks for a new password for {event.email}. If it was not you, do nothing: your password stays.",
        "",
        f"To set a new password, open: {reset_url(stack.settings, code)}",
        "",
        f"The link works once, within {event.minutes} minutes. All sign-ins end when you use it.",
    ]
    return {"title": "Set a new password", "message": "\n".join(lines)}


def send_confirmation(tx: Transaction, event: SignUpRequested) -> None:
    if event.is_new:
        message = Message(project_id=0, event=SIGN_UP, payload=msgspec.to_builtins(event))
        add_deliveries(tx, message, [Destination("email", event.email)])


def _write_confirmation(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    event = msgspec.convert(payload, SignUpRequested)
    code = _unseal(stack, event.sealed_code, SIGN_UP_SEALED_FOR)
    lines = [
        f"Somebody signs up with {event.email}. If it was not you, do nothing: then there is no such user.",
        "",
        f"To confirm your address, open: {confirmation_url(stack.settings, event.email, code)}",
        "",
        f"The link works once, within {event.hours} hours.",
    ]
    return {"title": "Confirm your address", "message": "\n".join(lines)}


def send_vendor_invitation(tx: Transaction, event: VendorInvitationCreated) -> None:
    message = Message(project_id=0, event=VENDOR_INVITATION, payload=msgspec.to_builtins(event))
    add_deliveries(tx, message, [Destination("email", event.email)])


def _write_vendor_invitation(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    event = msgspec.convert(payload, VendorInvitationCreated)
    code, to = _unseal(stack, event.sealed_code, INVITATION_SEALED_FOR), _shorten(event.vendor_name)
    url = vendor_invitation_url(stack.settings, event.vendor_id, event.email, code)
    lines = [
        f'{_shorten(event.invitor)} invites you to the vendor "{to}" of the developer portal.',
        "",
        f"To accept, open: {url}",
        "",
        f"The link works once, within {event.days} days, and only for you.",
    ]
    return {"title": f'Invitation to the vendor "{to}"', "message": "\n".join(lines)}


def send_token(tx: Transaction, event: TokenShared) -> None:
    message = Message(project_id=event.project_id, event=SHARE, payload=msgspec.to_builtins(event))
    add_deliveries(tx, message, [Destination("email", event.email)])


def _write_token(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    event = msgspec.convert(payload, TokenShared)
    token, project = _unseal(stack, event.sealed_token, SHARE_SEALED_FOR), _shorten(event.project_name)
    end = f"until {event.expires:%Y-%m-%d %H:%M} UTC" if event.expires else "until it is refreshed or deleted"
    lines = [
        f'{_shorten(event.sender)} sends you the token "{_shorten(event.description)}" of the project "{project}".',
        "",
        f"Token: {token}",
        f"Stack: {base_url(stack.settings)}",
        "",
        f"Whoever has the token may do what it allows, {end}: keep it secret.",
        *(["", "The sender writes:", *(f"> {line}" for line in event.message.splitlines())] if event.message else []),
    ]
    return {"title": f'Token of the project "{project}"', "message": "\n".join(lines)}


def _unseal(stack: Stack, sealed: str, sealed_for: str) -> str:
    code = stack.cipher.unseal(bytes.fromhex(sealed), sealed_for)
    if code is None:
        raise NotSent("The secret of the e-mail does not open with the key of this stack.", is_final=True)
    return code.decode()


WRITERS: dict[str, Callable[[Stack, dict[str, Any]], dict[str, Any]]] = {
    INVITATION: write_invitation,
    RESET: _write_reset,
    SIGN_UP: _write_confirmation,
    VENDOR_INVITATION: _write_vendor_invitation,
    SHARE: _write_token,
}
"""Title and message of what is not written when its event happens, by the event of the delivery."""
