"""Keeps secrets out of what an action shows, in every spelling: `--HIDDEN--` stands where one was."""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.config.document import login_secrets
from penstock.extractor.values import as_map
from penstock.foundation.redaction import Redactor

HIDDEN = "--HIDDEN--"
NO_SECRETS = ("__AUTH_METHOD", "__NAME")
"""Words of the user interface; hiding `basic` or `users` wherever they stand would only spoil the response."""


def hiding_secrets_of(document: dict[str, Any]) -> Redactor:
    """Hides what stands under keys with `#` anywhere, under keys with `__` in `config`, and a login in `baseUrl`."""
    config = as_map(as_map(document.get("parameters")).get("config"))
    marked = {f"#{key}": value for key, value in config.items() if key.startswith("__") and key not in NO_SECRETS}
    return Redactor.of([document, marked], HIDDEN).also(login_secrets(document))


def hide(value: Any, redactor: Redactor) -> Any:
    """The same value without secrets, those in names of members included."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return {redactor.clean(key): hide(member, redactor) for key, member in members}
    if isinstance(value, list):
        return [hide(item, redactor) for item in cast(list[Any], value)]
    if isinstance(value, str):
        cleaned = redactor.clean(value)
        return value if cleaned == value else cleaned  # a decimal must stay one
    return _hide_number(value, redactor)


def _hide_number(value: Any, redactor: Redactor) -> Any:
    """Only a whole number can be a secret: digits of one inside another are chance."""
    is_secret = value is not None and not isinstance(value, bool) and redactor.clean(str(value)) == HIDDEN
    return HIDDEN if is_secret else value
