from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.records.find import DataField, find_records
from penstock.extractor.responses.large import Large, Limits, Slices, find_large
from penstock.extractor.responses.large.spans import ByteSpan
from tests.support.examples import examples
from tests.unit.extractor.responses.large.documents import FIELDS, TIGHT, damaged, spelled

pytestmark = pytest.mark.fuzz

ROOT = DataField("")
NOWHERE = DataField("no.where")
ALL_LONG = Limits(chunk=7, array=0, part=5)
Outcome = tuple[list[Any], str | None, int] | None


def small(body: bytes, field: DataField) -> Outcome:
    """Records, warning and what was dropped of a response in memory; None for an error."""
    try:
        decoded = decode(body)
        found = find_records(decoded.document, field, "rows")
    except (NotJson, UserError):
        return None
    return found.records, found.warning, decoded.dropped


def large(path: Path, body: bytes, field: DataField, limits: Limits) -> Outcome:
    path.write_bytes(body)
    try:
        found = find_large(path, field, "rows", limits=limits)
        parts = list(found.records.parts()) if isinstance(found.records, Slices) else []
        records = [record for part in parts for record in part.records] if parts else list(found.records)
    except (NotJson, UserError):
        return None
    assert len(found.records) == len(records)
    return records, found.warning, found.dropped + sum(part.dropped for part in parts)


def find(path: Path, body: bytes, field: DataField = ROOT, limits: Limits = ALL_LONG) -> Large:
    path.write_bytes(body)
    return find_large(path, field, "rows", limits=limits)


@examples(300)
@given(spelled(), FIELDS, TIGHT)
def test_the_records_are_those_of_the_same_response_in_memory(
    path: Path, body: bytes, field: DataField, limits: Limits
):
    assert large(path, body, field, limits) == small(body, field)


@examples(500)
@given(damaged(), FIELDS, TIGHT)
def test_a_damaged_response_is_mended_or_refused_as_it_is_in_memory(
    path: Path, body: bytes, field: DataField, limits: Limits
):
    assert large(path, body, field, limits) == small(body, field)


@examples(100)
@given(spelled(), TIGHT)
def test_the_document_is_that_of_the_same_response_in_memory(path: Path, body: bytes, limits: Limits):
    everything_is_long = Limits(chunk=limits.chunk, array=0, part=limits.part)
    nothing_is_long = Limits(chunk=limits.chunk, part=limits.part)

    assert find(path, body, NOWHERE, everything_is_long).document == decode(body).document
    assert find(path, body, NOWHERE, nothing_is_long).document == decode(body).document


def test_an_array_is_long_from_one_byte_above_the_limit(path: Path):
    body = b'{"short":[12345678],"long":[1,2,3,4,5]}'

    found = find(path, body, DataField("long"), Limits(array=8))

    assert found.document == {"short": [12345678], "long": [1, 2, 3, 4, 5]}
    assert [type(array) for array in found.document.values()] == [list, ByteSpan]
    assert isinstance(found.records, Slices)
    assert list(found.records) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("body", "field", "records"),
    [
        (b'{"data":[1,2],"other":[3]}', "other", [3]),
        (b'{"data":[1,2],"one":{"a":1}}', "one", [{"a": 1}]),
        (b'{"data":[1,2],"one":5}', "one", [5]),
        (b'{"data":[{"rows":[1,2]},{"rows":[3]}]}', "data.1.rows", [3]),
        (b'{"data":[{"a":1},{"a":2}]}', "data.1", [{"a": 2}]),
        (b'{"x":{"rows":[1,2],"y":{"more":[3,4]}}}', "x", [{"rows": [1, 2], "y": {"more": [3, 4]}}]),
        (b'{"data":[1],"data":[2,3]}', "data", [2, 3]),
        (b'{"data":[1,2],"data":"none"}', "data", ["none"]),
    ],
)
def test_records_that_are_no_long_array_are_found_beside_one(path: Path, body: bytes, field: str, records: list[Any]):
    assert list(find(path, body, DataField(field)).records) == records


@pytest.mark.parametrize("body", [b'{"data":[1],"other":[1,2,tru]}', b'{"data":[1],"data":[1,],"data":[2]}'])
def test_a_mistake_in_an_array_that_nobody_needs_is_one_in_the_response(path: Path, body: bytes):
    with pytest.raises(NotJson):
        find(path, body, DataField("data"))


def test_a_record_with_long_arrays_that_are_too_long_together_is_refused(path: Path):
    body = b'{"a":[1111111111],"b":{"c":[2222222222]}}'

    assert list(find(path, body, DataField("."), Limits(array=5, item=20)).records) == [decode(body).document]
    with pytest.raises(UserError, match=r"^The response of 'rows' cannot be read: one record .* Ask for smaller pages"):
        find(path, body, DataField("."), Limits(array=5, item=19))


@pytest.mark.parametrize(
    ("body", "field"),
    [(b"[   ]", "."), (b"[ \xff ]", "."), (b'{"a":[\n\n]}', "a")],
)
def test_a_long_array_of_nothing_holds_no_records(path: Path, body: bytes, field: str):
    found = find(path, body)

    assert (list(found.records), found.warning) == ([], f"dataField '{field}' contains no data!")


@pytest.mark.parametrize("body", [b'\xef\xbb\xbf["a"]', b'{"a":[1],"\\u0000":[2]}', b'[{"\\u0000a":1}]', b"[1] [2]"])
def test_what_is_refused_in_memory_is_refused_here(path: Path, body: bytes):
    with pytest.raises(NotJson):
        list(find(path, body, DataField("a") if body[:1] == b"{" else ROOT).records)


@pytest.mark.parametrize(
    "body",
    [
        b'{"a":[11,22,33,44,tru],"b":1}',
        b'{"a":[11,22,33,44,55],"b":nul}',
        b'{"a":[11,22,33,44,55],"b"',
        b'{"a":[11,22,33,44,55',
        b'{"a":[11,22,33,44,"55',
        b'{"a":[11,22,33,44,55}',
        b"[11111111,,22222222]",
        b"[,11111111,22222222]",
        b"[11111111,22222222] x",
    ],
)
def test_a_mistake_is_told_with_its_place_in_the_whole_response(path: Path, body: bytes):
    with pytest.raises(NotJson) as in_memory:
        decode(body)
    with pytest.raises(NotJson) as caught:
        list(find(path, body).records)

    assert (str(caught.value), caught.value.at) == (str(in_memory.value), in_memory.value.at)


@pytest.mark.parametrize(("body", "at"), [(b"[11111111,22222222, ]", 19), (b"[      ,11111111]", 1)])
def test_a_part_of_nothing_is_a_mistake(path: Path, body: bytes, at: int):
    with pytest.raises(NotJson, match="a value is missing next to a comma") as caught:
        list(find(path, body).records)

    assert caught.value.at == at
