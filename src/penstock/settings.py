"""Reads the settings. A flag wins over `PENSTOCK_…`, which wins over `penstock.toml` in the current folder."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Invalid
from penstock.foundation.settings import DEFAULT_PORT, HTTPS_PORT, Settings

__all__ = ["DEFAULT_PORT", "FILE", "HTTPS_PORT", "Settings", "read_settings"]

FILE = "penstock.toml"
_LISTS = (
    "allow_hosts",
    "allowed_origins",
    "developer_sign_up_domains",
    "login_redirects",
    "oidc_second_factor",
    "trusted_proxies",
)
_TLS_FLAGS = {"https_port", "tls_cert", "tls_key"}
"""Whoever types one of these wants TLS; in a file they may be prepared before it is switched on."""


def read_settings(flags: dict[str, Any] | None = None, folder: Path | None = None) -> Settings:
    """Read the settings from all their sources; flags that were not given are None."""
    set_flags = {name: value for name, value in (flags or {}).items() if value is not None and value != []}
    if set_flags.keys() & _TLS_FLAGS:
        set_flags.setdefault("https", True)
    merged = {**_from_file((folder or Path.cwd()) / FILE), **_from_environment(), **set_flags}
    try:
        return msgspec.convert(merged, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise Invalid(f"A setting is wrong: {explain_error(error)} See penstock up --help and {FILE}.") from error


def _from_file(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise Invalid(f"{path} cannot be read: {error}") from error


def _from_environment() -> dict[str, Any]:
    names = [name for name in Settings.__struct_fields__ if name != "stacks"]
    variables = {name: os.environ.get(f"PENSTOCK_{name.upper()}") for name in names}
    return {name: _split(name, text) for name, text in variables.items() if text}


def _split(name: str, text: str) -> Any:
    if name == "prices":
        return _read_json(text)
    return [item.strip() for item in text.split(",") if item.strip()] if name in _LISTS else text


def _read_json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise Invalid(f'PENSTOCK_PRICES is not JSON like {{"extractor_hour": 2}}: {error}') from error
