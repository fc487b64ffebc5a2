"""Mappings: records into the tables and columns that the configuration draws, instead of those the records suggest.

`reading.py` makes a TableMapping of the configuration and finds its mistakes before any request; `mapper.py` writes
pages by it.
"""

from __future__ import annotations

from penstock.extractor.records.mapping.mapper import Mapper
from penstock.extractor.records.mapping.reading import check_mappings
from penstock.extractor.records.mapping.table import TableMapping, missing_tables

__all__ = ["Mapper", "TableMapping", "check_mappings", "missing_tables"]
