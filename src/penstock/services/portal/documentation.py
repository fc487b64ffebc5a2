"""Pages of the documentation as HTML. Markup in a page is shown as text, and links lead to http, https and mailto only.

A relative link between pages works as it is: the address of a page is its path in the documentation.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

STYLE = (
    "body{"
    "font:16px/1.6 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;color:#1c2330;background:#fff}"
    "a{color:#087f5b}pre,code{font:14px/1.5 ui-monospace,monospace;background:#f1f3f5;border-radius:4px}code{"
    "padding:.1rem .25rem}pre{padding:.75rem;overflow-x:auto}pre code{padding:0}table{"
    "border-collapse:collapse;display:block;overflow-x:auto}th,td{"
    "border:1px solid #ced4da;padding:.3rem .6rem;text-align:left;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ee}a{color:#63e6be}pre,code{"
    "background:#232b38}th,td{border-color:#3a4454}}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'none'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
    "vary": "accept",
}
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@cache
def _make_renderer() -> MarkdownIt:
    """Imported here, since most stacks start without anybody who reads."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=200)
def render_page(text: str) -> str:
    """A whole page; its first heading is its title."""
    markdown = _make_renderer()
    tokens = markdown.parse(text)
    titles = _add_anchors(tokens)
    content = markdown.renderer.render(tokens, markdown.options, {})
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(titles[0] if titles else 'Documentation')}</title>"
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><main>{content}</main></body></html>"
    )


def _add_anchors(tokens: Sequence[Token]) -> list[str]:
    """Give each heading the id that links name it by, and return the texts of the headings."""
    titles, known = list[str](), Counter[str]()
    for heading, inside in pairwise(tokens):
        if heading.type != "heading_open":
            continue
        titles.append("".join(child.content for child in inside.children or []))
        anchor = _NOT_IN_ANCHORS.sub("", titles[-1].lower()).strip().replace(" ", "-")
        heading.attrSet("id", f"{anchor}-{known[anchor]}" if known[anchor] else anchor)
        known[anchor] += 1
    return titles
