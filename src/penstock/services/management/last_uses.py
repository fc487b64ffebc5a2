"""When tokens were last used. It is written once a minute at most, by a thread of its own: no request waits for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Table, or_, update

from penstock.foundation import clock
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack

log = Log("management")

EVERY = timedelta(minutes=1)
MAX_USES = 10_000
_written: dict[tuple[str, str, int], datetime] = {}
"""By this process, by database, table and token."""


def note_use(stack: Stack, table: Table, token_id: int) -> None:
    """Record a use in a table with the columns `id` and `last_used`. Return immediately."""
    key, now = (str(stack.database.place), table.name, token_id), clock.now()
    known = _written.get(key)
    if known and known + EVERY > now:
        return
    if len(_written) >= MAX_USES:
        _written.clear()
    _written[key] = now
    _writer().submit(_write, stack, table, token_id, now)


def _write(stack: Stack, table: Table, token_id: int, now: datetime) -> None:
    """Unless another process has, within the minute. A failure is not one of the request: it is logged."""
    is_old = or_(table.c.last_used.is_(None), table.c.last_used <= now - EVERY)
    try:
        with stack.database.writing(0) as tx:
            tx.change(update(table).where(table.c.id == token_id, is_old).values(last_used=now))
    except Exception as error:
        log.warning("record of the last use of a token failed", reason=type(error).__name__, token_id=token_id)


@cache
def _writer() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="last-uses")
