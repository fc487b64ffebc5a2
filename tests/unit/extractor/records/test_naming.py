"""Names of columns and tables: that those of one data type are given again must not cost what all of them cost."""

from __future__ import annotations

from penstock.extractor.records.names import column_name
from tests.unit.extractor.results.writing import Rows, flattened


def columns_named(types: int) -> int:
    """How many columns are named while three pages of each data type each bring a new one."""
    pages = [{f"c{index}": index for index in range(10 + page)} for page in range(3)]
    batches: list[Rows] = [(f"type{number}", [page], {}) for page in pages for number in range(types)]
    before = column_name.cache_info()
    flattened(batches)
    after = column_name.cache_info()
    return after.hits + after.misses - before.hits - before.misses


def test_naming_costs_twice_as_much_for_twice_as_many_data_types():
    assert columns_named(20) == 2 * columns_named(10)
