"""Vault's operations: store, remove and list variables."""

from __future__ import annotations

import hashlib

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.limits import ATTRIBUTES
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.encryption.interface import bindings
from penstock.services.vault import store
from penstock.services.vault.errors import InvalidBranch, InvalidVariable, TooManyAttributes, VariableNotFound
from penstock.services.vault.models import BRANCH, Filter, Flag, NewVariable, VariableRow, VariablesQuery

MAIN = "default"
SECRETS_TRIED = 20


def put_variable(tx: Transaction, caller: Caller, cipher: Cipher, new_variable: NewVariable) -> VariableRow:
    """Store a variable; one with the same key and attributes is replaced and keeps its position."""
    branch = new_variable.attributes.get(BRANCH)
    if branch is not None and ids.read_id(branch) is None:
        raise InvalidVariable(f"attributes.{BRANCH}", f"{branch!r} is not the number of a branch.")
    identity = make_hash(new_variable.key, new_variable.attributes)
    known = store.find_variable(tx, caller.project_id, identity)
    row = VariableRow(
        id=known.id if known else ids.new_id(tx),
        project_id=caller.project_id,
        hash=identity,
        key=new_variable.key,
        value=_seal(tx, cipher, caller, new_variable),
        flags=list(dict.fromkeys(new_variable.flags)),
        group=new_variable.group,
        attributes=new_variable.attributes,
    )
    store.put_variable(tx, row)
    return row


def remove_variable(tx: Transaction, caller: Caller, variable_hash: str) -> None:
    if not store.remove_variable(tx, caller.project_id, variable_hash):
        raise VariableNotFound(variable_hash)


def list_variables(tx: Transaction, caller: Caller, query: VariablesQuery) -> list[VariableRow]:
    _check_attributes(query)
    return store.list_variables(tx, caller.project_id, query, query.offset, query.limit)


def list_scoped(tx: Transaction, caller: Caller, branch_id: str, scope_filter: Filter) -> list[VariableRow]:
    """What a branch sees: the project's variables and its own, which take precedence for the same key."""
    number = caller.main_branch_id if branch_id == MAIN else ids.read_id(branch_id)
    if number is None:
        raise InvalidBranch(branch_id)
    _check_attributes(scope_filter)
    visible = store.list_visible(tx, caller.project_id, str(number), scope_filter)
    own = {row.key for row in visible if row.is_of_branch}
    return [row for row in visible if row.is_of_branch or row.key not in own]


def opens_secrets(tx: Transaction, cipher: Cipher) -> bool | None:
    """Whether the cipher's key decrypts some secret; None if there is none."""
    found = store.list_secrets(tx, SECRETS_TRIED)
    return any(cipher.opens({"#value": row.value}, Scope(row.project_id)) for row in found) if found else None


def _check_attributes(scope_filter: Filter) -> None:
    """Each is a condition of the query, and databases limit their number."""
    if len(scope_filter.attributes) > ATTRIBUTES:
        raise TooManyAttributes(len(scope_filter.attributes))


def make_hash(key: str, attributes: dict[str, str]) -> str:
    """Identifies a variable regardless of the order of its attributes."""
    return hashlib.sha256(msgspec.json.encode([key, attributes], order="sorted")).hexdigest()


def _seal(tx: Transaction, cipher: Cipher, caller: Caller, new_variable: NewVariable) -> str:
    if Flag.ENCRYPTED not in new_variable.flags:
        return new_variable.value
    sealed = cipher.encrypt_text(new_variable.value, Scope(caller.project_id))
    bindings.keep_unbound(tx, sealed)
    return sealed
