"""The hosts that a project trusts: only the operator of the stack changes them."""

from __future__ import annotations

import re

from penstock.foundation import audit
from penstock.foundation.database import Transaction
from penstock.foundation.logging import Log
from penstock.services.encryption import store
from penstock.services.encryption.errors import InvalidHost

log = Log("encryption")

_HOST = re.compile(r"([a-z0-9.-]{1,253}|\[[0-9a-f:]+\])(:[0-9]{1,5})?")


def set_trusted_host(tx: Transaction, project_id: int, host: str, *, is_trusted: bool) -> list[str]:
    name = host.strip().lower()
    if not _HOST.fullmatch(name):
        raise InvalidHost(host)
    change = store.add_host if is_trusted else store.remove_host
    change(tx, project_id, name)
    event = "host.trusted" if is_trusted else "host.distrusted"
    audit.record(tx, audit.NewEntry(event=event, project_id=project_id, target=f"host {name}"))
    log.info("trusted hosts changed", project_id=project_id, host=name, is_trusted=is_trusted)
    return store.list_hosts(tx, project_id)
