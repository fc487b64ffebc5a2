"""Basic authentication: a user and a password in every request."""

from __future__ import annotations

import base64
from typing import Any

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.base.values import is_empty, to_text
from penstock.extractor.requests.auth.method import Auth, AuthConfig


class Basic(Auth, frozen=True, kw_only=True):
    name: str = "basic"
    user: str
    password: str

    def signed(self, message: Message) -> Message:
        return message.with_headers({"Authorization": f"Basic {self._pair}"})

    @property
    def secrets(self) -> list[str]:
        return [self.password, self._pair]

    @property
    def _pair(self) -> str:
        return base64.b64encode(f"{self.user}:{self.password}".encode("utf-8", "surrogateescape")).decode()


def read_basic(config: AuthConfig) -> Basic:
    user, password = _either(config.attr, "username"), _either(config.attr, "password")
    if is_empty(user):
        raise UserError("Missing the required '#username' (or 'username') attribute in config.")
    if is_empty(password):
        raise UserError("Missing the required '#password' attribute in config.")
    return Basic(user=to_text(user), password=to_text(password))


def _either(attr: dict[str, Any], key: str) -> Any:
    """The plain key takes precedence over the secret one."""
    plain = attr.get(key)
    return attr.get(f"#{key}") if is_empty(plain) else plain
