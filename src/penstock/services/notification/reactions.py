"""What Notification does when other services publish events."""

from __future__ import annotations

from penstock.foundation.events import Reaction, on
from penstock.services.management.interface import InvitationCreated
from penstock.services.notification.invitations import send_invitation

REACTIONS: list[Reaction] = [on(InvitationCreated, send_invitation, name="notification.sendInvitation")]
