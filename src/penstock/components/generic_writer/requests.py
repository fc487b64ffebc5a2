"""Builds the requests of the writer: URL, headers and body."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from penstock.components.generic_writer.settings import DATA, ContentType, Settings
from penstock.components.generic_writer.values import fill, resolve, resolve_map, resolve_parameters
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import to_text

CONTENT_TYPES = {ContentType.JSON: "application/json", ContentType.FORM: "application/x-www-form-urlencoded"}


class Request(msgspec.Struct, frozen=True):
    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None


class Builder:
    """Builds requests; values of an iteration's row replace user parameters of the same name."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._parameters = resolve_parameters(settings.user_parameters)

    def build(self, body: bytes | None, row: Mapping[str, str]) -> Request:
        parameters = {**self._parameters, **row}
        return Request(
            self._settings.request_parameters.method.upper(),
            self._url(parameters, row),
            self._headers(parameters, row),
            body,
        )

    def encode(self, documents: list[dict[str, Any]]) -> bytes:
        """Returns the body for some rows."""
        content = self._settings.request_content
        if content.content_type is ContentType.FORM:
            return urlencode({name: _plain(value) for name, value in documents[0].items()}).encode()
        data: Any = documents[0] if self._settings.rows_per_request == 1 else documents
        encoded = msgspec.json.encode(data)
        wrapper = content.json_mapping.request_data_wrapper
        return wrapper.encode().replace(DATA.encode(), encoded) if wrapper else encoded

    def _url(self, parameters: Mapping[str, Any], row: Mapping[str, str]) -> str:
        api, request = self._settings.api, self._settings.request_parameters
        path = fill(request.endpoint_path, row, _in_path)
        url = f"{api.base_url.rstrip('/')}/{path.lstrip('/')}" if path else api.base_url
        query = {
            **resolve_map(api.default_query_parameters, parameters),
            **resolve_map(request.query_parameters, parameters),
        }
        text = urlencode({name: fill(value, row) for name, value in query.items()})
        return f"{url}{'&' if '?' in url else '?'}{text}" if text else url

    def _headers(self, parameters: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, str]:
        api = self._settings.api
        resolved = {
            **resolve_map(api.default_headers, parameters),
            **self._authorization(parameters),
            **resolve_map(self._settings.request_parameters.headers, parameters),
        }
        headers = {name: fill(value, row) for name, value in resolved.items()}
        kind = CONTENT_TYPES.get(self._settings.request_content.content_type)
        if kind and not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = kind
        return headers

    def _authorization(self, parameters: Mapping[str, Any]) -> dict[str, str]:
        authentication = self._settings.api.authentication
        credentials = {name: to_text(resolve(value, parameters)) for name, value in authentication.parameters.items()}
        match authentication.type:
            case "":
                return {}
            case "BasicHttp":
                pair = f"{credentials.get('username', '')}:{credentials.get('#password', '')}"
                return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
            case "BearerToken":
                return {"Authorization": f"Bearer {credentials.get('#token', '')}"}
            case _:
                raise UserError(
                    f'Invalid configuration: "{authentication.type}" is not a known authentication; use BasicHttp or '
                    "BearerToken, or set the headers that the API wants."
                )


def _in_path(value: str) -> str:
    """Returns one part of a path, whatever it holds: it must not lead out of its place."""
    if value in ("", ".", ".."):
        raise UserError(f"{value!r} cannot replace a placeholder of `endpoint_path`.")
    return quote(value, safe="")


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
