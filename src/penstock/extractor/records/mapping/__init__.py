"""Mappings: records become the tables and columns that the configuration defines, instead of those of their structure.

`reading.py` reads a TableMapping from the configuration, and reports its errors before any request; `mapper.py` writes
pages according to it.
"""

from __future__ import annotations

from penstock.extractor.records.mapping.mapper import Mapper
from penstock.extractor.records.mapping.reading import check_mappings
from penstock.extractor.records.mapping.table import TableMapping, missing_tables

__all__ = ["Mapper", "TableMapping", "check_mappings", "missing_tables"]
