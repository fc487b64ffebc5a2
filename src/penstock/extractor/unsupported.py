"""What configurations may ask for and this version cannot do yet: refused by name, never quietly left out.

A feature that is built leaves this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from penstock.extractor.errors import UserError

TOP = ("authorization.oauth_api", "image_parameters.allowed_hosts")
PARAMETERS = (
    "iterations",
    "sshProxy",
    "aws",
    "cache",
    "api.authentication",
    "api.query",
    "api.http",
    "api.retryConfig",
    "api.caCertificate",
    "api.#clientCertificate",
    "api.pagination.nextPageFlag",
    "api.pagination.forceStop",
    "api.pagination.limitStop",
    "config.http",
    "config.mappings",
    "config.userData",
)
JOB = ("children", "headers", "placeholders", "recursionFilter", "responseFilter", "scroller", "userData")
METHODS = ("pagenum", "response.url", "response.param", "multiple", "zendesk.response.url")
CONTEXTS = ("attr", "time")


def refuse_unsupported(document: dict[str, Any]) -> None:
    for path in _asked_for(document):
        raise UserError(f"Invalid configuration: this version does not support `{path}` yet. Remove it.")


def _asked_for(document: dict[str, Any]) -> Iterator[str]:
    parameters = _map(document.get("parameters"))
    api, config = _map(parameters.get("api")), _map(parameters.get("config"))
    yield from (path for path in TOP if _at(document, path))
    yield from (f"parameters.{path}" for path in PARAMETERS if _at(parameters, path))
    if document.get("action") not in (None, "", "run"):
        yield "action"
    if isinstance(api.get("baseUrl"), dict):
        yield "parameters.api.baseUrl (a function)"
    if _map(api.get("pagination")).get("method") in METHODS:
        yield f"parameters.api.pagination.method ({_map(api.get('pagination'))['method']})"
    if _is_legacy(config.get("compatLevel")):
        yield "parameters.config.compatLevel (below 2)"
    jobs = config.get("jobs")
    for index, job in enumerate(cast(list[Any], jobs) if isinstance(jobs, list) else []):
        yield from (f"parameters.config.jobs[{index}].{key}" for key in _asked_by(_map(job)))


def _asked_by(job: dict[str, Any]) -> Iterator[str]:
    yield from (key for key in JOB if job.get(key))
    if str(job.get("method") or "GET").upper() in ("POST", "FORM"):
        yield f"method ({job['method']})"
    params = _map(job.get("params"))
    yield from (f"params.{key} (a function)" for key, value in params.items() if _calls(value))


def _calls(value: Any) -> bool:
    """Whether the value is, or holds, a function call or a reference."""
    if isinstance(value, list):
        return any(map(_calls, cast(list[Any], value)))
    members = _map(value)
    is_reference = len(members) == 1 and next(iter(members)) in CONTEXTS
    return "function" in members or is_reference or any(map(_calls, members.values()))


def _is_legacy(level: Any) -> bool:
    return bool(level) and str(level).lstrip("-").isdigit() and int(level) < 2


def _at(document: dict[str, Any], path: str) -> Any:
    value: Any = document
    for key in path.split("."):
        value = _map(value).get(key)
    return value


def _map(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
