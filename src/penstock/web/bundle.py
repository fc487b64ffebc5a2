"""The pages that `console/build.py` has made, of the console and of the portal: files in the package, each next to its
compressed form."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.errors import NotFound
from penstock.web.streaming import on_disk
from penstock.web.unread import PublicResponse

BUNDLE = Path(__file__).parents[1] / "services/console/bundle"
FAILURE = BUNDLE.with_suffix(".failed")
BASE = '<base href="/admin/">'
FOREVER = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
"""The name of an asset changes with its content. Each is kept compressed and not, for those who take it so."""


class AssetNotFound(NotFound):
    def __init__(self, path: str) -> None:
        super().__init__(f'The console has no file "{path}". It may have been built again: reload the page.')


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


async def serve_asset(path: str, http: HttpRequest) -> Response:
    """`path` begins with `assets/`. Raises AssetNotFound."""
    asset = await on_disk(read_asset, path, "gzip" in http.headers.get("accept-encoding", ""))
    if not asset:
        raise AssetNotFound(path)
    return PublicResponse(asset.content, headers={"content-type": asset.media_type, **asset.encoding, **FOREVER})


def read_page(name: str, base: str) -> str | None:
    """`index` is the console, `portal` the portal; None while they are not built. `base` is where the page is, since
    its links are relative."""
    file = BUNDLE / f"{name}.html"
    page = file.read_text(encoding="utf-8") if file.is_file() else None
    return page.replace(BASE, f'<base href="{escape(base)}">') if page else None


def read_failure() -> str | None:
    """Why the last build failed, if it did."""
    return FAILURE.read_text(encoding="utf-8", errors="replace") if FAILURE.is_file() else None


def page_headers(urls: Iterable[str]) -> dict[str, str]:
    """Scripts come from this address only, and the page calls the services at these addresses only.

    Styles may be inline: the components of the page set variables in them."""
    origins = {_origin(url) for url in urls}
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"connect-src 'self' {' '.join(sorted(origins))}; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
    )
    return {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cache-control": "no-cache",
    }


def _origin(url: str) -> str:
    address = urlsplit(url)
    return f"{address.scheme}://{address.netloc}"
