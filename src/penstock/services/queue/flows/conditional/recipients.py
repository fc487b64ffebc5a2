"""Whether the notification of a task can be sent to its recipients."""

from __future__ import annotations

import re

from penstock.services.queue.flows.conditional.document import Notification, Recipient

_IS_EMAIL = re.compile(r"[^@\s]+@[^@\s]+").fullmatch
_IS_URL = re.compile(r"https?://[^/\s]\S*").fullmatch


def find_problem(notification: Notification) -> str:
    """Why it cannot be sent; empty if it can."""
    wrong = [one for one in map(_to_recipient, notification.recipients) if not _is_reachable(one)]
    if not wrong:
        return ""
    kind = "an e-mail address" if wrong[0].channel == "email" else "the address of a webhook, such as https://host/path"
    return f'The notification cannot be sent: "{wrong[0].address[:200]}" is not {kind}.'


def _to_recipient(given: Recipient | str) -> Recipient:
    return given if isinstance(given, Recipient) else Recipient("email", given)


def _is_reachable(recipient: Recipient) -> bool:
    return bool((_IS_EMAIL if recipient.channel == "email" else _IS_URL)(recipient.address))
