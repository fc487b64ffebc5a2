from __future__ import annotations

from penstock.extractor.records.layout import Layout
from penstock.extractor.records.mapping import check_mappings, missing_tables
from tests.unit.extractor.records.mapping.writing import DISABLED, ID, column, table


def test_columns_of_the_key_stand_in_the_order_of_the_mapping_and_the_link_last():
    lines = {"no": column("no", primaryKey=1), "at": column("at", primaryKey=True)}
    parent = {"destination": "order", "primaryKey": True}
    mapping = check_mappings({"orders": {"id": "id", "lines": table("lines", lines, parentKey=parent)}})["orders"]

    assert mapping.children[0].table.table == Layout("lines", "lines", ("no", "at", "order"), ("no", "at", "order"))


def test_missing_tables_have_no_columns_for_links_to_their_children():
    inner = {"street": "street", "tags": table("tags", {".": "tag"}, parentKey=DISABLED)}
    parent = {"primaryKey": True, "destination": "user"}
    mapping = {"id": "id", "x": column("y", type="user"), "homes": table("homes", inner, parentKey=parent)}

    assert missing_tables("users", check_mappings({"users": mapping})["users"]) == [
        Layout("users", "users", ("id", "y"), ()),
        Layout("homes", "homes", ("street", "user"), ("user",)),
        Layout("tags", "tags", ("tag",), ()),
    ]


def test_a_missing_table_without_columns_is_not_made():
    mapping = check_mappings({"users": {"tags": table("tags", {".": "tag"})}})["users"]

    assert missing_tables("users", mapping) == [Layout("tags", "tags", ("tag", "users_pk"), ())]


def test_items_of_the_same_table_are_no_missing_table():
    mapping = {**ID, "replies": table("users", {"x": "x"}, parentKey=DISABLED)}

    assert missing_tables("users", check_mappings({"users": mapping})["users"]) == [
        Layout("users", "users", ("id",), ("id",))
    ]
