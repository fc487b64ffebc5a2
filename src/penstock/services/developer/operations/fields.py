"""Fields of an app: who may change which, and that no secret is among them in plain text."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.secrets import is_cipher, walk
from penstock.services.developer.errors import AdminsOnly, PlainSecret
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import ADMIN_FIELDS, AppChange, Document

_ADMIN_NAMES = [field.encode_name for field in msgspec.structs.fields(AppChange) if field.name in ADMIN_FIELDS]


def check_fields(account: Account, before: Document, after: Document) -> None:
    """Raises if the account may not make this change."""
    changed = [name for name in _ADMIN_NAMES if before.get(name) != after.get(name)]
    if changed and not account.is_admin:
        raise AdminsOnly(changed)


def check_secrets(fields: Document) -> None:
    """Raises for a value under a key with `#`, unless it is encrypted or empty."""

    def check(value: Any, path: str) -> Any:
        if value not in ("", None) and not (isinstance(value, str) and is_cipher(value)):
            raise PlainSecret(path)
        return value

    walk(fields, check)


def merge_fields(account: Account, before: Document, tag: str, change: AppChange) -> tuple[Document, str]:
    """The fields and the tag after a change."""
    given: Document = msgspec.to_builtins(change)
    named = [name for name in _ADMIN_NAMES if name in given]
    if named and not account.is_admin:
        raise AdminsOnly(named)
    given.pop("id", None)
    repository: Document = given.pop("repository", {})
    before_tag, tag = tag, repository.pop("tag", tag)
    place = _merge_places(before.get("repository", {}), repository, is_moved=tag != before_tag)
    check_secrets(given | repository)
    return {**before, **given, **({"repository": place} if place else {})}, tag


def _merge_places(before: Document, document: Document, *, is_moved: bool) -> Document:
    """Merge where the program is. A digest belongs to the address and the tag that it was given with."""
    is_moved = is_moved or document.get("uri", before.get("uri")) != before.get("uri")
    kept = {name: value for name, value in before.items() if name != "digest" or not is_moved}
    return {**kept, **document}
