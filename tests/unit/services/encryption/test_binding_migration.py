"""The step that adds bindings: secrets that the vault has already stay for any host."""

from __future__ import annotations

import importlib
from pathlib import Path

import msgspec
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from penstock.foundation.secrets import Cipher, Label, Scope, digest_of

STEP = importlib.import_module("penstock.services.encryption.migrations.0002_bindings")


def test_ciphers_in_the_vault_are_recorded_as_not_bound(tmp_path: Path) -> None:
    cipher = Cipher(bytes(range(32))).encrypt_text("secret", Scope(1))
    values = [cipher, cipher, "plain", "KBC::ProjectSecure::AAAA", "KBC::ProjectSecureKV::eJwBYQGe/n"]
    with sa.create_engine(f"sqlite:///{tmp_path / 'metadata.sqlite'}").begin() as connection:
        connection.execute(sa.text("CREATE TABLE vault_variables (value TEXT)"))
        for value in values:
            connection.execute(sa.text("INSERT INTO vault_variables VALUES (:value)"), {"value": value})
        with Operations.context(MigrationContext.configure(connection)):
            STEP.upgrade()
        rows = connection.execute(sa.text("SELECT digest, label FROM encryption_bindings")).all()

    assert [digest for digest, _ in rows] == [digest_of(cipher)]
    assert msgspec.json.decode(rows[0][1], type=Label) == Label(kind="ProjectWideSecure")
