"""Small pages for browsers, which need no script and load nothing. Content that is not ours must be escaped."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from urllib.parse import urlsplit

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;padding:0 1rem;color:#1c2330;"
    "background:#fff}h1{font-size:1.4rem}label{display:block;margin:1rem 0 .25rem}input,select{width:100%;"
    "padding:.5rem;font:inherit;box-sizing:border-box;border:1px solid #6b7482;border-radius:8px}"
    "button{margin:1.25rem .5rem 0 0;"
    "padding:.5rem 1rem;font:inherit;border:1px solid #087f5b;border-radius:8px;background:#087f5b;color:#fff}"
    "button.second{background:#fff;color:#087f5b}.error{color:#a4161a}.note{color:#4b5563}"
    "a{color:#087f5b}strong,q,option{unicode-bidi:isolate}"
    "@media(prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ee}input,select{background:#1c2330;color:#e6e9ee}"
    ".note{color:#aab2bf}.error{color:#ff8a8a}a{color:#63e6be}}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
PRIVATE = {"cache-control": "no-store", "referrer-policy": "strict-origin", "x-content-type-options": "nosniff"}
"""Addresses of these pages hold codes, which neither caches nor the next page may see. With `no-referrer`, browsers
would not name the origin of a form either, and it would count as one of another site."""


def page(title: str, content: str, status: int = 200, leads_to: str = "") -> Response:
    """`leads_to` is the address of another origin that a form of the page may lead to."""
    parts = urlsplit(leads_to)
    # Browsers compare the scheme alone, if it is not one of the web.
    origin = f"//{parts.netloc}" if parts.scheme in ("http", "https") else ""
    other = f" {parts.scheme}:{origin}" if parts.scheme else ""
    policy = (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'{other}; "
        "frame-ancestors 'none'; base-uri 'none'"
    )
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{content}</main></body></html>"
    )
    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
    return Response(text, status, headers={**headers, "x-frame-options": "DENY", **PRIVATE})


def wants_page(http: HttpRequest) -> bool:
    """Whether a person looks at the response: browsers ask for HTML, programs do not."""
    return "text/html" in http.headers.get("accept", "")
