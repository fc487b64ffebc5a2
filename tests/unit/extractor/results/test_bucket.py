"""One bucket: mapped and flattened tables side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from tests.unit.extractor.results.journaled import OpenBucket

BY_ID = {"orders": {"id": {"mapping": {"destination": "id", "primaryKey": True}}, "x": "x"}}


def finished(folder: Path, mappings: dict[str, Any], *batches: tuple[Any, ...]) -> dict[str, str]:
    bucket = OpenBucket(folder, mappings)
    for batch in batches:
        bucket.add(*batch)
    return bucket.finish()


def test_a_mapped_data_type_has_the_columns_of_its_mapping_and_others_their_own(tmp_path: Path):
    mappings = {"orders": {"id": {"mapping": {"destination": "number", "primaryKey": True}}}}

    tables = finished(tmp_path, mappings, ("orders", [{"id": 1, "x": 2}]), ("users", [{"id": 3}]))

    assert tables == {
        "orders": '"number"\n"1"\n',
        "orders.manifest": '{"incremental":false,"primary_key":["number"]}',
        "users": '"id"\n"3"\n',
        "users.manifest": '{"incremental":false}',
    }


def test_extra_columns_are_mapped_only_when_the_mapping_asks_for_them(tmp_path: Path):
    mappings = {"orders": {"id": "id", "team": {"type": "user", "mapping": {"destination": "squad"}}}}

    tables = finished(tmp_path, mappings, ("orders", [{"id": 1}], {"team": "a", "other": "b"}))

    assert tables["orders"] == '"id","squad"\n"1","a"\n'


def test_a_mapped_data_type_without_records_is_a_header(tmp_path: Path):
    tables = finished(tmp_path, {"orders": {"id": "id"}}, ("orders", []))

    assert tables == {"orders": '"id"\n', "orders.manifest": '{"incremental":false}'}


def test_a_mapped_data_type_that_nobody_asked_for_is_a_header_too(tmp_path: Path):
    tables = finished(tmp_path, {"orders": {"id": "id"}})

    assert tables == {"orders": '"id"\n', "orders.manifest": '{"incremental":true}'}


def test_mapped_rows_come_before_flattened_ones_of_the_same_table(tmp_path: Path):
    mappings = {"my_orders": {"id": "id"}}

    tables = finished(tmp_path, mappings, ("my/orders", [{"id": 1}]), ("my_orders", [{"id": 2, "x": 0}]))

    assert tables["my_orders"] == '"id"\n"2"\n"1"\n'


def test_mapped_and_flattened_rows_of_different_columns_do_not_mix(tmp_path: Path):
    with pytest.raises(UserError, match=r"^Multiple results for 'my_orders' table have different columns!"):
        finished(tmp_path, {"my_orders": {"id": "id"}}, ("my/orders", [{"x": 1}]), ("my_orders", [{"id": 2}]))


def test_rows_that_share_a_primary_key_are_counted(tmp_path: Path):
    bucket = OpenBucket(tmp_path, BY_ID)
    bucket.add("orders", [{"id": 1}, {"id": 2}, {"id": "1"}])
    bucket.add("orders", [{"id": 2}, {"id": 3}])
    bucket.add("users", [{"id": 1}, {"id": 1}])
    bucket.finish()

    assert bucket.bucket.duplicates() == {"orders": 2}


def test_the_link_to_a_parent_may_be_a_part_of_the_key(tmp_path: Path):
    tags = {
        "type": "table",
        "destination": "tags",
        "parentKey": {"primaryKey": True},
        "tableMapping": {".": {"mapping": {"destination": "tag", "primaryKey": True}}},
    }
    bucket = OpenBucket(tmp_path, {"orders": {**BY_ID["orders"], "tags": tags}})
    bucket.add("orders", [{"id": 1, "tags": ["a", "b", "a"]}, {"id": 2, "tags": ["a"]}, {"id": "1", "tags": ["b"]}])
    bucket.finish()

    assert bucket.bucket.duplicates() == {"orders": 1, "tags": 2}


def test_a_table_with_rows_whose_keys_nobody_knows_has_no_number_of_duplicates(tmp_path: Path):
    mappings = {"my_orders": {"id": {"mapping": {"destination": "id", "primaryKey": True}}}}
    bucket = OpenBucket(tmp_path, mappings)
    bucket.add("my_orders", [{"id": 2}])
    bucket.add("my/orders", [{"id": 2}])
    bucket.finish()

    assert bucket.bucket.duplicates() == {}


def test_records_are_counted_where_they_become_rows(tmp_path: Path):
    bucket = OpenBucket(tmp_path, BY_ID)
    bucket.add("orders", [{"id": 1}, None])
    bucket.add("orders", [None])
    bucket.add("users", [{"id": 1}, {"id": 2}])
    bucket.add("users", [None])
    bucket.add("users", [])
    bucket.bucket.finish()

    assert bucket.bucket.written == 5


def test_without_a_place_for_them_bad_records_end_the_run(tmp_path: Path):
    bucket = OpenBucket(tmp_path, BY_ID)

    with pytest.raises(UserError, match="Cannot write data into column"):
        bucket.add("orders", [{"id": 1}, {"id": 2, "x": [1]}])
    with pytest.raises(UserError, match="Unhandled nodeType change"):
        bucket.add("users", [{"id": 1}, {"id": {}}])


def test_records_that_cannot_be_mapped_are_set_aside(tmp_path: Path):
    bucket = OpenBucket(tmp_path, BY_ID, is_rejecting=True)

    rejected = bucket.add("orders", [{"id": 1}, {"id": 2, "x": [1]}, {"id": 3}, {"id": {"a": 4}}])

    assert (rejected, bucket.bucket.written) == (2, 2)
    assert bucket.finish()["orders"] == '"id","x"\n"1",""\n"3",""\n'
    assert [json.loads(line)["record"] for line in bucket.rejected("orders").splitlines()] == [
        {"id": 2, "x": [1]},
        {"id": {"a": 4}},
    ]


def test_of_a_record_that_cannot_be_mapped_nothing_stays_in_the_tables_below(tmp_path: Path):
    lines = {"type": "table", "destination": "lines", "tableMapping": {"n": "n"}}
    bucket = OpenBucket(tmp_path, {"orders": {**BY_ID["orders"], "lines": lines}}, is_rejecting=True)
    bucket.add("orders", [{"id": 1, "lines": [{"n": 1}]}, {"id": 2, "x": [0], "lines": [{"n": 2}, {"n": 3}]}])

    assert bucket.finish()["lines"] == '"n","orders_pk"\n"1","1"\n'


def test_a_mistake_in_the_configuration_is_not_blamed_on_the_records(tmp_path: Path):
    user = {"team": {"type": "user", "mapping": {"destination": "team"}}}
    bucket = OpenBucket(tmp_path, {"orders": user}, is_rejecting=True)

    with pytest.raises(UserError, match="a list or an object"):
        bucket.add("orders", [{"id": 1}], {"team": {"a": 1}})


def test_records_of_another_type_are_set_aside(tmp_path: Path):
    bucket = OpenBucket(tmp_path, is_rejecting=True)

    assert bucket.add("users", [{"a": 1}, {"a": {"b": 2}, "c": 3}]) == 1
    assert bucket.add("users", [{"a": {}}]) == 1
    assert bucket.add("users", [{"a": 4}]) == 0
    assert bucket.finish()["users"] == '"a"\n"1"\n"4"\n'
    assert bucket.bucket.written == 2
    assert "Unhandled nodeType change" in bucket.rejected("users")


def test_records_that_were_set_aside_stay_so_when_pages_are_read_again(tmp_path: Path):
    bucket = OpenBucket(tmp_path, is_rejecting=True)
    bucket.add("users", [{"a": 1}, {"a": {"b": 2}}, {"a": 3}])
    bucket.add("users", [{"new": 1}])

    assert bucket.finish()["users"] == '"a","new"\n"1",""\n"3",""\n"","1"\n'


def test_a_null_that_is_left_alone_is_set_aside_too(tmp_path: Path):
    bucket = OpenBucket(tmp_path, is_rejecting=True)
    bucket.add("users", [{"a": 1}])

    assert bucket.add("users", [{"a": {}}, None]) == 2
    assert bucket.finish()["users"] == '"a"\n"1"\n'
    assert bucket.bucket.written == 1
