"""The tables depend on the records and not on the pages that they come on, nor on how the pages are read."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from penstock.extractor.base.decode import decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.records.columns import Column
from penstock.extractor.records.fast import FastReader, read_page
from penstock.extractor.records.legacy import Legacy
from penstock.extractor.records.page import Page
from penstock.extractor.records.struct import read_struct, write_struct
from penstock.extractor.records.tree import Tree
from penstock.extractor.requests.journal import Journal
from penstock.extractor.results import Batch, Flattened
from penstock.extractor.results.legacy import LegacyFlattened
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.tables import Tables
from penstock.foundation.redaction import Redactor
from tests.support.api import Api, Response, Seen
from tests.support.examples import examples
from tests.support.extraction import parameters, run_extraction
from tests.unit.extractor.results.alike import alike, cuts
from tests.unit.extractor.results.writing import batch_of, kept


def read(records: list[Any], reader: FastReader | None) -> Batch:
    """A page as a run reads it: straight into columns where that can be done."""
    batch = batch_of("t", records)
    body = batch.page.body
    document = decode(body).document
    page = read_page(reader, body, lambda: Page(document, body, document))
    return replace(batch, page=replace(batch.page, records=page.records))


def tables_of(
    pages: list[list[Any]], *, is_fast: bool = False, tree: Tree | None = None, is_legacy: bool = False
) -> dict[str, str]:
    log = Log(io.StringIO(), Redactor())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal, reader = Journal(folder), FastReader() if is_fast else None
        spool = Spool(journal)
        current = Flattened(folder, spool, tree or Tree(), log)
        results = LegacyFlattened(spool, Legacy(None, log), log) if is_legacy else current
        for page in pages:
            results.add(kept(journal, read(page, reader)))
        tables = Tables(folder / "tables", "")
        results.write(tables)
        tables.close()
        journal.close()
        return {path.name: path.read_bytes().decode() for path in sorted((folder / "tables").iterdir())}


@given(alike(), st.booleans(), st.data())
@examples(300)
def test_pages_may_end_anywhere(records: list[Any], is_fast: bool, data: st.DataObject):
    pages = data.draw(cuts(records))

    assert tables_of(pages, is_fast=is_fast) == tables_of([records])


@given(alike(), alike(), st.booleans(), st.data())
@examples(100)
def test_pages_of_a_later_run_may_end_anywhere(
    before: list[Any], records: list[Any], is_fast: bool, data: st.DataObject
):
    assume(do_agree([*before, *records]))
    earlier = Tree()
    earlier.learn("t", Column(before), lambda _message, _item: None)
    state = json.dumps(write_struct(earlier))
    pages = data.draw(cuts(records))

    again = tables_of(pages, is_fast=is_fast, tree=read_struct(json.loads(state)))
    assert again == tables_of([records], tree=read_struct(json.loads(state)))


def do_agree(records: list[Any]) -> bool:
    """Whether no key holds an object here and a single value there."""
    try:
        Tree().learn("t", Column(records), lambda _message, _item: None)
    except UserError:
        return False
    return True


@given(alike(), st.data())
@examples(100)
def test_pages_of_the_legacy_parser_may_end_anywhere(records: list[Any], data: st.DataObject):
    assert tables_of(data.draw(cuts(records)), is_legacy=True) == tables_of([records], is_legacy=True)


@given(alike(), st.booleans())
@examples(200)
def test_no_column_and_no_table_is_without_a_name(records: list[Any], is_legacy: bool):
    tables = tables_of([records], is_legacy=is_legacy)

    assert all(tables)
    for text in tables.values():
        header = text.split("\n", 1)[0].split(",")
        assert '""' not in header


@pytest.mark.parametrize("is_fast", [False, True])
def test_pages_of_one_record_name_a_key_that_turns_from_an_object_into_a_list(is_fast: bool):
    records = [{"k": {"a": 1}, "k_a": 2}, {"k": {"b": 3}, "k_a": 4}, {"k": [{"c": 5, "b": 6}], "k_a": 7}]

    tables = tables_of([[record] for record in records], is_fast=is_fast)

    assert tables["t"].startswith('"k","k_a"\n')
    assert tables["t_k"].startswith('"c","b","a","JSON_parentId"\n')
    assert tables == tables_of([records])


RECORDS = [
    {"id": 1, "k": {"a": 1}, "日本": [1], "x y": [1]},
    {"id": 2, "k": {"b": 2}, "k_a": 2, "@": 3},
    {"id": 3, "k": [{"c": 3, "b": 4}], "x.y": [{"z": 1}]},
    {"id": 4, "k": [], "é": {"é": 5}, "x": {"y": [2]}},
    {"id": 5, "k": {"d": 6}, "日本": None},
]


def response(seen: Seen) -> Response:
    start = int(seen.params["offset"])
    return Response.json(RECORDS[start : start + int(seen.params["limit"])])


@pytest.mark.parametrize("parallelism", [1, "auto"])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_runs_with_other_pages_write_the_same_tables_and_state(tmp_path: Path, limit: int, parallelism: Any):
    runs = [(10, 1, tmp_path / "whole"), (limit, parallelism, tmp_path / "cut")]
    with Api() as api:
        api.on_everything(response)
        for size, at_once, out in runs:
            document = parameters(api.url, {"endpoint": "t"}, pagination={"method": "offset", "limit": size})
            document["api"]["parallelism"] = at_once
            run_extraction(document, out)

    whole, cut = [{path.name: path.read_text() for path in (out / "tables").iterdir()} for _, _, out in runs]
    assert cut == whole
    states = [json.loads((out / "state.json").read_text())["json_parser.struct"] for _, _, out in runs]
    assert states[0] == states[1]
