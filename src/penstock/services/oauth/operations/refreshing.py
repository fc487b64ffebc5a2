"""Access tokens that expire, refreshed before a job gets them. Two jobs at once refresh once, and a crash at any step
loses no token that can be known.

1. The attempt is recorded, with a lease: others wait for it.
2. The stored refresh token is sent to the provider.
3. The response is written to the journal: from here on it is durable.
4. The response is committed, if the credential is still at the revision that the refresh began with.
5. Only then is the new token used, and the entry of the journal removed.

After a crash before step 3 the next job sends the same refresh token again. Providers accept it that do not rotate
refresh tokens, or that accept the last one until its successor is used. At a provider that revokes the old token at
once, a crash in the millisecond between its response and step 3 loses the new one: then the user authorizes again.
"""

from __future__ import annotations

import secrets
import time
from datetime import datetime, timedelta

import msgspec

from penstock.foundation import clock
from penstock.foundation.logging import Log
from penstock.foundation.outbound import call
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.services.oauth.errors import ProviderFailed, ProviderRefused, RefreshFailed
from penstock.services.oauth.models.consumers import ConsumerRow, Version
from penstock.services.oauth.models.credentials import CredentialRow
from penstock.services.oauth.operations import providers
from penstock.services.oauth.operations.journal import Entry, Journal
from penstock.services.oauth.operations.responses import find_expiry, find_refresh_token, merge
from penstock.services.oauth.operations.sealing import consumer_scope, scope_of, unseal
from penstock.services.oauth.store import consumers
from penstock.services.oauth.store import credentials as store

log = Log("oauth")

MARGIN = timedelta(minutes=5)
"""A token that expires sooner is refreshed: the job has to begin with one that works."""
LEASE = timedelta(seconds=60)
"""Longer than a provider may take."""
POLL_SECONDS = 0.1


class Refresh(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a refresh request; secrets are in plain text."""

    token_url: str
    app_key: str
    app_secret: str
    refresh_token: str
    known: str
    """What is stored now."""


def refresh_if_due(stack: Stack, row: CredentialRow) -> CredentialRow:
    """The credential with an access token that is valid for some minutes, if the broker refreshes it at all."""
    deadline = time.monotonic() + LEASE.total_seconds() + providers.SECONDS
    while _expires_soon(row) and (refresh := _plan(stack, row)):
        if attempt := _begin(stack, row):
            return _refresh(stack, row, refresh, attempt)
        if time.monotonic() > deadline:
            raise RefreshFailed(row.id, "Another job is refreshing it. Try again.")
        time.sleep(POLL_SECONDS)
        row = _reload(stack, row)
    return row


def recover(stack: Stack) -> None:
    """Commit the responses that crashed processes have left in the journal."""
    for entry in Journal(stack).entries():
        _commit(stack, entry)


def _plan(stack: Stack, row: CredentialRow) -> Refresh | None:
    """Return None if the broker leaves refreshing to the component, or the provider gave no refresh token."""
    with stack.database.reading() as tx:
        consumer = consumers.find_consumer(tx, row.component_id)
    if not consumer or not consumer.refresh_tokens or row.oauth_version is not Version.TWO:
        return None
    scope = scope_of(row.project_id, row.component_id)
    known = unseal(stack.cipher, row.data, scope, "#data")
    refresh_token = find_refresh_token(known)
    if not refresh_token:
        return None
    return Refresh(
        token_url=row.token_url or consumer.token_url,
        app_key=row.app_key,
        app_secret=_find_secret(stack.cipher, row, consumer),
        refresh_token=refresh_token,
        known=known,
    )


def _find_secret(cipher: Cipher, row: CredentialRow, consumer: ConsumerRow) -> str:
    """The client secret. A credential stores the one for components, which differs if the consumer has two."""
    if row.token_url is None and row.app_key == consumer.app_key:
        return unseal(cipher, consumer.app_secret, consumer_scope(consumer.component_id), "appSecret")
    return unseal(cipher, row.app_secret, scope_of(row.project_id, row.component_id), "#appSecret")


def _expires_soon(row: CredentialRow) -> bool:
    return row.expires is not None and row.expires - clock.now() < MARGIN


def _begin(stack: Stack, row: CredentialRow) -> str:
    """Record an attempt; empty if another one is under way, or the credential has changed."""
    if entry := Journal(stack).find(row.number, row.revision):
        _commit(stack, entry)
        return ""
    attempt, now = secrets.token_hex(8), clock.now()
    with stack.database.writing(row.project_id) as tx:
        known = store.find_by_number(tx, row.project_id, row.number)
        if not known or known.revision != row.revision or (known.refresh_until or now) > now:
            return ""
        store.change_revision(tx, row, refresh_attempt=attempt, refresh_until=now + LEASE)
    return attempt


def _refresh(stack: Stack, row: CredentialRow, refresh: Refresh, attempt: str) -> CredentialRow:
    try:
        response = call(
            providers.refresh(
                stack.outbound, refresh.token_url, refresh.app_key, refresh.app_secret, refresh.refresh_token
            )
        )
    except (ProviderFailed, ProviderRefused) as error:
        return _after_failure(stack, row, attempt, error)
    entry = _to_entry(stack, row, merge(refresh.known, response))
    try:
        Journal(stack).write(entry)
    except OSError as error:
        log.warning("write of the oauth journal failed", reason=str(error))
    _commit(stack, entry)
    return _reload(stack, row)


def _to_entry(stack: Stack, row: CredentialRow, data: str) -> Entry:
    expires = find_expiry(data, clock.now())
    return Entry(
        project_id=row.project_id,
        number=row.number,
        revision=row.revision,
        data=stack.cipher.encrypt_text(data, scope_of(row.project_id, row.component_id)),
        expires=expires.isoformat() if expires else None,
    )


def _commit(stack: Stack, entry: Entry) -> None:
    """Store the response, unless the credential was deleted or refreshed since; remove it from the journal."""
    expires = datetime.fromisoformat(entry.expires) if entry.expires else None
    with stack.database.writing(entry.project_id) as tx:
        row = store.find_by_number(tx, entry.project_id, entry.number)
        is_current = row is not None and row.revision == entry.revision
        if row and is_current:
            changed = {"data": entry.data, "expires": expires, "revision": row.revision + 1}
            store.change_revision(tx, row, **changed, refresh_attempt=None, refresh_until=None)
    Journal(stack).remove(entry)
    event = "oauth token refreshed" if is_current else "oauth token discarded"
    log.info(event, project_id=entry.project_id, credential=entry.number)


def _after_failure(stack: Stack, row: CredentialRow, attempt: str, error: Exception) -> CredentialRow:
    """The token that is there is used as long as it is valid. Another attempt may have succeeded meanwhile."""
    _release(stack, row, attempt)
    log.warning("refresh of an oauth token failed", project_id=row.project_id, credential=row.number, reason=str(error))
    current = _reload(stack, row)
    if current.revision == row.revision and (current.expires or clock.now()) <= clock.now():
        raise RefreshFailed(row.id, str(error)) from error
    return current


def _release(stack: Stack, row: CredentialRow, attempt: str) -> None:
    with stack.database.writing(row.project_id) as tx:
        known = store.find_by_number(tx, row.project_id, row.number)
        if known and known.refresh_attempt == attempt:
            store.change_revision(tx, known, refresh_attempt=None, refresh_until=None)


def _reload(stack: Stack, row: CredentialRow) -> CredentialRow:
    """Return the row as it is now; one that was deleted in the meantime no longer expires."""
    with stack.database.reading() as tx:
        found = store.find_by_number(tx, row.project_id, row.number)
    return found or msgspec.structs.replace(row, expires=None)
