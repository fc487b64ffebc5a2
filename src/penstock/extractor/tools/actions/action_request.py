"""The input of an action: the whole configuration, and a log, which becomes part of the result. Secrets in the result
are redacted, in every encoding: each is replaced by `--HIDDEN--`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.base.log import Log
from penstock.extractor.base.values import as_map
from penstock.extractor.config.document import login_secrets
from penstock.foundation.redaction import Redactor

HIDDEN = "--HIDDEN--"
NO_SECRETS = ("__AUTH_METHOD", "__NAME")
"""Settings of the user interface that are not secrets, although they begin with `__`."""


class ActionRequest(msgspec.Struct, frozen=True):
    document: dict[str, Any]
    folder: Path
    """Where a run caches responses; actions validate the setting, but do not use the cache."""
    log: Log
    """Its redactor knows all secrets, also those of a login."""

    @property
    def parameters(self) -> dict[str, Any]:
        return as_map(self.document.get("parameters"))

    @property
    def api(self) -> dict[str, Any]:
        return as_map(self.parameters.get("api"))

    @property
    def config(self) -> dict[str, Any]:
        return as_map(self.parameters.get("config"))

    @property
    def log_text(self) -> str:
        """Returns the lines of the log so far, redacted again, because some secrets become known after they were
        written."""
        return self.log.redactor.clean(self.log.out.getvalue()) if isinstance(self.log.out, StringIO) else ""


def build_redactor(document: dict[str, Any]) -> Redactor:
    """Redacts values under keys with `#`, under keys with `__` in `config`, and a login in `baseUrl`."""
    config = as_map(as_map(document.get("parameters")).get("config"))
    marked = {f"#{key}": value for key, value in config.items() if key.startswith("__") and key not in NO_SECRETS}
    return Redactor.of([document, marked], HIDDEN).also(login_secrets(document))


def hide(value: Any, redactor: Redactor) -> Any:
    """Returns the same value without secrets, also in names of members."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return {redactor.clean(key): hide(member, redactor) for key, member in members}
    if isinstance(value, list):
        return [hide(item, redactor) for item in cast(list[Any], value)]
    if isinstance(value, str):
        cleaned = redactor.clean(value)
        return value if cleaned == value else cleaned  # keeps the type of a decimal
    return _hide_number(value, redactor)


def _hide_number(value: Any, redactor: Redactor) -> Any:
    """A number is redacted only as a whole, because the digits of a secret may occur in any number."""
    is_secret = value is not None and not isinstance(value, bool) and redactor.clean(str(value)) == HIDDEN
    return HIDDEN if is_secret else value
