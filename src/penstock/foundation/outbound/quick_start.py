"""Imports aiohttp without the certificates of this machine.

aiohttp reads all of them while it is imported, which takes a tenth of a short run. Our gate brings its own, read when
TLS is first spoken, so nobody misses them. Whoever of this package is imported first takes aiohttp from here.
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
