"""What the stack has to know of Billing."""

from __future__ import annotations

from pathlib import Path

from penstock.services.billing.routes import MANAGE_BILLING, routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="billing",
        name="Billing API",
        routes=routes(),
        rights=[MANAGE_BILLING],
        auth=storage_token(authenticate),
        errors=with_status_code,
        kept_after_purge=True,  # the ledger is append-only, as the audit log is
        migrations=Path(__file__).parent / "migrations",
    )
