"""Reading a good configuration with changes: what the tests of this folder share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.config.jobs import Job

UNSET = object()
FOLDER = Path("cache")


def read_all(changes: dict[str, Any] | None = None, warnings: list[str] | None = None) -> list[Config]:
    """One configuration per iteration. Changes are named by their path; UNSET removes a key."""
    document: dict[str, Any] = {
        "parameters": {
            "api": {"baseUrl": "https://api.example.com/v1/"},
            "config": {"outputBucket": "b", "jobs": [{"endpoint": "users"}]},
        }
    }
    for path, value in (changes or {}).items():
        change(document, path.split("."), value)
    return read_configs(document, FOLDER, (warnings if warnings is not None else []).append)


def read(changes: dict[str, Any] | None = None, warnings: list[str] | None = None) -> Config:
    (config,) = read_all(changes, warnings)
    return config


def read_job(job: dict[str, Any], level: int = 3) -> Job:
    """The only job of a configuration; it needs no endpoint of its own."""
    changes = {"parameters.config.jobs": [{"endpoint": "users", **job}], "parameters.config.compatLevel": level}
    return read(changes).jobs[0]


def complaint(changes: dict[str, Any]) -> str:
    """What the user reads about a configuration that is wrong."""
    with pytest.raises(UserError) as caught:
        read_all(changes)
    return str(caught.value)


def change(document: Any, keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        document = document[int(key)] if isinstance(document, list) else document.setdefault(key, {})
    last: Any = int(keys[-1]) if isinstance(document, list) else keys[-1]
    if value is UNSET:
        del document[last]
    else:
        document[last] = value
