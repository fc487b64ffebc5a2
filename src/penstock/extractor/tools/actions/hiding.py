"""Redacts the secrets in the result of an action, in every encoding: each is replaced by `--HIDDEN--`."""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.values import as_map
from penstock.extractor.config.document import login_secrets
from penstock.foundation.redaction import Redactor

HIDDEN = "--HIDDEN--"
NO_SECRETS = ("__AUTH_METHOD", "__NAME")
"""Settings of the user interface that are not secrets, although they begin with `__`."""


def hiding_secrets_of(document: dict[str, Any]) -> Redactor:
    """Redacts values under keys with `#`, under keys with `__` in `config`, and a login in `baseUrl`."""
    config = as_map(as_map(document.get("parameters")).get("config"))
    marked = {f"#{key}": value for key, value in config.items() if key.startswith("__") and key not in NO_SECRETS}
    return Redactor.of([document, marked], HIDDEN).also(login_secrets(document))


def hide(value: Any, redactor: Redactor) -> Any:
    """The same value without secrets, also in names of members."""
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
