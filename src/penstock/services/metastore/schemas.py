"""The schemas of document types, and the check of a document against its own. They are files in schemas/."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from penstock.foundation.redaction.values import holds_secrets
from penstock.services.metastore.errors import InvalidDocument, TooLarge, UnknownSchema, UnknownType
from penstock.services.metastore.models import MAX_BYTES, SCHEMA_VERSION, TYPES, Attributes

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


def check_type(name: str) -> None:
    if name not in TYPES:
        raise UnknownType(name, TYPES)


def get_schema(name: str, version: str = SCHEMA_VERSION) -> dict[str, Any]:
    check_type(name)
    if version != SCHEMA_VERSION:
        raise UnknownSchema(name, version, SCHEMA_VERSION)
    return _read_schema(name)


def check_attributes(name: str, attributes: Attributes) -> None:
    """Raises with the path of the first problem."""
    try:
        encoded, has_secrets = msgspec.json.encode(attributes), holds_secrets(attributes)
    except RecursionError as error:
        raise InvalidDocument("data", "The attributes are nested too deep.") from error
    if has_secrets:
        raise InvalidDocument("data", "A key begins with `#`, as that of a secret: documents are not encrypted.")
    if len(encoded) > MAX_BYTES:
        raise TooLarge(len(encoded), MAX_BYTES)
    if b"\\u0000" in encoded:
        raise InvalidDocument("data", "A text contains a null character, which cannot be stored.")
    for error in _validator(name).iter_errors(attributes):
        path = "".join(f".{each}" if isinstance(each, str) else f"[{each}]" for each in error.absolute_path)
        raise InvalidDocument(f"data{path}", error.message[:500])


@cache
def _read_schema(name: str) -> dict[str, Any]:
    content = resources.files("penstock.services.metastore").joinpath("schemas", f"{name}.json").read_bytes()
    return msgspec.json.decode(content)


@cache
def _validator(name: str) -> Validator:
    # Imported by the first request that writes: it takes a quarter of a second, and most stacks need none.
    from jsonschema import Draft7Validator

    return Draft7Validator(_read_schema(name))
