"""Migrates a configuration with its secrets to another project, of this stack or of another one.

The secrets are decrypted here and encrypted again at the destination; no response contains them.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import msgspec

from penstock.foundation import audit
from penstock.foundation.callers import AnyCaller
from penstock.foundation.outbound import OutboundError, call
from penstock.foundation.outbound.urls import Target, read_target
from penstock.foundation.settings import Settings
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.services.encryption.destination import send_to
from penstock.services.encryption.errors import InvalidDestination, MayNotMigrate
from penstock.services.encryption.models import MigratedConfiguration, Migration, NewMigration
from penstock.services.encryption.ports import Place, PlainConfiguration, Storage
from penstock.services.management import interface as management

FEATURE = "can-migrate-secrets"
MIGRATED = "configuration.migrated"
NOT_AUTHORIZED = (
    "The authorization at an OAuth provider is not migrated: authorize the configuration at the destination."
)


def migrate(stack: Stack, storage: Storage, caller: AnyCaller, request: NewMigration) -> Migration:
    _check_feature(stack, caller)
    destination = _read_destination(request.destination_stack)
    place = Place(
        token=request.source_storage_api_token,
        branch=str(request.branch_id),
        component_id=request.component_id,
        config_id=request.config_id,
    )
    found = storage.read(stack, place)
    _record(stack, caller, found, destination)
    token = request.destination_storage_api_token
    if _is_this_stack(stack.settings, destination):
        storage.write(stack, token, found)
    else:
        call(send_to(stack.outbound, str(destination.url).rstrip("/"), token, found))
    return _to_migration(request, found)


def _check_feature(stack: Stack, caller: AnyCaller) -> None:
    with stack.database.reading() as tx:
        user = management.find_user(tx, management.user_id_of(caller))
    if not user or FEATURE not in user.features:
        raise MayNotMigrate(FEATURE)


def _read_destination(value: str) -> Target:
    try:
        return read_target(value if "://" in value else f"https://{value}")
    except (OutboundError, ValueError) as error:
        raise InvalidDestination(str(error)) from error


def _is_this_stack(settings: Settings, destination: Target) -> bool:
    public = urlsplit(settings.public_url or "").hostname
    return destination.host in (service_host(STORAGE, settings.domain), public)


def _record(stack: Stack, caller: AnyCaller, configuration: PlainConfiguration, destination: Target) -> None:
    """Record it before anything is sent: what leaves the project is in its audit log even if the destination fails."""
    target = f"configuration {configuration.component_id}/{configuration.id}"
    of_project = msgspec.structs.replace(caller, project_id=configuration.project_id)
    with stack.database.writing(configuration.project_id) as tx:
        audit.record(tx, audit.NewEntry.of(of_project, MIGRATED, target, destination=destination.host))


def _to_migration(request: NewMigration, plain: PlainConfiguration) -> Migration:
    return Migration(
        message=f'Configuration with ID "{plain.id}" successfully migrated to stack "{request.destination_stack}".',
        data=MigratedConfiguration(
            destination_stack=request.destination_stack,
            component_id=plain.component_id,
            config_id=plain.id,
            branch_id=str(request.branch_id),
        ),
        warnings=[NOT_AUTHORIZED] if _uses_oauth(plain.document) else [],
    )


def _uses_oauth(document: dict[str, Any]) -> bool:
    authorization: Any = document.get("authorization")
    return isinstance(authorization, dict) and "oauth_api" in authorization
