"""E-mails to invited users. The code of the link is encrypted until the e-mail is written."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management.interface import SEALED_FOR, InvitationCreated
from penstock.services.notification.channels.outcome import NotSent
from penstock.services.notification.links import invitation_url
from penstock.services.notification.operations.sending import Destination, Message, add_deliveries

INVITATION = "invitation-created"


def send_invitation(tx: Transaction, event: InvitationCreated) -> None:
    message = Message(project_id=event.project_id, event=INVITATION, payload=msgspec.to_builtins(event))
    add_deliveries(tx, message, [Destination("email", event.email)])


def write_invitation(stack: Stack, payload: dict[str, Any]) -> dict[str, Any]:
    """Title and message, with the link. Raises NotSent if the code cannot be decrypted."""
    event = msgspec.convert(payload, InvitationCreated)
    code = stack.cipher.unseal(bytes.fromhex(event.sealed_code), SEALED_FOR)
    if code is None:
        raise NotSent("The code of the invitation does not open with the key of this stack.", is_final=True)
    lines = [
        f'{event.invitor} invites you to the {event.level} "{event.to}".',
        "",
        f"To accept or decline, open: {invitation_url(stack.settings, code.decode())}",
        "",
        "The link works once, within 7 days, and only for you.",
    ]
    return {"title": f'Invitation to the {event.level} "{event.to}"', "message": "\n".join(lines)}
