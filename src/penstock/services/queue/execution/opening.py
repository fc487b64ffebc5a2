"""A document as it is run: placeholders replaced, secrets decrypted, and all of them known to the log's redactor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from penstock.components.component import Component
from penstock.components.sealing import get_scope, open_secrets, open_state
from penstock.foundation import audit
from penstock.foundation.callers import Caller
from penstock.foundation.redaction import Redactor
from penstock.foundation.secrets import Scope, is_cipher
from penstock.foundation.stack import Stack
from penstock.services.encryption.interface import bindings
from penstock.services.oauth import interface as oauth
from penstock.services.queue.execution.documents import Part
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.results import Variable
from penstock.services.queue.variables import JobValues, StoredSources, find_meant_hosts, resolve, values_scope

VAULT, OAUTH = "vault.", "authorization.oauth_api.credentials"
RECORDED, MAX_CHARACTERS = 100, 200
"""How many names of secrets an entry of the audit log has, and how many characters of each."""
DEFAULT_VALUES = JobValues()
"""The values of variables that the configuration itself names."""


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    document: dict[str, Any]
    encrypted: dict[str, Any]
    """The same with its secrets still encrypted."""
    state: dict[str, Any]
    variables: list[Variable]
    told: list[str]
    redactor: Redactor
    secrets: list[str]
    """Where values were decrypted, as paths: none of the values themselves."""

    @property
    def from_vault(self) -> list[str]:
        """Names of the vault's values in it."""
        names = (variable.name for variable in self.variables)
        return [name.removeprefix(VAULT) for name in names if name.startswith(VAULT)]

    def to_audit(self, caller: Caller, target: str, **details: str) -> list[audit.NewEntry]:
        """What the audit log says of the use of its secrets."""
        used = {"secret.used": ("secrets", self.secrets), "vault.read": ("variables", self.from_vault)}
        return [
            audit.NewEntry.of(
                caller, event, target, **details, **{name: [each[:MAX_CHARACTERS] for each in found[:RECORDED]]}
            )
            for event, (name, found) in used.items()
            if found
        ]


def open_part(stack: Stack, caller: Caller, job: JobRow, component: Component, part: Part) -> Opened:
    state: Any = part.state.get("component")
    wanted, config_id = _wanted(stack, job), job.config or ""
    opened = open_configuration(stack, caller, component, part.document, wanted, state, config_id)
    brought = find_ciphers(job.variable_values_data, "variableValuesData")
    return msgspec.structs.replace(opened, secrets=[*opened.secrets, *brought])


def open_configuration(
    stack: Stack,
    caller: Caller,
    component: Component,
    raw: dict[str, Any],
    job_values: JobValues = DEFAULT_VALUES,
    state: dict[str, Any] | None = None,
    config_id: str = "",
) -> Opened:
    """A configuration as its component gets it, in a job or in a synchronous action: everything that is put into a
    stored one is put in here. `state` is that of the component; without a `config_id`, secrets that are limited to one
    configuration are not decrypted."""
    sources = StoredSources(stack.database, caller, stack.cipher)
    resolved = resolve(raw, sources, job_values)
    hosts = find_meant_hosts(component.hosts_of, raw, resolved.document)
    # Of the processors as they run: a list that variables change is another list.
    where = {"config_id": config_id, "branch_type": caller.branch_type}
    meant = get_scope(caller.project_id, component.id, hosts, resolved.document, **where)
    recorded = bindings.to_open_later(stack.database)
    opened = open_secrets(stack.cipher, resolved.document, meant, recorded)
    document = oauth.with_credentials(stack, caller, component.id, opened)
    injected = [] if document is opened else [OAUTH]
    opened_state = open_state(stack.cipher, state or {}, Scope(caller.project_id, component.id, **where), recorded)
    secrets = [document, opened_state, job_values.values_data, *sources.opened]
    return Opened(
        document=document,
        encrypted=resolved.document,
        state=opened_state,
        variables=resolved.variables,
        told=resolved.told,
        redactor=Redactor.of([*secrets, component.image_parameters, component.stack_parameters]),
        secrets=[
            *injected,
            *find_ciphers(resolved.document),
            *find_ciphers(state or {}, "state"),
            *sources.opened_names,
        ],
    )


def find_ciphers(node: Any, path: str = "") -> Iterator[str]:
    """The paths of encrypted values."""
    if isinstance(node, dict):
        for key, value in cast(dict[str, Any], node).items():
            yield from find_ciphers(value, f"{path}.{key}".lstrip("."))
    elif isinstance(node, list):
        for number, value in enumerate(cast(list[Any], node)):
            yield from find_ciphers(value, f"{path}.{number}".lstrip("."))
    elif isinstance(node, str) and is_cipher(node):
        yield path


def _wanted(stack: Stack, job: JobRow) -> JobValues:
    scope = values_scope(job.project_id, job.component)
    values = stack.cipher.decrypt(job.variable_values_data, scope, "variableValuesData")
    return JobValues(values_id=job.variable_values_id, values_data=values)
