"""One bucket: mapped and flattened tables side by side."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.records.mapping import check_mappings
from penstock.extractor.records.tree import Tree
from penstock.extractor.results import Batch, Bucket, Flattened
from penstock.extractor.results.tables import Tables
from penstock.foundation.redaction import Redactor
from tests.unit.extractor.results.writing import batch_of


def finished(folder: Path, mappings: dict[str, Any], *batches: Batch) -> dict[str, str]:
    known = check_mappings(mappings, {batch.data_type for batch in batches} | set(mappings))
    bucket = Bucket(Tables(folder / "tables", ""), Flattened(folder, Tree(), Log(io.StringIO(), Redactor())), known)
    for batch in batches:
        bucket.add(batch)
    bucket.finish()
    bucket.add_missing(known, is_incremental=True)
    return {path.name: path.read_text() for path in (folder / "tables").iterdir()}


def test_a_mapped_data_type_has_the_columns_of_its_mapping_and_others_their_own(tmp_path: Path):
    mappings = {"orders": {"id": {"mapping": {"destination": "number", "primaryKey": True}}}}

    tables = finished(tmp_path, mappings, batch_of("orders", [{"id": 1, "x": 2}]), batch_of("users", [{"id": 3}]))

    assert tables == {
        "orders": '"number"\n"1"\n',
        "orders.manifest": '{"incremental":false,"primary_key":["number"]}',
        "users": '"id"\n"3"\n',
        "users.manifest": '{"incremental":false}',
    }


def test_extra_columns_are_mapped_only_when_the_mapping_asks_for_them(tmp_path: Path):
    mappings = {"orders": {"id": "id", "team": {"type": "user", "mapping": {"destination": "squad"}}}}

    tables = finished(tmp_path, mappings, batch_of("orders", [{"id": 1}], {"team": "a", "other": "b"}))

    assert tables["orders"] == '"id","squad"\n"1","a"\n'


def test_a_mapped_data_type_without_records_is_a_header(tmp_path: Path):
    tables = finished(tmp_path, {"orders": {"id": "id"}}, batch_of("orders", []))

    assert tables == {"orders": '"id"\n', "orders.manifest": '{"incremental":false}'}


def test_a_mapped_data_type_that_nobody_asked_for_is_a_header_too(tmp_path: Path):
    tables = finished(tmp_path, {"orders": {"id": "id"}})

    assert tables == {"orders": '"id"\n', "orders.manifest": '{"incremental":true}'}


def test_mapped_rows_come_before_flattened_ones_of_the_same_table(tmp_path: Path):
    mappings = {"my_orders": {"id": "id"}}

    tables = finished(
        tmp_path, mappings, batch_of("my/orders", [{"id": 1}]), batch_of("my_orders", [{"id": 2, "x": 0}])
    )

    assert tables["my_orders"] == '"id"\n"2"\n"1"\n'


def test_mapped_and_flattened_rows_of_different_columns_do_not_mix(tmp_path: Path):
    with pytest.raises(UserError, match=r"^Multiple results for 'my_orders' table have different columns!"):
        finished(
            tmp_path, {"my_orders": {"id": "id"}}, batch_of("my/orders", [{"x": 1}]), batch_of("my_orders", [{"id": 2}])
        )
