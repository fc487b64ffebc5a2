"""The message about a record whose types contradict earlier records: where it is, its value, and how to fix it."""

from __future__ import annotations

from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.records.conflict import ConflictingRecord, TypeConflict
from penstock.extractor.results.spool import Batch
from penstock.foundation.redaction import Redactor

SHOWN = 200
"""How much of a value is shown."""
ID_KEYS = ("id", "_id", "ID", "Id", "uuid")
DELIMITERS = "./|>~"
_WORDS = {"object": "an object", "scalar": "a single value"}


def located(error: TypeConflict, batch: Batch, redactor: Redactor, *, can_reject: bool) -> UserError:
    """Returns the error with the location of the record; `can_reject` if such records can be set aside."""
    record = error.find(batch.records)
    where = _where(error, record, batch, redactor) if record else ""
    return advised(error, where, can_reject=can_reject, is_first_page=batch.number == 1)


def advised(error: TypeConflict, where: str = "", *, can_reject: bool, is_first_page: bool = True) -> UserError:
    advice = _advice(error, can_reject=can_reject, is_first_page=is_first_page)
    return UserError(" ".join(filter(None, [str(error), where, advice])))


def _where(error: TypeConflict, record: ConflictingRecord, batch: Batch, redactor: Redactor) -> str:
    def rendered(value: Any) -> str:
        return redactor.clean_start(json_text(value).encode(), SHOWN)

    number, endpoint = batch.first + record.index + 1, batch.endpoint or batch.source.endpoint
    name = "".join(f" ({key} {rendered(value)})" for key, value in _id_of(record.record).items())
    earlier = _WORDS.get(error.earlier, f"'{error.earlier}'")
    where = f"on page {batch.number} of '{endpoint}'"
    return f"Record {number}{name} {where} holds {rendered(record.value)}, where {earlier} was found before."


def _id_of(record: Any) -> dict[str, Any]:
    members = cast(dict[str, Any], record) if isinstance(record, dict) else {}
    ids = {key: members[key] for key in ID_KEYS if isinstance(members.get(key), (str, int))}
    return dict(list(ids.items())[:1])


def _advice(error: TypeConflict, *, can_reject: bool, is_first_page: bool) -> str:
    """`dataField` is suspected only if already the first page has records of two kinds."""
    ways = ["choose the columns yourself with `mappings`"]
    if error.steps != ():
        ways.insert(0, f"keep such values as JSON text with {_filter_setting(error.steps)}")
    elif is_first_page:
        ways.insert(0, "name the right array in `dataField`")
    ways += ['set such records aside with `"badRows": "reject"` in `proof`'] if can_reject else []
    text = f"{', '.join(ways[:-1])}, or {ways[-1]}." if len(ways) > 1 else f"{ways[0]}."
    return text[0].upper() + text[1:]


def _filter_setting(steps: tuple[str, ...] | None) -> str:
    delimiter = next((sign for sign in DELIMITERS if not any(sign in step for step in steps or ())), None)
    if steps is None or delimiter is None:
        return "`responseFilter`"
    setting = f'`"responseFilter": {json_text(delimiter.join(steps))}`'
    return setting if delimiter == "." else f'{setting} and `"responseFilterDelimiter": "{delimiter}"`'
