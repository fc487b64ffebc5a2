"""Credentials for configurations that are run: `authorization.oauth_api.id` becomes the whole credential."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.encryption.interface import bindings
from penstock.services.oauth.errors import CredentialMissing
from penstock.services.oauth.models.credentials import CredentialRow, credential_view
from penstock.services.oauth.operations.credentials import find_for_run
from penstock.services.oauth.operations.refreshing import refresh_if_due
from penstock.services.oauth.operations.sealing import scope_of

log = Log("oauth")

SECTION, KEY, CREDENTIALS = "authorization", "oauth_api", "credentials"


def with_credentials(stack: Stack, caller: Caller, component_id: str, document: dict[str, Any]) -> dict[str, Any]:
    """The document with the credential that it names, in plain text; unchanged if it names none, or has its own."""
    authorization = _object(document.get(SECTION))
    wanted = _object(authorization.get(KEY))
    credential_id = wanted.get("id")
    if wanted.get(CREDENTIALS) or isinstance(credential_id, bool) or not isinstance(credential_id, str | int):
        return document
    found = open_credential(stack, caller, component_id, str(credential_id))
    return {**document, SECTION: {**authorization, KEY: {**wanted, CREDENTIALS: found}}}


def open_credential(stack: Stack, caller: Caller, component_id: str, credential_id: str) -> dict[str, Any]:
    """A credential in plain text; its token is refreshed if that is due, and the broker does so."""
    with stack.database.reading() as tx:
        row = find_for_run(tx, caller, component_id, credential_id)
    if not row:
        raise CredentialMissing(component_id, credential_id)
    row = refresh_if_due(stack, row)
    log.info("oauth credential used", project_id=row.project_id, component=component_id, credential=row.number)
    return _open(stack, row)


def _open(stack: Stack, row: CredentialRow) -> dict[str, Any]:
    shown = msgspec.to_builtins(credential_view(row))
    scope, path = scope_of(row.project_id, row.component_id), f"{SECTION}.{KEY}.{CREDENTIALS}"
    # A provider may have responded with a cipher that was read in a configuration.
    return stack.cipher.decrypt(shown, scope, path, bindings=bindings.to_open_later(stack.database))


def _object(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
