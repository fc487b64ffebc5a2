"""Finds the records of a response in a file, by the same rules as in a response in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.formats import Format
from penstock.extractor.records.find import DataField, find_records
from penstock.extractor.responses.large.convert import to_json
from penstock.extractor.responses.large.limits import LIMITS, Limits, TooMuch
from penstock.extractor.responses.large.scan import scan
from penstock.extractor.responses.large.slices import Explain, Slices, open_slices, read_part
from penstock.extractor.responses.large.spans import ByteSpan, Members, put_back, spans_in

_ROOT = ""


class Large(msgspec.Struct, frozen=True):
    """A large response, read."""

    document: Any
    """Long arrays in it are read from the file when an item is accessed; `spans.whole` reads all of them."""
    records: Sequence[Any]
    """Slices of the file, or a list if the records are few."""
    warning: str | None = None
    dropped: int = 0
    """How many invalid bytes and escapes were dropped, not counting those of the slices."""


class _Opened(msgspec.Struct, frozen=True):
    """A document with its long arrays put back, and these arrays."""

    document: Any
    arrays: Collection[Slices]
    dropped: int


def find_large(
    path: Path, field: DataField, endpoint: str, limits: Limits = LIMITS, explain: Explain | None = None
) -> Large:
    """Reads a file of JSON; one in another format has to be converted by `as_json` first.

    Raises NotJson for a syntax error outside the slices, which are decoded when they are read and then raise what
    `explain` returns. Raises UserError for what does not fit into memory.
    """
    try:
        return _find(path, field, endpoint, limits, explain)
    except TooMuch as error:
        raise _too_much(endpoint, error) from error


def read_document(path: Path, limits: Limits = LIMITS, explain: Explain | None = None) -> Any:
    """Returns the document of a file that `find_large` has read before."""
    return _open(path, limits, explain).document


def read_records(path: Path, part: tuple[int, int], field: DataField, endpoint: str) -> list[Any]:
    """Returns some records of a file that `find_large` has read before: those of a part, or all if they were few."""
    if any(part):
        return read_part(path, *part)
    return list(_locate(_open(path, LIMITS).document, field, endpoint, LIMITS)[0])


def as_json(path: Path, form: Format, endpoint: str, limits: Limits = LIMITS) -> None:
    """Rewrites a file of another format as JSON, in place; raises UserError."""
    try:
        to_json(path, form, limits)
    except TooMuch as error:
        raise _too_much(endpoint, error) from error


def _too_much(endpoint: str, error: TooMuch) -> UserError:
    return UserError(f"The response of '{endpoint}' cannot be read: {error} Ask for smaller pages.")


def _find(path: Path, field: DataField, endpoint: str, limits: Limits, explain: Explain | None) -> Large:
    opened = _open(path, limits, explain)
    records, warning = _locate(opened.document, field, endpoint, limits)
    dropped = opened.dropped + _check_others(opened.arrays, records)
    return Large(opened.document, records, warning, dropped)


def _open(path: Path, limits: Limits, explain: Explain | None = None) -> _Opened:
    skeleton = scan(path, limits)
    decoded = skeleton.decode()
    root: Members = {_ROOT: decoded.document}
    arrays = {hole.mark: open_slices(path, hole.spans, explain) for hole in skeleton.holes}
    put_back(root, arrays)
    return _Opened(root[_ROOT], arrays.values(), decoded.dropped)


def _locate(document: Any, field: DataField, endpoint: str, limits: Limits) -> tuple[Sequence[Any], str | None]:
    """Returns the records, and a warning if there are none."""
    located = find_records(document, field, endpoint)
    if isinstance(located.records, ByteSpan):
        return located.records.slices, located.warning
    _complete(located.records, limits)
    return located.records, located.warning


def _complete(records: list[Any], limits: Limits) -> None:
    """Reads the long arrays of a single record into memory, up to the limit."""
    if len(records) != 1 or not isinstance(records[0], dict):
        return
    places = spans_in(cast(Members, records[0]))
    if sum(span.slices.size for _holder, _key, span in places) > limits.item:
        raise TooMuch(f"one record of it is larger than {limits.item:,} bytes.")
    for holder, key, span in places:
        holder[key] = list(span.slices)


def _check_others(arrays: Collection[Slices], records: Sequence[Any]) -> int:
    """Arrays that are not the records are decoded only to be checked: a syntax error in one is an error of the
    response."""
    others = [slices for slices in arrays if slices is not records]
    return sum(part.dropped for slices in others for part in slices.parts())
