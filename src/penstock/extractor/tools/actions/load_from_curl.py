"""The action `load_from_curl`: makes a job that sends the request of a curl command."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import flat
from penstock.extractor.base.values import is_empty
from penstock.extractor.config.api import read_base_url, split_login
from penstock.extractor.tools.actions.action_request import ActionRequest
from penstock.extractor.tools.curl.job import build_job
from penstock.extractor.tools.curl.options import NO_COMMAND

KEY = "__CURL_COMMAND"


async def run(request: ActionRequest) -> dict[str, Any]:
    text = request.parameters.get(KEY)
    if not isinstance(text, str):
        raise UserError(f"{NO_COMMAND}. Set `parameters.{KEY}` to a text.")
    return build_job(text, _base_url(request))


def _base_url(request: ActionRequest) -> str:
    """Returns an empty text if there is none yet."""
    if is_empty(request.api.get("baseUrl")):
        return ""
    attributes = {key: value for key, value in request.config.items() if key != "jobs"}
    return split_login(read_base_url(request.api, {"attr": flat(attributes)}, request.log.warning))[0]
