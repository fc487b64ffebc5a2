"""Finds the records in a response: at `dataField`, or in the only array at its root."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import is_empty_value


class DataField(msgspec.Struct, frozen=True):
    """The path of the records; empty for the only array at the root."""

    path: str
    delimiter: str = "."


class Found(msgspec.Struct, frozen=True):
    records: list[Any]
    warning: str | None = None


def find_records(document: Any, field: DataField, endpoint: str) -> Found:
    if field.path not in ("", "0"):
        return _at(field, document)
    if isinstance(document, list):
        return _as_records(cast(list[Any], document), field.delimiter)
    if isinstance(document, dict):
        return _only_array(cast(dict[str, Any], document), endpoint)
    raise UserError(
        f"Unknown response from API. The response of '{endpoint}' is neither an object nor an array, so it holds no "
        "records. Check the endpoint."
    )


def _at(field: DataField, document: Any) -> Found:
    if field.path == field.delimiter and isinstance(document, list):  # the whole response
        return _as_records(cast(list[Any], document), field.path)
    return _as_records(look_up(field.path, document, field.delimiter), field.path)


def _as_records(value: Any, path: str) -> Found:
    if is_empty_value(value):
        return Found([], f"dataField '{path}' contains no data!")
    return Found(cast(list[Any], value) if isinstance(value, list) else [value])


def _only_array(document: dict[str, Any], endpoint: str) -> Found:
    arrays = [key for key, value in document.items() if isinstance(value, list)]
    if not arrays:
        return Found([], f"No data array found in response! (endpoint: {endpoint})")
    if len(arrays) > 1:
        raise UserError(
            "More than one array found in response! Use 'dataField' parameter to specify a key to the data array. "
            f"(endpoint: {endpoint}, arrays in response root: {', '.join(arrays)})"
        )
    return _as_records(document[arrays[0]], arrays[0])
