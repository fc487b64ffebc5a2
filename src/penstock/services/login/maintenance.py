"""What has expired is removed, a while later."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.login.attempts import WINDOW
from penstock.services.login.store import attempts, clients, codes, tokens
from penstock.services.login.tokens import REFRESH

KEPT = timedelta(days=1)
"""So that whoever comes late learns that it has expired, and a code that comes twice is noticed."""


def remove_expired(stack: Stack) -> None:
    now = clock.now()
    with stack.database.writing(0) as tx:
        codes.remove_expired(tx, now - KEPT)
        tokens.remove_expired(tx, now - KEPT)
        attempts.remove_old(tx, now - 2 * WINDOW)
        # Whatever a program got has expired by then.
        clients.remove_old(tx, now - KEPT, now - REFRESH - KEPT)
