"""Whether page 2 is another page than page 1: it differs, has no record of page 1, and records of the same kind."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.path import look_up
from penstock.extractor.tools.discovery.probe import Sample


class Comparison(msgspec.Struct, frozen=True):
    is_next: bool
    evidence: str


def compare(first: Sample, second: Sample, key: str) -> Comparison:
    """`key` is the path of an id in each record; empty to compare whole records."""
    if second.problem:
        return Comparison(False, second.problem)
    if not second.records:
        return Comparison(False, f"{second.address} returned no records")
    if second.body == first.body or second.records == first.records:
        return Comparison(False, f"{second.address} returned the same page again")
    return _compare_records(first, second, key)


def _compare_records(first: Sample, second: Sample, key: str) -> Comparison:
    common = len(set(identities(first.records, key)) & set(identities(second.records, key)))
    if common:
        return Comparison(False, f"{second.address} repeated {common} records of page 1")
    if not _are_alike(first.records[0], second.records[0]):
        return Comparison(False, f"{second.address} returned records of another kind")
    what = f"values of `{key}`" if key else "records"
    return Comparison(
        True, f"{second.address} returned {len(second.records)} records; none of their {what} is on page 1"
    )


def identities(records: list[Any], key: str) -> list[str]:
    return [json_text(look_up(key, record) if key else record) for record in records]


def _are_alike(one: Any, other: Any) -> bool:
    """Returns whether two records share half of their keys."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return isinstance(one, dict) == isinstance(other, dict)
    keys, others = set(cast(dict[str, Any], one)), set(cast(dict[str, Any], other))
    return 2 * len(keys & others) >= min(len(keys), len(others))
