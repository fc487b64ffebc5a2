"""Caches the responses to GET requests on disk, for use while a configuration is developed."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map, is_empty
from penstock.foundation.files.durable import write_file

WEEK = 604_800


class CachedResponse(msgspec.Struct, frozen=True):
    """A response as it is stored."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes


class Cache:
    """A folder with a file per address, named by its hash."""

    def __init__(self, folder: Path, ttl: float) -> None:
        self._folder, self._ttl = folder, ttl

    def find(self, method: str, url: str) -> CachedResponse | None:
        path = self._path(method, url)
        if method != "GET" or not path.exists() or time.time() - path.stat().st_mtime > self._ttl:
            return None
        try:
            return msgspec.msgpack.decode(path.read_bytes(), type=CachedResponse)
        except msgspec.DecodeError:
            return None  # not ours, or incomplete: request it again and replace the file

    def store(self, method: str, url: str, response: CachedResponse) -> None:
        if method == "GET":
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_file(self._path(method, url), msgspec.msgpack.encode(response), mode=0o600)

    def _path(self, method: str, url: str) -> Path:
        return self._folder / hashlib.sha256(f"{method} {url}".encode("utf-8", "surrogateescape")).hexdigest()


def read_cache(raw: Any, folder: Path) -> Cache | None:
    """Reads `parameters.cache`: true, or a map with `ttl` in seconds."""
    if is_empty(raw):
        return None
    section = Section(as_map(raw), "parameters.cache")
    seconds = section.seconds("ttl", 0.0) if section.has("ttl") else WEEK
    if not seconds:
        raise section.wrong("ttl", "a number of seconds")
    return Cache(folder, seconds)
