"""The action `discover`: proposes a configuration for an API, proven by running it."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.actions.action_request import ActionRequest, hide
from penstock.extractor.tools.actions.load_from_curl import KEY as CURL_KEY
from penstock.extractor.tools.discovery import Discovery, Target, discover
from penstock.extractor.tools.discovery.inputs import SeveralEndpoints, read_target
from penstock.foundation.redaction import Redactor

URL_KEY, ENDPOINT_KEY, HEADERS_KEY = "__URL", "__ENDPOINT", "__HEADERS"
DOCUMENTS = {"curl": CURL_KEY, "openapi": "__OPENAPI", "har": "__HAR"}
SECRETS_KEY, POST_KEY = "__WITH_SECRETS", "__ALLOW_POST"

Values = dict[str, Any]


async def run(request: ActionRequest) -> Values:
    """Returns a proposal; or the endpoints to choose from, if a document has several."""
    parameters = request.parameters
    try:
        target = _read_target(parameters)
    except SeveralEndpoints as error:
        return {"endpoints": [{"endpoint": choice.endpoint, "note": choice.note} for choice in error.choices]}
    discovery = await discover(target, request.log, is_post_allowed=parameters.get(POST_KEY) is True)
    result = hide(_to_result(discovery, request.log.redactor), request.log.redactor)
    return {**result, "secrets": _secrets(discovery.document)} if parameters.get(SECRETS_KEY) is True else result


def _read_target(parameters: Values) -> Target:
    url = _text(parameters, URL_KEY)
    documents = {kind: text for kind, key in DOCUMENTS.items() if (text := _text(parameters, key))}
    kind, content = next(iter(documents.items()), ("url", ""))
    if len(documents) > 1 or (bool(url) if kind in ("curl", "har") else kind == "url" and not url):
        raise UserError(
            f"Set one of `parameters.{URL_KEY}` (the address of a list), `{CURL_KEY}` (a curl command), `__OPENAPI` "
            f"(the text of an OpenAPI document; `{URL_KEY}` replaces its server) or `__HAR` (the text of a HAR file)."
        )
    return read_target(kind, content.encode(), url, _text(parameters, ENDPOINT_KEY), _headers(parameters))


def _text(parameters: Values, key: str) -> str:
    value = parameters.get(key) or ""
    if not isinstance(value, str):
        raise UserError(f"`parameters.{key}` must be a text.")
    return value.strip()


def _headers(parameters: Values) -> list[str]:
    headers: Any = parameters.get(HEADERS_KEY) or list[str]()
    if not isinstance(headers, list) or not all(isinstance(header, str) for header in cast(list[Any], headers)):
        raise UserError(f"`parameters.{HEADERS_KEY}` must be a list of texts, such as `Authorization: Bearer TOKEN`.")
    return cast(list[str], headers)


def _to_result(discovery: Discovery, redactor: Redactor) -> Values:
    """Secrets stand under `#` keys of the configuration, and are hidden in it as in everything else."""
    result = {"configuration": redactor.hide(discovery.document), "findings": discovery.findings}
    return msgspec.to_builtins({**result, "tables": discovery.proof.tables, "requests": discovery.requests})


def _secrets(document: Values) -> dict[str, str]:
    """Returns the values of the `#` keys, for the client that sent them: it encrypts them before it shows or stores
    them."""
    config = document["parameters"]["config"]
    return {key: value for key, value in config.items() if key.startswith("#")}
