"""Which tools a token may use. The services check every request again; this keeps what cannot work out of the list."""

from __future__ import annotations

from penstock.client import Token
from penstock.foundation.callers import READING_ROLES


def only_reads(token: Token) -> bool:
    """Whether the token can neither change configurations nor run jobs."""
    if token.admin and token.admin.role in READING_ROLES:
        return True
    may_write = token.is_master_token or token.can_manage_buckets or token.can_create_jobs
    return not may_write and not token.component_access
