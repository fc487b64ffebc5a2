"""The built console: files in the package, each beside its compressed form."""

from __future__ import annotations

import mimetypes
from pathlib import Path

import msgspec

BUNDLE = Path(__file__).parent / "bundle"
FAILURE = BUNDLE.with_suffix(".failed")


class Asset(msgspec.Struct, frozen=True):
    content: bytes
    media_type: str
    is_compressed: bool = False

    @property
    def encoding(self) -> dict[str, str]:
        return {"content-encoding": "gzip"} if self.is_compressed else {}


def read_asset(path: str, takes_gzip: bool) -> Asset | None:
    try:
        file = (BUNDLE / path).resolve()
        if not file.is_relative_to(BUNDLE / "assets") or not file.is_file():
            return None
    except (ValueError, OSError):  # a name with a null character, or too long for a file
        return None
    compressed = Path(f"{file}.gz")
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if takes_gzip and compressed.is_file():
        return Asset(compressed.read_bytes(), media_type, is_compressed=True)
    return Asset(file.read_bytes(), media_type)


def read_index() -> str | None:
    """The page of the console; None while it is not built."""
    file = BUNDLE / "index.html"
    return file.read_text(encoding="utf-8") if file.is_file() else None


def read_failure() -> str | None:
    """Why the last build failed, if it did."""
    return FAILURE.read_text(encoding="utf-8", errors="replace") if FAILURE.is_file() else None
