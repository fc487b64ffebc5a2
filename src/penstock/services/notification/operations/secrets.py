"""The secret with which the webhooks of a project are signed. It is returned once, when it is created."""

from __future__ import annotations

import base64
import os

from penstock.foundation import audit
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.notification.store import secrets
from penstock.services.notification.store.secrets import SecretRow

PREFIX = "whsec_"
KEY_BYTES = 32
SECRETS_TRIED = 20
CREATED, TARGET = "webhookSecret.created", "webhook secret"


def replace_secret(tx: Transaction, cipher: Cipher, caller: Caller) -> str:
    """A new one, which replaces the one before."""
    event = "webhookSecret.replaced" if secrets.find_secret(tx, caller.project_id) else CREATED
    audit.record(tx, audit.NewEntry.of(caller, event, TARGET))
    return _put_secret(tx, cipher, caller.project_id)


def create_secret(tx: Transaction, cipher: Cipher, project_id: int) -> str:
    """The first one of a project, which its first webhook needs."""
    audit.record(tx, audit.NewEntry(event=CREATED, project_id=project_id, target=TARGET, actor="notification"))
    return _put_secret(tx, cipher, project_id)


def _put_secret(tx: Transaction, cipher: Cipher, project_id: int) -> str:
    secret = PREFIX + base64.b64encode(os.urandom(KEY_BYTES)).decode()
    secrets.put_secret(tx, SecretRow(project_id, cipher.encrypt_text(secret, Scope(project_id))))
    return secret


def read_secret(tx: Transaction, cipher: Cipher, project_id: int) -> str | None:
    found = secrets.find_secret(tx, project_id)
    return cipher.decrypt({"#secret": found.secret}, Scope(project_id))["#secret"] if found else None


def opens_secrets(tx: Transaction, cipher: Cipher) -> bool | None:
    """Whether the cipher's key decrypts some secret; None if there is none."""
    found = secrets.list_secrets(tx, SECRETS_TRIED)
    return any(cipher.opens({"#secret": row.secret}, Scope(row.project_id)) for row in found) if found else None
