"""What other services may call in the broker."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Caller
from penstock.foundation.stack import Stack
from penstock.services.oauth.operations import injection


def with_credentials(stack: Stack, caller: Caller, component_id: str, document: dict[str, Any]) -> dict[str, Any]:
    """A configuration as it is run: with the credential that `authorization.oauth_api.id` names, in plain text under
    `#` keys. `caller` says in which project and branch.

    Raises if there is no such credential. May call the provider, so call it outside transactions.
    """
    return injection.with_credentials(stack, caller, component_id, document)
