"""Imports aiohttp without loading the certificates of this machine.

aiohttp loads all of them when it is imported, which takes a tenth of a short run. The gate loads its own on first use
of TLS, so they are not needed. Modules of this package import aiohttp from here.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager

_PLACES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@contextmanager
def _nowhere() -> Generator[None]:
    before = {name: os.environ.get(name) for name in _PLACES}
    os.environ.update(dict.fromkeys(_PLACES, os.devnull))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


with _nowhere():
    import aiohttp

__all__ = ["aiohttp"]
