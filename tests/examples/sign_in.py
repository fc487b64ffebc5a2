"""Requests of people who sign in: each has what it needs made for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyotp

from penstock.foundation import clock
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    as_person,
    enable_second_factor,
    log_in,
    sign_in,
    sign_up,
)
from tests.unit.services.login.test_programs import EXCHANGE, decide, get_code, start_device

Made = dict[str, Any]
"""Parts of a request: `body`, `values` of the path, and `headers`."""


def _bearer(services: ServicesOnly) -> Made:
    return {"headers": {"Authorization": f"Bearer {sign_in(services, sign_up(services))['accessToken']}"}}


def _log_in(services: ServicesOnly) -> Made:
    return {"body": {"email": sign_up(services).email, "password": PASSWORD}}


def _log_in_with_code(services: ServicesOnly) -> Made:
    user = sign_up(services)
    _, codes = enable_second_factor(services, user)
    return {"body": {"mfaToken": log_in(services, user).json["mfaToken"], "code": codes[0]}}


def _exchange_code(services: ServicesOnly) -> Made:
    return {"body": {**EXCHANGE, "code": get_code(services)}}


def _poll_device(services: ServicesOnly) -> Made:
    device = start_device(services)
    decide(services, device)
    return {"body": {"clientId": "keboola-cli", "deviceCode": device["deviceCode"]}}


def _token(name: str, field: str) -> Callable[[ServicesOnly], Made]:
    return lambda services: {"body": {field: sign_in(services, sign_up(services))[name]}}


def _end_sign_in(services: ServicesOnly) -> Made:
    user = sign_up(services)
    sign_in(services, user)
    token = sign_in(services, user)["accessToken"]
    sessions = as_person(services, token).get("/v1/auth/sessions").json
    return {"headers": {"Authorization": f"Bearer {token}"}, "values": {"session_id": str(sessions[0]["id"])}}


def _list_tokens(services: ServicesOnly) -> Made:
    made = _bearer(services)
    token = made["headers"]["Authorization"].removeprefix("Bearer ")
    created = as_person(services, token).post("/v1/auth/personal-tokens", {"description": "a program"}).json
    return {**made, "values": {"token_id": str(created["id"])}}


def _change_password(services: ServicesOnly) -> Made:
    return {**_bearer(services), "body": {"password": PASSWORD, "newPassword": f"{PASSWORD} staple"}}


def _confirm_factor(services: ServicesOnly) -> Made:
    made = _bearer(services)
    token = made["headers"]["Authorization"].removeprefix("Bearer ")
    secret = as_person(services, token).post("/v1/auth/second-factor").json["secret"]
    return {**made, "body": {"code": pyotp.TOTP(secret).at(clock.now())}}


def _remove_factor(services: ServicesOnly) -> Made:
    user = sign_up(services)
    token = sign_in(services, user)["accessToken"]
    _, codes = enable_second_factor(services, user, token)
    return {"headers": {"Authorization": f"Bearer {token}"}, "body": {"code": codes[0]}}


def _session(services: ServicesOnly) -> Made:
    browser = Browser(services)
    browser.sign_in(sign_up(services))
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    return {"headers": {"Cookie": cookie, **_origin(services)}}


def _origin(services: ServicesOnly) -> dict[str, str]:
    return {"Origin": f"http://127.0.0.1:{services.port}"}


REQUESTS: dict[str, Callable[[ServicesOnly], Made]] = {
    "POST /v1/auth/login": _log_in,
    "POST /v1/auth/mfa": _log_in_with_code,
    "POST /v1/auth/token": _exchange_code,
    "POST /v1/auth/device": lambda _: {"body": {"clientId": "keboola-cli"}},
    "POST /v1/auth/device/token": _poll_device,
    "POST /v1/auth/token/refresh": _token("refreshToken", "refreshToken"),
    "POST /v1/auth/token/revoke": _token("accessToken", "token"),
    "POST /v1/auth/token/introspect": _token("accessToken", "token"),
    "GET /v1/auth/token/introspect": _bearer,
    "GET /v1/auth/me": _bearer,
    "GET /v1/auth/sessions": _bearer,
    "DELETE /v1/auth/sessions/{session_id}": _end_sign_in,
    "GET /v1/auth/personal-tokens": _list_tokens,
    "POST /v1/auth/personal-tokens": lambda each: {**_bearer(each), "body": {"description": "a program"}},
    "DELETE /v1/auth/personal-tokens/{token_id}": _list_tokens,
    "POST /v1/auth/password": _change_password,
    "POST /v1/auth/second-factor": _bearer,
    "POST /v1/auth/second-factor/confirm": _confirm_factor,
    "POST /v1/auth/second-factor/remove": _remove_factor,
    "POST /v1/auth/session": lambda each: {**_log_in(each), "headers": _origin(each)},
    "POST /v1/auth/session/mfa": lambda each: {**_log_in_with_code(each), "headers": _origin(each)},
    "POST /v1/auth/session/token": _session,
    "POST /v1/auth/session/end": _session,
}
