"""Plays the client: answers what a method asks for, and hands back the signed message."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.http import Message, Request
from penstock.extractor.requests.auth import Auth, AuthConfig, Reply, read_auth
from penstock.foundation import clock

USERS = Message("GET", "https://api.example/users?page=1")


class Signed(msgspec.Struct, frozen=True):
    message: Message
    asked: list[Request]
    """What the method wanted to be sent first."""

    @property
    def query(self) -> str:
        return self.message.url.partition("?")[2]


def sign(auth: Auth, message: Message = USERS, *replies: bytes) -> Signed:
    asked: list[Request] = []
    signing, responses = auth.sign(message), iter(replies)
    try:
        asked.append(next(signing))
        while True:
            asked.append(signing.send(Reply(next(responses), clock.now().timestamp())))
    except StopIteration as end:
        return Signed(end.value, asked)


def read(authentication: dict[str, Any], attr: Any = None, credentials: Any = None, **api: Any) -> Auth:
    authorization = {"oauth_api": {"credentials": credentials}} if credentials is not None else {}
    return read_auth(AuthConfig({"authentication": authentication, **api}, attr or {}, authorization), lambda _: None)
