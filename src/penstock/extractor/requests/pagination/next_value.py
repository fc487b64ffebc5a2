"""Finds the next value in a response: at a path of its document, or in a header."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.path import look_up
from penstock.extractor.records.page import Page


def find_value(page: Page, path: str, header: str = "", delimiter: str = ".") -> Any:
    """None if it is not there; the path is ignored if a header is named."""
    if header:
        return find_header(page, header)
    found = look_up(path, page.document, delimiter)
    return page.load(found) if page.load else found


def find_header(page: Page, name: str) -> str | None:
    wanted = name.lower()
    return next((value for key, value in page.headers.items() if key.lower() == wanted), None)
