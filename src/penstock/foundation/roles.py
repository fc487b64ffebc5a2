"""What the role of a member refuses, whatever the permissions of its token are. Every request that writes is checked
here: those of a row with an authentication scheme, and those of a handler that looks a token up by itself."""

from __future__ import annotations

from penstock.foundation.callers import AnyCaller, Caller
from penstock.foundation.errors import RoleNotEnough

ONLY_READS = "may read but not change anything"


def require_writer(caller: AnyCaller, refusal: str = ONLY_READS) -> None:
    """Raise if the role of the caller only reads. `refusal` says what the role may not do."""
    if isinstance(caller, Caller) and caller.only_reads:
        raise RoleNotEnough(caller.role, refusal)
