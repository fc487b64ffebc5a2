"""Stored credentials: add, find, list and remove them."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller, Right
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, is_cipher
from penstock.services.oauth.errors import CredentialExists, CredentialNotFound, CredentialOfOthers
from penstock.services.oauth.models.consumers import Version
from penstock.services.oauth.models.credentials import PROJECT_WIDE, CredentialRow, CredentialsQuery, NewCredential
from penstock.services.oauth.operations.auditing import DELETED, record_credential
from penstock.services.oauth.operations.responses import find_expiry
from penstock.services.oauth.operations.sealing import consumer_scope, scope_of, seal, unseal
from penstock.services.oauth.store import consumers
from penstock.services.oauth.store import credentials as store
from penstock.services.storage import interface as storage

NULL = "null"
SECRETS_TRIED = 20


def add_credential(
    tx: Transaction, caller: Caller, cipher: Cipher, component_id: str, new_credential: NewCredential
) -> CredentialRow:
    component = storage.get_component(tx, caller, component_id)
    branch_id = to_branch(tx, caller, new_credential.branch_id)
    if _list(tx, caller, component.id, new_credential.id, branch_id):
        raise CredentialExists(component.id, new_credential.id)
    now, scope = clock.now(), scope_of(caller.project_id, component.id)
    consumer = consumers.find_consumer(tx, component.id)
    data = (
        new_credential.data
        if isinstance(new_credential.data, str)
        else msgspec.json.encode(new_credential.data).decode()
    )
    secret = new_credential.app_secret
    if secret is None and consumer and not new_credential.app_key:
        secret = unseal(cipher, consumer.app_secret_docker, consumer_scope(component.id), "appSecretDocker")
    row = CredentialRow(
        number=ids.new_id(tx),
        project_id=caller.project_id,
        component_id=component.id,
        id=new_credential.id,
        branch_id=branch_id,
        authorized_for=new_credential.authorized_for,
        creator_id=caller.token_id,
        creator_description=caller.description,
        created=now,
        oauth_version=consumer.oauth_version if consumer else Version.TWO,
        app_key=new_credential.app_key or (consumer.app_key if consumer else ""),
        app_secret=seal(tx, cipher, secret or "", scope),
        data=seal(tx, cipher, data, scope),
        token_url=None,
        expires=None if is_cipher(data) else find_expiry(data, now),
    )
    store.add_credential(tx, row)
    record_credential(tx, caller, "oauth.credential.added", row)
    return row


def check_replaceable(tx: Transaction, caller: Caller, component_id: str, credential_id: str, branch_id: int) -> None:
    """Raise if there is a credential with this id that the caller may not replace."""
    for known in _list(tx, caller, component_id, credential_id, branch_id):
        _check_owned(caller, known)


def _check_owned(caller: Caller, row: CredentialRow) -> None:
    """Jobs of others send what is stored under this id, so that not everybody who uses the component changes it."""
    if row.creator_id != caller.token_id and not caller.has(Right.MANAGE_BUCKETS):
        creator = f'the token {row.creator_id} ("{row.creator_description}")'
        raise CredentialOfOthers(row.component_id, row.id, creator, row.created)


def replace_credential(tx: Transaction, row: CredentialRow) -> CredentialRow | None:
    """The one that had its id."""
    same = store.list_credentials(
        tx, row.project_id, component_id=row.component_id, credential_id=row.id, branch_id=row.branch_id
    )
    for known in same:
        store.remove_credential(tx, known)
    store.add_credential(tx, row)
    return same[0] if same else None


def list_credentials(tx: Transaction, caller: Caller, asked: CredentialsQuery) -> list[CredentialRow]:
    """List the credentials of components that the caller may use."""
    branch_id = to_branch(tx, caller, asked.branch_id) if asked.branch_id else None
    found = store.list_credentials(tx, caller.project_id, component_id=asked.component_id or None, branch_id=branch_id)
    return [row for row in found if caller.may_use_component(row.component_id)]


def list_of_component(tx: Transaction, caller: Caller, component_id: str, branch: str) -> list[CredentialRow]:
    """Raises if there is no such component, or the caller may not use it."""
    component = storage.get_component(tx, caller, component_id)
    return list_credentials(tx, caller, CredentialsQuery(component_id=component.id, branch_id=branch))


def get_credential(
    tx: Transaction, caller: Caller, component_id: str, credential_id: str, branch: str
) -> CredentialRow:
    """Return a credential; without a branch the project's, or else the oldest of a branch."""
    component = storage.get_component(tx, caller, component_id)
    branch_id = None if not branch else to_branch(tx, caller, branch)
    found = sorted(_list(tx, caller, component.id, credential_id, branch_id), key=lambda row: bool(row.branch_id))
    if not found:
        raise CredentialNotFound(component.id, credential_id)
    return found[0]


def remove_credential(tx: Transaction, caller: Caller, component_id: str, credential_id: str, branch: str) -> None:
    """Remove a credential; without a branch the project's, and no other."""
    row = get_credential(tx, caller, component_id, credential_id, branch or NULL)
    _check_owned(caller, row)
    store.remove_credential(tx, row)
    record_credential(tx, caller, DELETED, row)


def find_for_run(tx: Transaction, caller: Caller, component_id: str, credential_id: str) -> CredentialRow | None:
    """What a configuration in the caller's branch gets: the credential of the branch, or else the project's."""
    for branch_id in (caller.branch_id, PROJECT_WIDE):
        if found := _list(tx, caller, component_id, credential_id, branch_id):
            return found[0]
    return None


def opens_secrets(tx: Transaction, cipher: Cipher) -> bool | None:
    """Whether the cipher's key decrypts some credential; None if there is none."""
    found = store.list_sealed(tx, SECRETS_TRIED)
    tried = (cipher.opens({"#data": row.data}, scope_of(row.project_id, row.component_id)) for row in found)
    return any(tried) if found else None


def to_branch(tx: Transaction, caller: Caller, branch: str | None) -> int:
    """Nothing, or the word `null`, is the whole project."""
    return PROJECT_WIDE if not branch or branch == NULL else storage.get_branch_id(tx, caller, branch)


def _list(
    tx: Transaction, caller: Caller, component_id: str, credential_id: str, branch_id: int | None
) -> list[CredentialRow]:
    return store.list_credentials(
        tx, caller.project_id, component_id=component_id, credential_id=credential_id, branch_id=branch_id
    )
