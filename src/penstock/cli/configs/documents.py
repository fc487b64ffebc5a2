"""Documents of configurations from files: JSON or YAML, checked before they are sent."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.cli.configs import GENERIC
from penstock.cli.output import print_error
from penstock.foundation.errors import Invalid, NotFound
from penstock.foundation.text.configurations import with_parameters

YAML = (".yaml", ".yml")


def read_document(name: str) -> dict[str, Any]:
    """The document in a file."""
    return parse_document(_read(name), name)


def read_object(name: str) -> dict[str, Any]:
    return _parse(_read(name), name)


def parse_document(text: bytes, name: str) -> dict[str, Any]:
    """One that holds only the parameters of the extractor is put below `parameters`."""
    return with_parameters(_parse(text, name))


def check_document(component: str, document: dict[str, Any]) -> None:
    """Raises Invalid if the component would refuse it. Only the extractor can tell without running it."""
    from penstock.extractor.base.errors import UserError
    from penstock.extractor.base.values import as_map
    from penstock.extractor.config.effective import read_configs
    from penstock.extractor.config.full_loads import lint

    # Variables get their values when the job runs, and the account of OAuth its token.
    is_complete = b"{{" not in msgspec.json.encode(document) and "authorization" not in document
    if component != GENERIC or not is_complete or "parameters" not in document:
        return
    try:
        lint(as_map(document["parameters"]), _warn)
        read_configs(document, Path("cache"), _warn)
    except UserError as error:
        raise Invalid(f"The configuration is not valid: {error}") from error


def _warn(message: str, **_facts: Any) -> None:
    print_error(f"warning: {message}")


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError:
        raise NotFound(f"There is no file {name}.") from None


def _parse(text: bytes, name: str) -> dict[str, Any]:
    values = _parse_yaml(text, name) if Path(name).suffix.lower() in YAML else _parse_json(text, name)
    if not isinstance(values, dict):
        raise Invalid(f"{name} does not hold an object, such as {{}}.")
    return cast(dict[str, Any], values)


def _parse_json(text: bytes, name: str) -> Any:
    import json

    try:
        return json.loads(text)
    except UnicodeDecodeError as error:
        raise Invalid(f"{name} is not valid JSON: it is not UTF-8.") from error
    except json.JSONDecodeError as error:
        raise Invalid(f"{name} is not valid JSON: {error.msg}, line {error.lineno}, column {error.colno}.") from error


def _parse_yaml(text: bytes, name: str) -> Any:
    from penstock.foundation.text.yaml_loader import read_yaml

    try:
        return read_yaml(text)
    except ValueError as error:
        raise Invalid(f"{name} is not valid YAML: {error}") from error
