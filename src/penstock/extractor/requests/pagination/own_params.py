"""Page size and offset among the parameters of a job, which take precedence over the settings of the method."""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.errors import WrongParam
from penstock.extractor.base.http import Request
from penstock.extractor.base.integers import exact_integer, integer_part
from penstock.extractor.base.section import describe
from penstock.extractor.base.values import is_empty


def own_limit(job: Request, name: str, within: str) -> int | None:
    """Returns the page size in the parameters of the job; None if there is none."""
    value: Any = job.params_within(within).get(name)
    if is_empty(value):
        return None
    size = integer_part(value)
    if size is None or size < 1:
        raise _wrong(name, within, 1, value)
    return size


def own_offset(job: Request, name: str, within: str) -> int | str:
    """Returns the offset in the parameters of the job, a text if it is one there, because it is sent as such; otherwise
    0."""
    value: Any = job.params_within(within).get(name)
    if is_empty(value):
        return 0
    number = exact_integer(value)
    if number is None or number < 0:
        raise _wrong(name, within, 0, value)
    return value if type(value) is str else number


def suspect_size(size: int | None, last: int, param: str) -> str:
    """Returns the advice for a page that was shorter than the page size, or had no records at all."""
    if size is None or last >= size:
        return ""
    if not last:
        return f"Check the page size, {size} in `{param}`: page by page, the API may return fewer."
    return (
        f"The last page had {last} records although `{param}` asked for {size}: the API probably allows no more on a "
        f"page. Set `pagination.limit` to {last}."
    )


def _wrong(name: str, within: str, least: int, value: Any) -> WrongParam:
    return WrongParam(f"{within}.{name}" if within else name, f"a whole number of at least {least}", describe(value))
