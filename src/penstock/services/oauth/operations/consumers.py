"""The applications of the stack, one for each component."""

from __future__ import annotations

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, UnreadableSecret
from penstock.services.oauth.errors import ConsumerExists, ConsumerNotFound, NoRequestTokenUrl
from penstock.services.oauth.models.consumers import ConsumerChange, ConsumerRow, NewConsumer, Version
from penstock.services.oauth.operations.applications import check_url
from penstock.services.oauth.operations.auditing import record_consumer
from penstock.services.oauth.operations.sealing import consumer_scope, seal, unseal
from penstock.services.oauth.store import consumers as store


def create_consumer(tx: Transaction, caller: Identity, cipher: Cipher, new_consumer: NewConsumer) -> ConsumerRow:
    if store.find_consumer(tx, new_consumer.component_id):
        raise ConsumerExists(new_consumer.component_id)
    fields = msgspec.structs.asdict(new_consumer)
    fields["app_secret_docker"] = new_consumer.app_secret_docker or new_consumer.app_secret
    row = _checked(tx, cipher, ConsumerRow(**fields, created=clock.now()))
    store.add_consumer(tx, row)
    record_consumer(tx, caller, "created", row.component_id)
    return row


def change_consumer(
    tx: Transaction, caller: Identity, cipher: Cipher, component_id: str, change: ConsumerChange
) -> ConsumerRow:
    known = get_consumer(tx, component_id)
    fields = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not None}
    if "app_secret" in fields and _has_one_secret(cipher, known):
        fields.setdefault("app_secret_docker", fields["app_secret"])
    row = _checked(tx, cipher, msgspec.structs.replace(known, **fields))
    store.change_consumer(tx, row)
    record_consumer(tx, caller, "updated", component_id, fields=sorted(fields))
    return row


def get_consumer(tx: Transaction, component_id: str) -> ConsumerRow:
    found = store.find_consumer(tx, component_id)
    if not found:
        raise ConsumerNotFound(component_id)
    return found


def list_consumers(tx: Transaction) -> list[ConsumerRow]:
    return store.list_consumers(tx)


def remove_consumer(tx: Transaction, caller: Identity, component_id: str) -> None:
    if not store.remove_consumer(tx, component_id):
        raise ConsumerNotFound(component_id)
    record_consumer(tx, caller, "deleted", component_id)


def _has_one_secret(cipher: Cipher, row: ConsumerRow) -> bool:
    """Whether components get the same secret. Its two ciphers differ after a rotation of keys."""
    scope = consumer_scope(row.component_id)
    try:
        return unseal(cipher, row.app_secret, scope, "") == unseal(cipher, row.app_secret_docker, scope, "")
    except UnreadableSecret:
        return row.app_secret == row.app_secret_docker


def _checked(tx: Transaction, cipher: Cipher, row: ConsumerRow) -> ConsumerRow:
    """Return the row with its secrets encrypted; one that is the same in both fields has the same cipher."""
    for field, url in (
        ("authUrl", row.auth_url),
        ("tokenUrl", row.token_url),
        ("requestTokenUrl", row.request_token_url),
    ):
        if url is not None:
            check_url(field, url)
    if row.oauth_version is Version.ONE and not row.request_token_url:
        raise NoRequestTokenUrl
    scope = consumer_scope(row.component_id)
    secret = seal(tx, cipher, row.app_secret, scope)
    docker = secret if row.app_secret_docker == row.app_secret else seal(tx, cipher, row.app_secret_docker, scope)
    return msgspec.structs.replace(row, app_secret=secret, app_secret_docker=docker)
