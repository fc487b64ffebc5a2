"""The legacy parser: it learns the types of all pages first, and writes all pages then."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import is_list
from penstock.extractor.records.layout import Emit
from penstock.extractor.records.legacy.analysis import Analysis
from penstock.extractor.records.legacy.layout import LegacyColumns
from penstock.extractor.records.legacy.names import TableNames
from penstock.extractor.records.legacy.struct import Report, Struct
from penstock.extractor.records.legacy.writer import Writer
from penstock.extractor.records.serialized import ConfigMap


class Legacy:
    """Tables as they were made before version 3 of the state's struct."""

    def __init__(self, struct: Any, report: Report, reserved: Collection[str] = ()) -> None:
        """`struct` is that of the state; raises UserError if it is malformed. `reserved` are names of other tables."""
        self._struct, self._report = Struct(struct), report
        self._names = TableNames(self._struct, reserved)
        self._analysis, self._places = Analysis(self._struct, report), LegacyColumns(self._struct, self._names)
        report.debug("Using automatic conversion of single values to arrays where required.")

    def learn(self, data_type: str, records: list[Any]) -> bool:
        """Returns False if there is nothing to write later; an empty page of a known table still creates its file."""
        if records in ([], [None]) and not self._struct.columns(data_type):
            self._report.debug(f"No data returned in '{data_type}'")
            return False
        if not self._analysis.counts.get(data_type):
            seen: Any = dict(self._analysis.counts) or []
            self._report.debug(f"Analyzing {data_type}", rowsAnalyzed=seen, rowsToAnalyze=len(records))
        self._analysis.learn(data_type, records)
        self._names.add_root(data_type)
        return True

    def write(self, data_type: str, records: list[Any], extra: Mapping[str, Any], emit: Emit) -> None:
        """Call it when all pages are learnt, in their order; `extra` are extra columns of every row."""
        values = {key: _extra_value(key, value) for key, value in extra.items()}
        Writer(self._places, self._analysis, self._report).write(data_type, records, values, emit)

    def struct(self) -> dict[str, Any] | list[Any]:
        """Returns the struct for the state; call it before the first page is written, because writing may change it."""
        return self._struct.dump()


def _extra_value(key: str, value: Any) -> Any:
    if is_list(value):
        raise UserError(
            "Error assigning parentId to a CSV file! $parentId array cannot be multidimensional. "
            f"Set `{key}` in `userData` to a text or a number."
        )
    return _config_value(value)


def _config_value(value: Any) -> Any:
    """Marks the maps, because row ids distinguish maps of a configuration from objects of a response."""
    if isinstance(value, list):
        return [_config_value(item) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        return ConfigMap({key: _config_value(item) for key, item in cast(dict[str, Any], value).items()})
    return value
