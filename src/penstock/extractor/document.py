"""The configuration file as it stands on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.errors import UserError
from penstock.foundation.redaction import Redactor


class Document(msgspec.Struct, frozen=True):
    """A configuration, under `parameters` as in a data folder, and what of it must stay secret."""

    values: dict[str, Any]
    redactor: Redactor

    @property
    def is_debug(self) -> bool:
        parameters = _map(self.values.get("parameters"))
        return _map(parameters.get("config")).get("debug") not in (None, False, 0, "", "0", "false")


NO_DOCUMENT = Document({}, Redactor())


def read_document(path: Path) -> Document:
    """Also takes a file that holds the parameters themselves."""
    try:
        values = msgspec.json.decode(path.read_bytes())
    except FileNotFoundError:
        raise UserError(f"Configuration file '{path}' not found.") from None
    except OSError as error:
        raise UserError(f"Configuration file '{path}' cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"Configuration file '{path}' is not a valid JSON: {error}.") from error
    if not isinstance(values, dict):
        raise UserError(f"Configuration file '{path}' does not hold a JSON object.")
    members = cast(dict[str, Any], values)
    whole = members if "parameters" in members or "api" not in members else {"parameters": members}
    return Document(whole, Redactor.of(members))


def _map(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
