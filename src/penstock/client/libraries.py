"""Libraries that only some calls need: imported by these, and named with their installation if they are missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from penstock.client.errors import ClientError


class LibraryMissing(ClientError):
    status = 501

    def __init__(self, name: str) -> None:
        package = name.partition(".")[0]
        super().__init__(
            f"This needs the package {package}, which is not installed: pip install 'penstock[notebook]', "
            f"or pip install {package}."
        )


def load_library(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name and name.startswith(error.name):
            raise LibraryMissing(name) from None
        raise
