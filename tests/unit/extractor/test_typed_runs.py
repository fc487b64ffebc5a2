"""`"types": "infer"`: tables with types, whose values are those of the API, digit for digit."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, try_extraction

FIRST = [
    {"id": 1, "price": 10, "on": False, "note": "", "day": "2026-02-28", "tags": ["a", None], "in": {"x": True}},
    {"id": 2, "price": None, "on": None, "note": None, "day": None, "tags": [], "in": None},
]
SECOND = [
    {"id": 3, "price": 0.25, "on": True, "note": 'a "b"\n', "day": "2026-03-01", "tags": None, "in": {"x": False}}
]
HEADER = '"id","price","on","note","day","tags","in_x"\n'


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        yield api


def run(api: Api, out: Path, *pages: Any, job: dict[str, Any] | None = None, **config: Any) -> Extraction:
    def answer(seen: Seen) -> Response:
        number = int(seen.params.get("page", "1"))
        return Response.json(pages[number - 1] if number <= len(pages) else [])

    api.on_everything(answer)
    document = parameters(api.url, {"endpoint": "t", **(job or {})}, pagination={"method": "pagenum"})
    document["config"] |= {"types": "infer", **config}
    return try_extraction(document, out)


def text(result: Extraction, table: str = "test.t") -> str:
    assert result.error is None, result.error
    return (result.out / "tables" / table).read_text()


def types(result: Extraction, table: str = "test.t") -> dict[str, Any]:
    manifest = json.loads((result.out / "tables" / f"{table}.manifest").read_text())
    return {each["name"]: each.get("data_type", {}).get("base") for each in manifest["schema"]}


def test_null_false_and_an_empty_text_are_three_values(api: Api, tmp_path: Path) -> None:
    result = run(api, tmp_path, FIRST, SECOND)

    lines = text(result)
    tag = lines.split('"2026-02-28","')[1].split('"')[0]
    assert lines == (
        f'{HEADER}"1","10","false","","2026-02-28","{tag}","true"\n'
        '"2",,,,,,\n'
        '"3","0.25","true","a ""b""\n","2026-03-01",,"false"\n'
    )
    assert text(result, "test.t_tags") == f'"data","JSON_parentId"\n"a","{tag}"\n,"{tag}"\n'
    assert types(result) == {
        "id": {"type": "INTEGER"},
        "price": {"type": "NUMERIC", "length": "38,2"},
        "on": {"type": "BOOLEAN"},
        "note": {"type": "STRING"},
        "day": {"type": "DATE"},
        "tags": {"type": "STRING"},
        "in_x": {"type": "BOOLEAN"},
    }


def test_the_manifest_says_how_null_is_written_and_that_types_may_become_wider(api: Api, tmp_path: Path) -> None:
    run(api, tmp_path, [{"id": 1, "empty": None}], job={"primaryKey": "id", "incremental": True})

    assert json.loads((tmp_path / "tables" / "test.t.manifest").read_text()) == {
        "destination": "in.c-test.t",
        "incremental": True,
        "schema": [
            {"name": "id", "data_type": {"base": {"type": "INTEGER"}}, "nullable": False, "primary_key": True},
            {"name": "empty", "nullable": True, "primary_key": False},
        ],
        "has_header": True,
        "treat_values_as_null": [],
        "table_modifications": "non-destructive",
    }


@pytest.mark.parametrize(
    ("pages", "expected", "base"),
    [
        ([[{"v": True}], [{"v": 0}]], ["true", "0"], "STRING"),
        ([[{"v": 1}], [{"v": "x"}]], ["1", "x"], "STRING"),
        ([[{"v": 12345678901234567890}], [{"v": 0.1}]], ["12345678901234567890", "0.1"], "NUMERIC"),
        ([[{"v": "2026-02-28"}], [{"v": "soon"}]], ["2026-02-28", "soon"], "STRING"),
    ],
)
def test_a_value_of_a_later_page_makes_the_column_wider(
    api: Api, tmp_path: Path, pages: Any, expected: list[str], base: str
) -> None:
    with_id = [[{"id": 1, **record} for record in page] for page in pages]
    result = run(api, tmp_path, *with_id)

    assert result.column("test.t", "v") == expected
    assert types(result)["v"]["type"] == base


def test_mapped_columns_have_types_too(api: Api, tmp_path: Path) -> None:
    mapping: dict[str, Any] = {
        "id": {"mapping": {"destination": "id", "primaryKey": True}},
        "on": "on",
        "note": "note",
        "flag": {"type": "user", "mapping": {"destination": "flag"}},
        "tags": {"type": "table", "destination": "tags", "tableMapping": {"": "tag"}},
    }
    result = run(api, tmp_path, FIRST, SECOND, mappings={"t": mapping}, userData={"flag": False})

    assert text(result) == (
        '"id","on","note","flag"\n"1","false","","false"\n"2",,,"false"\n"3","true","a ""b""\n","false"\n'
    )
    assert [each["type"] for each in types(result).values()] == ["INTEGER", "BOOLEAN", "STRING", "BOOLEAN"]
    assert text(result, "test.tags").startswith('"tag","t_pk"\n"a","1"\n,"1"\n')


def test_columns_of_the_configuration_and_of_parents_have_types(api: Api, tmp_path: Path) -> None:
    child = {"endpoint": "t/{id}", "dataType": "child", "placeholders": {"id": "id"}}
    result = run(api, tmp_path, [{"id": 1, "v": 2}], job={"children": [child]}, userData={"since": "2026-02-28"})

    assert types(result) == {"id": {"type": "INTEGER"}, "v": {"type": "INTEGER"}, "since": {"type": "DATE"}}
    assert types(result, "test.child")["parent_id"] == {"type": "INTEGER"}


def test_null_in_a_table_of_one_column_is_no_empty_line(api: Api, tmp_path: Path) -> None:
    result = run(api, tmp_path, [{"v": None}, {"v": ""}, {"v": "x"}])

    assert text(result) == '"v"\n"\\N"\n""\n"x"\n'
    manifest = json.loads((tmp_path / "tables" / "test.t.manifest").read_text())
    assert manifest["treat_values_as_null"] == ["\\N"]
    failed = run(api, tmp_path / "again", [{"v": "\\N"}])
    assert failed.error
    assert "represents null in a table of one column" in failed.error


@pytest.mark.parametrize("given", ["guess", True, ["infer"], 1])
def test_another_value_is_an_error_with_the_right_one(api: Api, tmp_path: Path, given: Any) -> None:
    result = run(api, tmp_path, [], types=given)

    assert result.error
    assert 'Expected "infer"' in result.error
    assert "parameters.config.types" in result.error


def test_the_legacy_parser_has_no_types(api: Api, tmp_path: Path) -> None:
    result = run(api, tmp_path, FIRST, compatLevel=1)

    assert result.error
    assert "not supported by the legacy JSON parser" in result.error


@pytest.mark.parametrize("given", [None, "", [], False])
def test_without_it_tables_are_those_of_the_original(api: Api, tmp_path: Path, given: Any) -> None:
    result = run(api, tmp_path, FIRST, types=given)

    assert text(result).splitlines()[2] == '"2","","","","","",""'
    assert json.loads((tmp_path / "tables" / "test.t.manifest").read_text()) == {
        "destination": "in.c-test.t",
        "incremental": False,
    }
