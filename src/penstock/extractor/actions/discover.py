"""The action `discover`: proposes a configuration for an API, proven by running it."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.actions.action_request import ActionRequest
from penstock.extractor.actions.hiding import hide
from penstock.extractor.actions.load_from_curl import KEY as CURL_KEY
from penstock.extractor.discovery import Discovery, Target, discover
from penstock.extractor.discovery.inputs import read_target
from penstock.extractor.errors import UserError
from penstock.foundation.redaction import Redactor

URL_KEY = "__URL"


async def run(request: ActionRequest) -> dict[str, Any]:
    found = await discover(_read_target(request.parameters), request.log)
    return hide(_to_result(found, request.log.redactor), request.log.redactor)


def _read_target(parameters: dict[str, Any]) -> Target:
    url, command = parameters.get(URL_KEY) or "", parameters.get(CURL_KEY) or ""
    if not isinstance(url, str) or not isinstance(command, str) or bool(url) == bool(command):
        raise UserError(
            f"Set either `parameters.{URL_KEY}` to the address of a list, or `parameters.{CURL_KEY}` to a curl command."
        )
    return read_target("curl" if command else "url", command.encode(), url)


def _to_result(found: Discovery, redactor: Redactor) -> dict[str, Any]:
    """Secrets stand under `#` keys of the configuration, and are hidden in it as in everything else."""
    shown = {"configuration": redactor.hide(found.document), "findings": found.findings}
    return msgspec.to_builtins({**shown, "tables": found.proof.tables, "requests": found.requests})
