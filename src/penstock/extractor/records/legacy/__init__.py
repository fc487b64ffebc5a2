"""The legacy parser: tables as the extractor made them before its names and types were reworked.

A run uses it when its state comes from it, or when `compatLevel` is 1: tables that exist keep their columns.
"""

from penstock.extractor.records.legacy.parser import Legacy
from penstock.extractor.records.legacy.report import Report
from penstock.extractor.records.legacy.struct import VERSION

__all__ = ["VERSION", "Legacy", "Report"]
