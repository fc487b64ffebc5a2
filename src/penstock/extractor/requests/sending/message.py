"""From the request of a job to the message that is sent: defaults, URL, body and headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import HeaderValue, Message, Request, merge_headers
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.values import as_json, as_map, deep_replace, is_empty, is_list, to_text
from penstock.extractor.requests.sending.url import encode_params, page_url

_IS_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
_IS_UNSAFE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search
"""A line break would start another header; tabs are allowed."""


METHODS = ("GET", "POST", "FORM")
CONTENT_TYPES = {"POST": "application/json", "FORM": "application/x-www-form-urlencoded"}


def header_values(headers: Mapping[str, Any], where: str = "") -> dict[str, HeaderValue]:
    """A list is a header that is sent several times. `where` is the path of the headers, for messages."""
    return {_name(name): _value(value, f"{where}.{name}" if where else name) for name, value in headers.items()}


def _name(name: str) -> str:
    if not _IS_NAME(name):
        raise UserError(f"Invalid configuration: {name!r} cannot be the name of a header.")
    return name


def _value(value: Any, path: str) -> HeaderValue:
    if value and is_list(value):
        return [_text(item, f"{path}.{index}") for index, item in as_map(value).items()]
    return _text(value, path)


def _text(value: Any, path: str) -> str:
    if isinstance(value, (dict, list)) and value:
        kind = "object" if isinstance(value, dict) else "array"
        raise UserError(f'Invalid configuration: invalid type "{kind}" in headers at path: {path}')
    text = "" if isinstance(value, (dict, list)) else to_text(value).strip(" \t")
    if _IS_UNSAFE(text):
        raise UserError(f"Invalid configuration: the header at path {path} holds a line break or a control character.")
    return text


class Builder(msgspec.Struct, frozen=True):
    """Builds the messages of one configuration."""

    base_url: str
    headers: dict[str, HeaderValue] = msgspec.field(default_factory=dict[str, HeaderValue])
    defaults: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """`api.http.defaultOptions`: defaults for jobs."""

    def build(self, request: Request) -> Message:
        return self.build_plain(over_defaults(self.defaults, request))

    def build_plain(self, request: Request) -> Message:
        """Builds the message without the defaults, as a login is sent."""
        method = read_method(request)
        headers = merge_headers(self.headers, job_headers(request.headers))
        if method == "GET":
            return Message("GET", self.url(request, request.params), headers, private=request.private)
        headers = merge_headers(headers, {"Content-Type": CONTENT_TYPES[method]})
        return Message("POST", self.url(request, {}), headers, _body(method, request), request.private)

    def url(self, request: Request, params: dict[str, Any]) -> str:
        try:
            return page_url(self.base_url, request.endpoint, params)
        except ValueError as error:
            raise UserError(f"Unable to parse URI: {request.endpoint} makes no address: {error}.") from error


def over_defaults(defaults: dict[str, Any], request: Request) -> Request:
    """Returns the request with the defaults merged under it, at every depth."""
    if is_empty(defaults):
        return request
    return msgspec.structs.replace(
        request,
        params=as_map(deep_replace(as_map(defaults.get("params")), request.params)),
        method=request.method or str(defaults.get("method") or ""),
        headers=as_map(deep_replace(as_map(defaults.get("headers")), request.headers)),
    )


def read_method(request: Request) -> str:
    method = (request.method or "GET").upper()
    if method not in METHODS:
        raise UserError(f'The "method" property must be on of "GET", "POST", "FORM". It is {request.method!r}.')
    return method


def job_headers(headers: dict[str, Any]) -> dict[str, HeaderValue]:
    """Functions are not evaluated in these: an object is sent as the list of its values."""
    plain = {
        name: list(as_map(value).values()) if isinstance(value, dict) else value for name, value in headers.items()
    }
    return header_values(plain, "headers")


def _body(method: str, request: Request) -> bytes:
    if method == "FORM":
        return encode_params(request.params).encode()
    params: Any = request.params if request.params or request.is_object else []
    return json_text(as_json(params, keeps_objects=True)).encode()
