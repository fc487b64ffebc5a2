"""Authentication methods that exist only in the user interface, translated to settings of a run.

The interface sets `config.__AUTH_METHOD`; a run uses only `api.authentication`, headers and parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_map, is_empty, to_text

KEY = "__AUTH_METHOD"
OF_THE_RUN = ("basic", "query", "url.query", "login", "oauth10", "oauth20", "oauth20.login")
BEARER, API_KEY = "#__BEARER_TOKEN", "#__AUTH_TOKEN"
NOT_IN_RUNS = (
    "The parameter '{}' in `api.http.defaultOptions.params` refers to the API key. A test request sends the key, but a "
    "run does not look it up there. Put it into `api.authentication` with the type `query`."
)

Section = dict[str, Any]
Warn = Callable[[str], None]


def with_auth_method(document: dict[str, Any], warn: Warn) -> dict[str, Any]:
    """Returns the configuration with the settings that a run needs for this method."""
    parameters = as_map(document.get("parameters"))
    api, config = as_map(parameters.get("api")), as_map(parameters.get("config"))
    method = _read_method(api, config)
    if method:
        document = {**document, "parameters": {**parameters, "api": _api(method, api, config, warn)}}
    return document


def _read_method(api: Section, config: Section) -> str:
    method = config.get(KEY)
    if is_empty(method):
        method = as_map(api.get("authentication")).get("type")
    if is_empty(method):
        return ""
    return json_text(method) if isinstance(method, (dict, list)) else to_text(method)


def _api(method: str, api: Section, config: Section, warn: Warn) -> Section:
    """Returns the `api` section for a method."""
    settings = as_map(api.get("authentication"))
    plain = {key: value for key, value in api.items() if key != "authentication"}
    if method in OF_THE_RUN or method == "oauth2":
        return {**api, "authentication": {**settings, "type": "login" if method == "oauth2" else method}}
    if method == "custom":
        return api if settings.get("type") in OF_THE_RUN else plain
    if method == "none":
        return plain
    if method == "bearer":
        return _with_http(plain, _with_bearer(as_map(api.get("http")), config))
    if method == "api-key":
        return _with_http(plain, _with_api_key(as_map(api.get("http")), config, warn))
    raise UserError(f"Unsupported auth method: {method}")


def _with_http(api: Section, http: Section) -> Section:
    return {**api, "http": http}


def _with_bearer(http: Section, config: Section) -> Section:
    """If the interface has set the header, that one is sent, as in a run."""
    headers = as_map(http.get("headers"))
    if any(name.lower() == "authorization" for name in headers):
        return http
    return {**http, "headers": {**headers, "Authorization": f"Bearer {_secret(config, BEARER)}"}}


def _with_api_key(http: Section, config: Section, warn: Warn) -> Section:
    """Adds the key. In a header it is an ordinary reference; references in default parameters are resolved only
    here."""
    options = as_map(http.get("defaultOptions"))
    params = as_map(options.get("params"))
    named = [name for name, value in params.items() if value == {"attr": API_KEY}]
    for name in named:
        warn(NOT_IN_RUNS.format(name))
    api_params = {**params, **{name: _secret(config, API_KEY) for name in named}}
    return {**http, "defaultOptions": {**options, "params": api_params}} if named else http


def _secret(config: Section, key: str) -> str:
    value = config.get(key)
    if is_empty(value) or isinstance(value, (dict, list)):
        raise UserError(f"Missing the required '{key}' attribute in config.")
    return to_text(value)
