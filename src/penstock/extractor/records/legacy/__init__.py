"""The legacy parser: tables as older versions of the original made them.

A run uses it if its state comes from it, or if `compatLevel` is 1, so that existing tables keep their columns.
"""

from penstock.extractor.records.legacy.parser import Legacy
from penstock.extractor.records.legacy.struct import VERSION, Report

__all__ = ["VERSION", "Legacy", "Report"]
