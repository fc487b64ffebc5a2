"""What ciphers in configurations are bound to: recorded when one is first stored, and kept as long as the stack.

A binding outlives the configuration and the project that it was recorded for, as copies of the cipher do.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from penstock.foundation.database import Database, Transaction
from penstock.foundation.secrets import Bindings, Label, Recorded, digest_of
from penstock.foundation.secrets.documents import kind_of
from penstock.services.encryption import store


def to_record(tx: Transaction, project_id: int) -> Bindings:
    """Return bindings for documents that are stored with the ciphers of clients as they are."""
    return Bindings(
        find=partial(store.find_bindings, tx),
        add=partial(store.add_bindings, tx),
        trusted=lambda: _list_trusted(tx, project_id),
    )


def to_seal(tx: Transaction, project_id: int) -> Bindings:
    """Return bindings for documents whose ciphers are encrypted again, with their bindings inside."""
    return Bindings(find=partial(store.find_bindings, tx), trusted=lambda: _list_trusted(tx, project_id))


def to_open(tx: Transaction) -> Bindings:
    return Bindings(find=partial(store.find_bindings, tx))


def to_open_later(database: Database) -> Bindings:
    """Each document is looked up in a transaction of its own."""

    def find(digests: Collection[str]) -> Recorded:
        with database.reading() as tx:
            return store.find_bindings(tx, digests)

    return Bindings(find=find)


def keep_unbound(tx: Transaction, cipher: str) -> None:
    """Record that the cipher is for any host, unless it is bound already."""
    digest, kind = digest_of(cipher), kind_of(cipher)
    if digest and kind and not store.find_bindings(tx, {digest}):
        store.add_bindings(tx, {digest: Label(kind=kind)})


def _list_trusted(tx: Transaction, project_id: int) -> frozenset[str]:
    return frozenset(store.list_hosts(tx, project_id))
