"""Reads the configuration file."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map, is_empty
from penstock.foundation.redaction import Redactor
from penstock.foundation.text.configurations import with_parameters


class Document(msgspec.Struct, frozen=True):
    """A configuration, under `parameters` as in a data folder, and the redactor of its secrets."""

    values: dict[str, Any]
    redactor: Redactor

    @property
    def is_debug(self) -> bool:
        return not is_empty(as_map(as_map(self.values.get("parameters")).get("config")).get("debug"))

    @property
    def action(self) -> str:
        """Returns the action to perform instead of a run; empty for a run."""
        action = self.values.get("action")
        return "" if action in (None, "", "run") else str(action)


NO_DOCUMENT = Document({}, Redactor())


def read_document(path: Path) -> Document:
    """Accepts also a file that holds only the parameters."""
    try:
        values = msgspec.json.decode(path.read_bytes())
    except FileNotFoundError:
        raise UserError(f"Configuration file '{path}' not found.") from None
    except OSError as error:
        raise UserError(f"Configuration file '{path}' cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"Configuration file is not a valid JSON: Syntax error ({error}) in '{path}'.") from error
    if not isinstance(values, dict):
        raise UserError(f"Configuration file '{path}' does not hold a JSON object.")
    members = cast(dict[str, Any], values)
    document = with_parameters(members)
    return Document(document, _redactor(members, path).also(login_secrets(document)))


def _redactor(members: dict[str, Any], path: Path) -> Redactor:
    try:
        return Redactor.of(members)
    except RecursionError as error:
        raise UserError(f"Configuration file '{path}' is nested too deeply.") from error


def login_secrets(document: dict[str, Any]) -> list[str]:
    """Returns the secrets of a user and a password in the base URL."""
    base_url = as_map(as_map(document.get("parameters")).get("api")).get("baseUrl")
    return secrets_in(base_url) if isinstance(base_url, str) else []


def secrets_in(url: str) -> list[str]:
    """Returns the secrets of a user and a password in a URL: the header made from them, and the password.

    A user without a password is a secret, because many APIs accept a token there.
    """
    try:
        login = urlsplit(url).netloc.rpartition("@")[0]
    except ValueError:
        return []
    user, _colon, password = login.partition(":")
    secret, plain = password or user, unquote(login)
    return [base64.b64encode(plain.encode()).decode(), plain, secret, unquote(secret)] if login else []
