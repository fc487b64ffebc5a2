"""Tokens as requested and returned: those of the Manage API, and Storage tokens that it creates."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import PERMISSIONS, Permissions
from penstock.foundation.structs import Wire
from penstock.services.management.models.users import UserView
from penstock.services.management.models.wire import Name, Number, Ref, Seconds


class NewStorageToken(Wire, frozen=True, kw_only=True):
    """A Storage token of a project. Events of a project and its branches are for all its tokens, so what would allow
    them changes nothing."""

    description: Name
    """What the token is for, as lists show it."""
    can_manage_buckets: bool = False
    """Whether the token may create and delete buckets, and read and write all of them."""
    can_manage_tokens: bool = False
    """Whether the token may create other tokens."""
    can_create_jobs: bool = False
    """Whether the token may run jobs."""
    can_read_all_file_uploads: bool = False
    """Whether the token may read all files of the project, and not only its own."""
    can_read_all_project_events: bool = False
    """Accepted and not used: all tokens of a project read its events."""
    can_manage_dev_branches: bool = False
    """Accepted and not used: it follows from the other permissions."""
    can_purge_trash: bool = False
    """Whether the token may delete configurations in the trash permanently."""
    expires_in: Seconds | None = None
    """Seconds until the token expires. Without it, it never does."""
    bucket_permissions: Annotated[dict[str, str], msgspec.Meta(max_length=PERMISSIONS)] = {}
    """`read` or `write`, by the id of the bucket."""
    component_access: Permissions[str] = []
    """Ids of the components whose configurations the token may use."""


class MadeToken(Wire, frozen=True):
    """A Storage token that a member of a project has made for a program."""

    id: str
    description: str
    created: str


class TokenInfo(Wire, frozen=True, kw_only=True):
    """A token of the Manage API, without its secret."""

    id: int
    description: str
    created: str
    last_used: str | None
    expires: str | None
    is_session_token: bool = False
    is_expired: bool = False
    is_disabled: bool = False
    scopes: list[str]
    type: str
    creator: Ref
    user: UserView | UnsetType = UNSET


class BridgeRequest(Wire, frozen=True, kw_only=True):
    project_id: Number
    """Id of the project that a token is needed for."""
