"""What Encryption is given of Storage: configurations with their secrets in plain text, to migrate them."""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.services.encryption import interface as encryption
from penstock.services.encryption.interface import Place, PlainConfiguration, PlainRow
from penstock.services.storage.interface.access import authenticate, authenticate_writer, in_branch
from penstock.services.storage.models.configuration_rows import NewRow, StoredRow, in_order
from penstock.services.storage.models.configurations import ConfigurationRow, ConfigurationWithRows, NewConfiguration
from penstock.services.storage.operations.configurations import components, configurations, documents, rows
from penstock.web.auth.storage_token import storage_token


def read_plain(stack: Stack, place: Place) -> PlainConfiguration:
    caller = _find_caller(stack, place.token)
    with stack.database.reading() as tx:
        placed = in_branch(tx, caller, place.branch)
        key = components.key_of(tx, placed, place.component_id, place.config_id)
        found = configurations.with_rows(tx, configurations.get_configuration(tx, key))
        return _open(tx, placed, stack.cipher, found)


def write_plain(stack: Stack, token: str, configuration: PlainConfiguration) -> None:
    """Encrypted on write, as everything that is stored."""
    caller = _find_caller(stack, token)
    new = NewConfiguration(
        configuration_id=configuration.id,
        name=configuration.name,
        description=configuration.description,
        is_disabled=configuration.is_disabled,
        configuration=configuration.document,
        state=configuration.state,
        rows_sort_order=[row.id for row in configuration.rows],
    )
    with stack.database.writing(caller.project_id) as tx:
        made = configurations.create_configuration(tx, caller, stack.cipher, configuration.component_id, new)
        for row in configuration.rows:
            rows.create_row(tx, caller, stack.cipher, made.key, _to_new_row(row))


def _find_caller(stack: Stack, token: str) -> Caller:
    return authenticate_writer(stack, token, "may neither read secrets nor change anything")


def _open(tx: Transaction, caller: Caller, cipher: Cipher, configuration: ConfigurationWithRows) -> PlainConfiguration:
    row = configuration.configuration
    return PlainConfiguration(
        project_id=row.project_id,
        component_id=row.component_id,
        id=row.id,
        name=row.name,
        description=row.description,
        is_disabled=row.is_disabled,
        document=documents.open_configuration(tx, caller, cipher, row.key, row.configuration),
        state=documents.open_state(tx, caller, cipher, row.key, row.state),
        rows=[_open_row(tx, caller, cipher, row, each) for each in in_order(configuration.rows, row.rows_sort_order)],
    )


def _open_row(tx: Transaction, caller: Caller, cipher: Cipher, parent: ConfigurationRow, row: StoredRow) -> PlainRow:
    return PlainRow(
        id=row.id,
        name=row.name,
        description=row.description,
        is_disabled=row.is_disabled,
        document=documents.open_configuration(tx, caller, cipher, parent.key, row.configuration, parent.configuration),
        state=documents.open_state(tx, caller, cipher, parent.key, row.state),
    )


def _to_new_row(row: PlainRow) -> NewRow:
    return NewRow(
        row_id=row.id,
        name=row.name,
        description=row.description,
        is_disabled=row.is_disabled,
        configuration=row.document,
        state=row.state,
    )


FOR_ENCRYPTION = encryption.Storage(auth=storage_token(authenticate), read=read_plain, write=write_plain)
