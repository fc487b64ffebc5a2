"""The tables of hosts that projects trust, and of bindings of ciphers."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping

import msgspec
from sqlalchemy import BigInteger, Column, Table, Text, delete, select

from penstock.foundation.database import Transaction, metadata
from penstock.foundation.secrets import Label, Recorded

trusted_hosts = Table(
    "encryption_trusted_hosts",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("host", Text, primary_key=True),
)
bindings = Table(
    "encryption_bindings",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("label_digest", Text, primary_key=True),
    Column("label", Text, nullable=False),
)
MAX_DIGESTS = 500
"""In one query."""


def list_hosts(tx: Transaction, project_id: int) -> list[str]:
    query = select(trusted_hosts.c.host).where(trusted_hosts.c.project_id == project_id)
    return list(tx.connection.scalars(query.order_by(trusted_hosts.c.host)))


def add_host(tx: Transaction, project_id: int, host: str) -> None:
    remove_host(tx, project_id, host)
    tx.insert_all(trusted_hosts, [{"project_id": project_id, "host": host}])


def remove_host(tx: Transaction, project_id: int, host: str) -> None:
    tx.change(delete(trusted_hosts).where(trusted_hosts.c.project_id == project_id, trusted_hosts.c.host == host))


def find_bindings(tx: Transaction, digests: Collection[str]) -> Recorded:
    found, names = Recorded(), sorted(digests)
    for start in range(0, len(names), MAX_DIGESTS):
        part = names[start : start + MAX_DIGESTS]
        query = select(bindings.c.digest, bindings.c.label).where(bindings.c.digest.in_(part))
        for digest, label in tx.connection.execute(query.order_by(bindings.c.digest, bindings.c.label_digest)):
            found.setdefault(digest, []).append(msgspec.json.decode(label, type=Label))
    return found


def add_bindings(tx: Transaction, labels: Mapping[str, Label]) -> None:
    """Store bindings by the digests of their ciphers. An existing one is kept: another project may have recorded it
    just now."""
    rows = [_to_row(digest, label) for digest, label in labels.items()]
    tx.insert_all(bindings, rows, "ON CONFLICT (digest, label_digest) DO NOTHING")


def _to_row(digest: str, label: Label) -> dict[str, str]:
    text = msgspec.json.encode(label)
    return {"digest": digest, "label_digest": hashlib.sha256(text).hexdigest(), "label": text.decode()}
