"""Pagination: how the requests for successive pages are built, and when they stop; one file per method."""

from __future__ import annotations

from typing import get_args

from penstock.extractor.pagination.cursor import Cursor
from penstock.extractor.pagination.method import Method, OnePage, Step
from penstock.extractor.pagination.offset import Offset

Pagination = Offset | Cursor
KNOWN: tuple[str, ...] = tuple(str(method.__struct_config__.tag) for method in get_args(Pagination))

__all__ = ["KNOWN", "Cursor", "Method", "Offset", "OnePage", "Pagination", "Step"]
