"""The `sshProxy` section: the SSH server that leads to the API, and the login there."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError, invalid
from penstock.extractor.base.values import is_empty

_REQUIRED = ("user", "host", "port", "#privateKey")


class SshServer(msgspec.Struct, frozen=True):
    user: str
    host: str
    port: int
    private_key: str
    host_key: str | None = None
    """The key that the server must have; None accepts any."""


class NoLink(Exception):
    """One attempt to connect failed; `is_final` if a retry would fail again."""

    def __init__(self, reason: str, *, is_final: bool = False) -> None:
        super().__init__(reason)
        self.is_final = is_final


def read_server(section: dict[str, Any]) -> SshServer:
    missing = [name for name in _REQUIRED if name not in section]
    if missing:
        raise UserError(f"Missing parameters '{','.join(missing)}' in SSH config.")
    if is_empty(section["#privateKey"]):
        raise UserError("Key must not be empty")
    return SshServer(
        user=_read_text(section, "user"),
        host=_read_text(section, "host").strip(),
        port=_read_port(section["port"]),
        private_key=_read_text(section, "#privateKey"),
        host_key=None if is_empty(section.get("hostKey")) else _read_text(section, "hostKey"),
    )


def _read_text(section: dict[str, Any], name: str) -> str:
    value = section[name]
    if not isinstance(value, str) or not value.strip():
        # The value may be a secret, so it is not repeated.
        raise invalid("Expected a text that is not empty", f"parameters.sshProxy.{name}")
    return value


def _read_port(value: Any) -> int:
    text = str(value).strip() if isinstance(value, (int, str)) else ""
    port = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 0 < port < 65536:
        raise invalid("Expected a number from 1 to 65535", "parameters.sshProxy.port")
    return port
