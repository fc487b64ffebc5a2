"""Login: values of the response to a login request go into the headers and query of all other requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.functions import Contexts, evaluate, flat, private_texts
from penstock.extractor.base.http import HeaderValue, Message, Request
from penstock.extractor.base.section import read_map
from penstock.extractor.base.values import as_map, is_empty, to_text
from penstock.extractor.requests.auth.expiry import Expiry, read_expiry
from penstock.extractor.requests.auth.method import Auth, AuthConfig, Reply, Signing
from penstock.extractor.requests.auth.response import read_response, resolve, secrets_in
from penstock.extractor.requests.sending.message import header_values, read_method
from penstock.extractor.requests.sending.query import build_query, get_query, parse_query, with_query
from penstock.foundation import clock

FORMATS = ("json", "text")


class Session(msgspec.Struct):
    """The result of the last login; the only mutable object here."""

    is_open: bool = False
    expiry: int | None = None
    headers: dict[str, HeaderValue] = msgspec.field(default_factory=dict[str, HeaderValue])
    query: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    secrets: list[str] = msgspec.field(default_factory=list[str])

    def is_over(self, now: int) -> bool:
        return not self.is_open or (self.expiry is not None and now > self.expiry)


class Login(Auth, frozen=True, kw_only=True):
    name: str = "login"
    request: Request
    """The login request, with functions that are not evaluated yet."""
    contexts: Contexts
    """The values that functions of the login request can refer to."""
    format: str
    expiry: Expiry
    headers: dict[str, Any]
    query: dict[str, Any]
    other_secrets: list[str] = msgspec.field(default_factory=list[str])
    """Secrets that are known before the first login."""
    session: Session = msgspec.field(default_factory=Session)

    def sign(self, message: Message) -> Signing:
        if self.session.is_over(int(clock.now().timestamp())):
            self._open((yield self._login_request()))
        return self.signed(message)

    def signed(self, message: Message) -> Message:
        query = _extended(parse_query(get_query(message.url)), self.session.query)
        return message.with_headers(self.session.headers).with_url(with_query(message.url, build_query(query)))

    @property
    def secrets(self) -> list[str]:
        return [*self.other_secrets, *self.session.secrets]

    def _login_request(self) -> Request:
        params = {name: evaluate(value, self.contexts) for name, value in self.request.params.items()}
        headers = {name: evaluate(value, self.contexts) for name, value in self.request.headers.items()}
        private = private_texts(self.request.params, params) + private_texts(self.request.headers, headers)
        return msgspec.structs.replace(self.request, params=params, headers=header_values(headers), private=private)

    def _open(self, reply: Reply) -> None:
        response = read_response(reply.body, self.format, self.request.endpoint)
        contexts = {"response": flat(response), "attr": self.contexts["attr"]}
        session = self.session
        headers, query = resolve(self.headers, response, contexts), resolve(self.query, response, contexts)
        session.secrets = [*secrets_in(self.headers, headers, response), *secrets_in(self.query, query, response)]
        session.headers, session.query = header_values(headers), query
        session.expiry = self.expiry.until(response, int(reply.at))
        session.is_open = True


def read_login(config: AuthConfig) -> Login:
    settings = as_map(config.api.get("authentication"))
    request_settings = as_map(settings.get("apiRequest"))
    return Login(
        request=_read_request(settings.get("loginRequest")),
        contexts={"attr": flat(config.attr)},
        format=_read_format(settings.get("format")),
        expiry=read_expiry(settings.get("expires")),
        headers=as_map(request_settings.get("headers")),
        query=as_map(request_settings.get("query")),
    )


def _read_request(value: Any) -> Request:
    settings = as_map(value)
    if not settings:
        raise UserError("'loginRequest' is not configured for Login authentication")
    endpoint = settings.get("endpoint")
    if is_empty(endpoint):
        raise UserError("Request endpoint must be set for the Login authentication method.")
    if not isinstance(endpoint, str):
        raise UserError('The "endpoint" property must be specified in request as a string.')
    params = read_map(settings.get("params"), "The 'params' property must be an array.")
    headers = read_map(settings.get("headers"), 'The "headers" property must be an array.')
    config = settings.get("method")
    request = Request(endpoint, params, "" if is_empty(config) else str(config), headers)
    return msgspec.structs.replace(request, method=read_method(request))


def _read_format(value: Any) -> str:
    form = "json" if is_empty(value) else value
    if form not in FORMATS:
        raise UserError("'format' must be either 'json' or 'text'.")
    return form


def _extended(query: dict[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """New keys are appended; an existing key moves to the end, as a list of the old and the new values."""
    doubled = [name for name in added if name in query or isinstance(added[name], list)]
    extended = {name: value for name, value in {**query, **added}.items() if name not in doubled}
    for name in doubled:
        values = _distinct([*_listed(query.get(name, [])), *_listed(added[name])])
        extended |= {f"{name}[{index}]": value for index, value in enumerate(values)}
    return extended


def _listed(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]


def _distinct(values: list[Any]) -> list[Any]:
    return list({to_text(value): value for value in values}.values())
