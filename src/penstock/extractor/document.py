"""The configuration file as it stands on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.values import as_map, is_empty
from penstock.foundation.redaction import Redactor


class Document(msgspec.Struct, frozen=True):
    """A configuration, under `parameters` as in a data folder, and what of it must stay secret."""

    values: dict[str, Any]
    redactor: Redactor

    @property
    def is_debug(self) -> bool:
        return not is_empty(as_map(as_map(self.values.get("parameters")).get("config")).get("debug"))

    @property
    def action(self) -> str:
        """What is asked for instead of a run; empty for a run."""
        action = self.values.get("action")
        return "" if action in (None, "", "run") else str(action)


NO_DOCUMENT = Document({}, Redactor())


def read_document(path: Path) -> Document:
    """Also takes a file that holds the parameters themselves."""
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
    whole = members if "parameters" in members or "api" not in members else {"parameters": members}
    return Document(whole, Redactor.of(members).also(_password(whole)))


def _password(document: dict[str, Any]) -> list[str]:
    """The one in the base address, where it does not belong but may stand."""
    base_url = as_map(as_map(document.get("parameters")).get("api")).get("baseUrl")
    try:
        password = urlsplit(base_url).password if isinstance(base_url, str) else None
    except ValueError:
        return []
    return [password, unquote(password)] if password else []
