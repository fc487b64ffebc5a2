"""Credentials: what a provider returned when a user authorized an application, for one component and project."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar

import msgspec

from penstock.foundation.structs import Wire
from penstock.services.oauth.models.consumers import Id, Name, Secret, Version

DATA_CHARACTERS = 262_144

Data = Annotated[str, msgspec.Meta(min_length=1, max_length=DATA_CHARACTERS)]
Branch = Annotated[str, msgspec.Meta(max_length=20)]

PROJECT_WIDE = 0
"""The branch of credentials that belong to none."""


class NewCredential(Wire, frozen=True, kw_only=True):
    aliases: ClassVar[Mapping[str, str]] = {"appSecret": "#appSecret"}

    id: Id
    """Id of the credential, by which configurations name it. Usually that of the configuration."""
    authorized_for: Name
    """Whose account it is, as people see it."""
    data: Data | dict[str, Any] = msgspec.field(name="#data")
    """What the provider returned: a text, an object, or a cipher. It is stored and returned encrypted."""
    branch_id: Branch | None = None
    """Id of the branch that the credential belongs to. Without it, the credential is for the whole project."""
    app_key: Name | None = None
    """Client id of the application that it was made with, if it is not the registered one."""
    app_secret: Secret | None = msgspec.field(name="#appSecret", default=None)
    """Client secret of that application."""


class CredentialsQuery(Wire, frozen=True, kw_only=True):
    component_id: Annotated[str, msgspec.Meta(max_length=255)] = ""
    """Only credentials of this component."""
    branch_id: Branch = ""
    """Only those of this branch; `null` for those without a branch."""


class BranchQuery(Wire, frozen=True, kw_only=True):
    branch_id: Branch = ""
    """Only credentials of this branch; `null` for those without a branch."""


class CredentialRow(msgspec.Struct, frozen=True, kw_only=True):
    """Secrets are ciphers."""

    number: int
    """Of this authorization; the next one with the same id has another."""
    project_id: int
    component_id: str
    id: str
    branch_id: int
    authorized_for: str
    creator_id: int
    creator_description: str
    created: datetime
    oauth_version: Version
    app_key: str
    app_secret: str
    data: str
    token_url: str | None
    """Where its tokens are refreshed, if not at the consumer's."""
    expires: datetime | None
    """When the access token expires, if the provider said so."""
    revision: int = 0
    """Counts the refreshed versions of the data."""
    refresh_attempt: str | None = None
    refresh_until: datetime | None = None
    """Until when others leave the refresh to this attempt."""


class Creator(Wire, frozen=True, kw_only=True):
    id: str
    description: str | None


class Credential(Wire, frozen=True, kw_only=True):
    id: str
    branch_id: str | None
    authorized_for: str
    creator: Creator
    created: datetime
    oauth_version: Version
    app_key: str
    app_secret: str = msgspec.field(name="#appSecret")
    data: str = msgspec.field(name="#data")


def credential_view(row: CredentialRow) -> Credential:
    return Credential(
        id=row.id,
        branch_id=None if row.branch_id == PROJECT_WIDE else str(row.branch_id),
        authorized_for=row.authorized_for,
        creator=Creator(id=str(row.creator_id), description=row.creator_description),
        created=row.created,
        oauth_version=row.oauth_version,
        app_key=row.app_key,
        app_secret=row.app_secret,
        data=row.data,
    )
