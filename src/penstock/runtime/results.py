"""What a component reports in addition to tables and files: its usage, and values for later tasks of a flow."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import to_text
from penstock.runtime.written import BadOutput, read_json

USAGE_BYTES = RESULT_BYTES = 1_000_000
REPORT_BYTES = 100_000_000
MAX_WARNINGS, MAX_WARNING_LENGTH = 100, 2_000
SCALARS = (str, int, float, bool, type(None))


class Metric(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    metric: str
    value: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | float


class Variables(msgspec.Struct, frozen=True):
    values: dict[str, str] = {}
    warning: str = ""
    """Why there are none, if something is wrong with them."""


def read_usage(folder: DataFolder) -> list[Metric]:
    """Read `out/usage.json`; also of a run that failed. Another shape fails the run."""
    file = folder.path / "out" / "usage.json"
    if not file.is_symlink() and not file.exists():
        return []
    return read_json(file, list[Metric], USAGE_BYTES, "The component left a usage.json that cannot be used")


def read_variables(folder: DataFolder) -> Variables:
    """Read `out/result.json`. What cannot be read is only worth a warning."""
    file = folder.path / "out" / "result.json"
    if not file.is_symlink() and not file.exists():
        return Variables()
    try:
        content = read_json(file, dict[str, Any], RESULT_BYTES, "The component left a result.json that cannot be read")
        return Variables(values=_read_values(content))
    except BadOutput as error:
        return Variables(warning=error.message)


class _Report(msgspec.Struct, frozen=True):
    """The part of a report that the platform reads."""

    warnings: list[str] = []


def read_warnings(folder: DataFolder) -> list[str]:
    """Read `warnings` in `out/report.json`, which a component need not write. One in another shape has none."""
    file = folder.path / "out" / "report.json"
    if not file.is_symlink() and not file.exists():
        return []
    try:
        report = read_json(file, _Report, REPORT_BYTES, "")
    except BadOutput:
        return []
    return [warning[:MAX_WARNING_LENGTH] for warning in report.warnings[:MAX_WARNINGS]]


def _read_values(content: dict[str, Any]) -> dict[str, str]:
    try:
        values = msgspec.convert(content.get("variables") or {}, dict[str, Any])
    except msgspec.ValidationError as error:
        raise BadOutput(f"The variables in result.json are not an object. {explain_error(error)}") from error
    for name, value in values.items():
        if not isinstance(value, SCALARS):
            raise BadOutput(f'The variable "{name[:200]}" in result.json is neither a text nor a number.')
    return {name: to_text(value) for name, value in values.items()}
