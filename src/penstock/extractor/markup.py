"""A hint for responses that are HTML or XML instead of JSON."""

from __future__ import annotations

import re

LOOKED_AT = 1024
_FIRST_NAME = rb"<([a-z][a-z0-9:._-]*)"
_OF_WEB_PAGES = frozenset(
    b"a b body br center div font form h1 h2 h3 head html i img link meta p pre script span style table title".split()
)
WEB_PAGE = " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login."
XML = " It is XML: ask the API for JSON, for example with the header `Accept: application/json`."


def markup_hint(body: bytes) -> str:
    """What to do about a body that is not JSON; empty if it is not markup."""
    start = body[:LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not start.startswith(b"<"):
        return ""
    return WEB_PAGE if _is_web_page(start) else XML


def _is_web_page(start: bytes) -> bool:
    """XHTML begins like XML, and error pages often lack `<html>`."""
    if b"<!doctype html" in start or b"<html" in start:
        return True
    first = re.search(_FIRST_NAME, start)
    return first is not None and first[1] in _OF_WEB_PAGES and not start.startswith(b"<?xml")
