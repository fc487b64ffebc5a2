"""Records that contradict those before them: the error says which page, which record and which value."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from tests.support.api import Api, Response
from tests.support.extraction import parameters, try_extraction
from tests.unit.extractor.results.writing import users

WAYS = 'choose the columns yourself with `mappings`, or set such records aside with `"badRows": "reject"` in `proof`.'
GOOD = {"id": 1, "address": {"city": "Brno"}}


def complaint(*pages: list[Any]) -> str:
    with pytest.raises(UserError) as caught:
        users(*pages)
    return str(caught.value)


@pytest.mark.parametrize(("value", "shown"), [("", '""'), (False, "false"), (0, "0"), ("n/a", '"n\\/a"')])
def test_a_single_value_where_others_hold_an_object_is_told_with_its_record(value: Any, shown: str):
    assert complaint([GOOD, {"id": 17, "address": value}]) == (
        'Error parsing response JSON: Unhandled nodeType change from "object" to "scalar" in "users.[].address". '
        f"Record 2 (id 17) on page 1 of 'users' holds {shown}, where an object was found before. "
        f'Keep such values as JSON text with `"responseFilter": "address"`, {WAYS}'
    )


def test_it_is_the_first_record_of_the_other_kind_that_is_told():
    assert "Record 3 on page" in complaint([{"a": None}, {"a": 1}, {"a": {"b": 1}}, {"a": {"b": 2}}])
    assert "Record 1 on page" in complaint([{"a": 1}], [{"a": {}}, {"a": 2}])


@pytest.mark.parametrize(
    ("records", "place", "setting"),
    [
        (
            [{"a": {"b": {"c": 1}}}, {"a": {"b": 2}}],
            "Record 2 on page 1 of 'users' holds 2,",
            '"responseFilter": "a.b"',
        ),
        ([{"a": [{"b": {}}]}, {"a": [{}, {"b": 5}]}], "Record 2 on page 1 of 'users' holds 5,", '"a[].b"'),
        (
            [{"a": [1]}, {"a": [2, {"b": 1}]}],
            "Record 2 on page 1 of 'users' holds {\"b\":1},",
            '"responseFilter": "a"`',
        ),
        ([{"a": [{"b": 1}]}, {"a": 7}], "Record 2 on page 1 of 'users' holds 7,", '"responseFilter": "a"`'),
        ([{"a": {"b": 1}}, {"a": [7]}], "Record 2 on page 1 of 'users' holds 7,", '"responseFilter": "a"`'),
        ([{"a": [{}]}, {"a": [[1]]}], "Record 2 on page 1 of 'users' holds [1],", '"responseFilter": "a"`'),
        ([{"a.b": {}}, {"a.b": 1}], "holds 1,", '"responseFilter": "a.b"` and `"responseFilterDelimiter": "\\/"`'),
        ([{"a": 1}, 2], "Record 2 on page 1 of 'users' holds 2, where an object was found before.", "`dataField`"),
    ],
)
def test_the_value_is_found_wherever_it_stands(records: list[Any], place: str, setting: str):
    told = complaint(records)

    assert place in told
    assert setting.replace("\\/", "/") in told


def test_a_data_field_that_was_right_on_the_first_page_is_not_suspected():
    with Api() as api, TemporaryDirectory() as folder:
        api.on_everything(numbered([[{"a": 1}], [2], []]))
        error = extraction(api, Path(folder))

    assert "Record 1 on page 2 of 'users' holds 2, where an object was found before. Choose the columns" in error
    assert "dataField" not in error


def test_long_values_are_shortened_and_any_id_will_do():
    told = complaint([{"_id": "x1", "a": 1}, {"_id": "x2", "a": {"b": "y" * 1000}}])

    assert 'Record 2 (_id "x2") on' in told
    assert "y" * 100 in told
    assert "y" * 300 not in told


def numbered(pages: list[list[Any]]) -> Any:
    return lambda seen: Response.json(pages[int(seen.params["page"]) - 1])


def extraction(api: Api, out: Path, **config: Any) -> str:
    document = parameters(api.url, {"endpoint": "users"}, pagination={"method": "pagenum"})
    document["config"] |= config
    return try_extraction(document, out).error or ""


@pytest.mark.parametrize("level", [1, 3])
def test_a_run_tells_the_number_of_the_page(tmp_path: Path, level: int):
    good = [{"id": number, "address": {"city": "x"}} for number in range(4)]
    with Api() as api:
        api.on_everything(numbered([good[:2], good[2:], [{"id": 8, "address": ""}], []]))
        error = extraction(api, tmp_path, compatLevel=level)

    assert "Record 1 (id 8) on page 3 of 'users' holds \"\", where an object was found before." in error
    assert "JSON text with `" in error
    assert "responseFilter" in error
    assert "`mappings`" in error
    assert ("badRows" in error) == (level == 3)


def test_records_of_a_large_page_are_counted_from_its_beginning(tmp_path: Path):
    text = "x" * 100_000
    records = [{"id": number, "text": text, "a": {"b": 1} if number < 48 else number} for number in range(50)]
    with Api() as api:
        api.on_everything(lambda seen: Response.json(records))
        error = extraction(api, tmp_path)

    assert "Record 49 (id 48) on page 1 of 'users' holds 48, where an object was found before." in error


def test_a_run_tells_the_endpoint_of_a_child_job_with_its_placeholders_filled(tmp_path: Path):
    child = {"endpoint": "users/{id}/o", "placeholders": {"id": "id"}, "dataType": "o"}
    pages = {"/users": [{"id": 1}, {"id": 22}], "/users/1/o": [{"a": {"b": 1}}], "/users/22/o": [{"a": 5}]}
    with Api() as api:
        api.on_everything(lambda seen: Response.json(pages[seen.path]))
        document = parameters(api.url, {"endpoint": "users", "children": [child]})
        error = try_extraction(document, tmp_path).error or ""

    assert "Record 1 on page 1 of 'users/22/o' holds 5," in error
