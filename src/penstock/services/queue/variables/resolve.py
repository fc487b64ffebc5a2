"""All placeholders of a document, in the one order that there is: shared code, the vault, the configuration's own.

It only replaces. Ciphers are not changed: they are decrypted when the document is run, those from the vault as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol, cast

import msgspec

from penstock.foundation.redaction import HIDDEN
from penstock.foundation.secrets import is_cipher
from penstock.services.queue.models.results import Variable
from penstock.services.queue.variables import mustache, vault
from penstock.services.queue.variables.errors import MissingValues
from penstock.services.queue.variables.shared_code import insert_shared_code
from penstock.services.queue.variables.text import Filled
from penstock.services.queue.variables.values import JobValues, ReadVariables, check_job_values, choose_values


class Sources(Protocol):
    """Where values come from; each raises what Storage says if it is not there."""

    def read_shared_code(self, config_id: str, row_id: str) -> dict[str, Any]: ...

    def read_variables(self, config_id: str) -> dict[str, Any]: ...

    def read_values(self, config_id: str, row_id: str) -> dict[str, Any]: ...

    def read_vault(self) -> dict[str, str]:
        """Return variables by name; secrets are ciphers."""
        ...


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    document: dict[str, Any]
    variables: list[Variable]
    """What was put in, for the job's result: secrets are masked."""
    told: list[str]
    """What the job's log says of it, in this order."""


def resolve(document: dict[str, Any], sources: Sources, job_values: JobValues) -> Resolved:
    """The document as it is run, but for its ciphers. Raises one of `errors` that says what to fix."""
    check_job_values(job_values)
    whole, shared = insert_shared_code(document, sources.read_shared_code)
    told = [f'Loaded shared code snippets with ids: "{", ".join(shared)}".'] if shared else []
    from_vault = vault.fill_document(whole, sources.read_vault)
    filled, choice = _fill_own(from_vault.document, sources, job_values)
    missing = dict.fromkeys([*filled.missing, *from_vault.missing])
    if missing:
        raise MissingValues(sorted(missing, key=lambda name: name in from_vault.missing))
    used = from_vault.used | filled.used
    return Resolved(document=filled.document, variables=_record(whole, used), told=[*told, *choice])


def _fill_own(document: dict[str, Any], sources: Sources, job_values: JobValues) -> tuple[Filled, list[str]]:
    if not document.get("variables_id"):
        return Filled(document=document), []
    read = ReadVariables(sources.read_variables, sources.read_values)
    chosen = choose_values(document, job_values, read)
    return mustache.fill_document(document, chosen.values), [chosen.told]


def _record(document: dict[str, Any], used: dict[str, str]) -> list[Variable]:
    """A value that is a cipher, that stands under a `#` key or has a `#` name, is a secret."""
    secret = list(_secret_texts(document))
    return [Variable(name, HIDDEN if _is_secret(name, value, secret) else value) for name, value in used.items()]


def _is_secret(name: str, value: str, secret: list[str]) -> bool:
    word = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
    return name.startswith("#") or is_cipher(value) or any(word.search(text) for text in secret)


def _secret_texts(node: Any, is_secret: bool = False) -> Iterator[str]:
    """The texts under `#` keys in which a placeholder may stand."""
    if isinstance(node, dict):
        for key, value in cast(dict[str, Any], node).items():
            yield from _secret_texts(value, is_secret or key.startswith("#"))
    elif isinstance(node, list):
        for value in cast(list[Any], node):
            yield from _secret_texts(value, is_secret)
    elif is_secret and isinstance(node, str) and not is_cipher(node):
        yield node
