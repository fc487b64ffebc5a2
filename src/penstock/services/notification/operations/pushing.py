"""What programs of the operator push: events, and messages to one recipient."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import ids
from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.notification import interface
from penstock.services.notification.errors import InvalidNotification
from penstock.services.notification.messages import NewNotification, ProjectRef, PushedEvent
from penstock.services.notification.recipients import read_address


def get_project_id(project: ProjectRef) -> int:
    """Raises InvalidNotification if it is not the id of a project."""
    found = project.id if isinstance(project.id, int) else ids.read_id(project.id)
    if found is None or not 0 < found < 10**ids.MAX_DIGITS:
        raise InvalidNotification("project.id", f'"{project.id}" is not the id of a project.')
    return found


def push_event(tx: Transaction, event: str, pushed: PushedEvent) -> None:
    project_id = get_project_id(pushed.project)
    _check_project(tx, project_id)
    interface.send_event(tx, project_id, event, _to_payload(pushed))


def send_notification(tx: Transaction, new_notification: NewNotification) -> int:
    """Returns the id of its delivery."""
    channel = new_notification.recipient.channel
    if new_notification.type != f"direct-project-{channel}":
        raise InvalidNotification("recipient.channel", f'"{channel}" does not fit the type "{new_notification.type}".')
    project_id = get_project_id(new_notification.data.project)
    _check_project(tx, project_id)
    message = interface.DirectMessage(
        project_id=project_id,
        channel=channel,
        address=read_address(new_notification.recipient),
        data=_to_payload(new_notification.data),
    )
    return interface.send_directly(tx, message)


def _check_project(tx: Transaction, project_id: int) -> None:
    if not management.find_project(tx, project_id):
        raise InvalidNotification("project.id", f'"{project_id}" is not the id of a project.')


def _to_payload(parts: msgspec.Struct) -> dict[str, Any]:
    return msgspec.to_builtins(parts)
