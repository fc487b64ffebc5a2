"""The variables that a component finds in its environment. Its launcher adds where its data folder is."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec


class ForwardedToken(msgspec.Struct, frozen=True, kw_only=True):
    """For a component that calls Storage in its user's name."""

    token: str
    url: str


class TokenDetails(msgspec.Struct, frozen=True, kw_only=True):
    project_name: str
    token_id: str
    description: str
    real_user: str = ""


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a component receives about its run."""

    run_id: str
    project_id: str
    component: str
    stack: str
    """The host of Storage."""
    config_id: str | None = None
    config_version: str | None = None
    row_id: str | None = None
    branch_id: str | None = None
    parameters: Mapping[str, Any] = {}
    run_mode: str = "run"
    file_provider: str = "azure"
    features: tuple[str, ...] = ()
    data_type_support: str = "none"
    forwarded: ForwardedToken | None = None
    details: TokenDetails | None = None
    logger: tuple[str, int] | None = None
    """Where it may send GELF records."""


def to_environment(context: RunContext) -> dict[str, str]:
    """Return the variables, without those that are not known."""
    always = {
        "KBC_RUNID": context.run_id,
        "KBC_PROJECTID": context.project_id,
        "KBC_COMPONENTID": context.component,
        "KBC_STACKID": context.stack,
        "KBC_CONFIGID": context.config_id or _digest(context.parameters),
        "KBC_STAGING_FILE_PROVIDER": context.file_provider,
        "KBC_PROJECT_FEATURE_GATES": ",".join(context.features),
        "KBC_COMPONENT_RUN_MODE": context.run_mode,
        "KBC_DATA_TYPE_SUPPORT": context.data_type_support,
    }
    optional = {**_location(context), **_token(context), **_details(context), **_logger(context)}
    # The system ends a value at a NUL, and would refuse the whole environment for it.
    return {name: value.replace("\0", "") for name, value in {**always, **optional}.items() if value or name in always}


def _location(context: RunContext) -> dict[str, str]:
    return {
        "KBC_CONFIGVERSION": context.config_version or "",
        "KBC_CONFIGROWID": context.row_id or "",
        "KBC_BRANCHID": context.branch_id or "",
    }


def _token(context: RunContext) -> dict[str, str]:
    return {"KBC_TOKEN": context.forwarded.token, "KBC_URL": context.forwarded.url} if context.forwarded else {}


def _details(context: RunContext) -> dict[str, str]:
    details = context.details
    if not details:
        return {}
    return {
        "KBC_PROJECTNAME": details.project_name,
        "KBC_TOKENID": details.token_id,
        "KBC_TOKENDESC": details.description,
        "KBC_REALUSER": details.real_user,
    }


def _logger(context: RunContext) -> dict[str, str]:
    return {"KBC_LOGGER_ADDR": context.logger[0], "KBC_LOGGER_PORT": str(context.logger[1])} if context.logger else {}


def _digest(parameters: Mapping[str, Any]) -> str:
    """A configuration that is not stored is known by what is in it."""
    return hashlib.sha1(msgspec.json.encode(parameters, order="sorted"), usedforsecurity=False).hexdigest()
