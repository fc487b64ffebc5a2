"""What Notification does when other services publish events."""

from __future__ import annotations

from penstock.foundation.events import Reaction, on
from penstock.services.management.interface import InvitationCreated, PasswordResetRequested
from penstock.services.notification.links_by_email import send_invitation, send_reset

REACTIONS: list[Reaction] = [
    on(InvitationCreated, send_invitation, name="notification.sendInvitation"),
    on(PasswordResetRequested, send_reset, name="notification.sendPasswordReset"),
]
