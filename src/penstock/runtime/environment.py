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
    """What a component is told about its run."""

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


def to_environment(told: RunContext) -> dict[str, str]:
    """Without the variables that are not known."""
    always = {
        "KBC_RUNID": told.run_id,
        "KBC_PROJECTID": told.project_id,
        "KBC_COMPONENTID": told.component,
        "KBC_STACKID": told.stack,
        "KBC_CONFIGID": told.config_id or _digest(told.parameters),
        "KBC_STAGING_FILE_PROVIDER": told.file_provider,
        "KBC_PROJECT_FEATURE_GATES": ",".join(told.features),
        "KBC_COMPONENT_RUN_MODE": told.run_mode,
        "KBC_DATA_TYPE_SUPPORT": told.data_type_support,
    }
    known = {**_place(told), **_token(told), **_details(told), **_logger(told)}
    # The system ends a value at a NUL, and would refuse the whole environment for it.
    return {name: value.replace("\0", "") for name, value in {**always, **known}.items() if value or name in always}


def _place(told: RunContext) -> dict[str, str]:
    return {
        "KBC_CONFIGVERSION": told.config_version or "",
        "KBC_CONFIGROWID": told.row_id or "",
        "KBC_BRANCHID": told.branch_id or "",
    }


def _token(told: RunContext) -> dict[str, str]:
    return {"KBC_TOKEN": told.forwarded.token, "KBC_URL": told.forwarded.url} if told.forwarded else {}


def _details(told: RunContext) -> dict[str, str]:
    details = told.details
    if not details:
        return {}
    return {
        "KBC_PROJECTNAME": details.project_name,
        "KBC_TOKENID": details.token_id,
        "KBC_TOKENDESC": details.description,
        "KBC_REALUSER": details.real_user,
    }


def _logger(told: RunContext) -> dict[str, str]:
    return {"KBC_LOGGER_ADDR": told.logger[0], "KBC_LOGGER_PORT": str(told.logger[1])} if told.logger else {}


def _digest(parameters: Mapping[str, Any]) -> str:
    """A configuration that is not stored is known by what is in it."""
    return hashlib.sha1(msgspec.json.encode(parameters, order="sorted"), usedforsecurity=False).hexdigest()
