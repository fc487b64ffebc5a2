"""What is to be done with what a component left: which file goes where, and what is refused before anything is done."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from penstock.contracts.tables import MetadataItem
from penstock.foundation.errors import Invalid
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration, UnknownOption
from penstock.runtime.output_mapping import BadOutput, Defaults, Plan, plan
from penstock.runtime.output_mapping.mappings import is_empty, merge
from tests.support.examples import examples

DEFAULTS = Defaults(load_id="job-7-0", default_bucket="in.c-x")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
keys = st.sampled_from(["destination", "incremental", "primary_key", "columns", "schema", "delete_where", "metadata"])
documents = st.dictionaries(keys | st.text(max_size=8), json_values, max_size=5)


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "data")
    made.create()
    return made


def write(
    folder: DataFolder, name: str, manifest: object = None, content: str = "id\n1\n", kind: str = "tables"
) -> Path:
    file = folder.path / "out" / kind / name
    file.write_text(content)
    if manifest is not None:
        file.with_name(f"{name}.manifest").write_text(json.dumps(manifest))
    return file


def plan_tables(folder: DataFolder, *items: dict[str, Any], **output: Any) -> Plan:
    return plan(folder, {"tables": list(items), **output}, DEFAULTS)


def test_a_manifest_says_where_a_table_goes(folder: DataFolder) -> None:
    manifest = {"destination": "in.c-main.users", "incremental": True, "primary_key": ["id", ""], "a_new_key": [1]}
    file = write(folder, "users.csv", manifest)
    [table] = plan_tables(folder).tables

    assert (table.table_id, table.incremental, table.primary_key) == ("in.c-main.users", True, ["id"])
    assert (table.file, table.id, table.has_header) == (file, "job-7-0-users.csv", True)


@pytest.mark.parametrize(
    ("name", "destination"),
    [
        ("users.csv", "in.c-x.users"),
        ("users", "in.c-x.users"),
        ("users.csv.gz", "in.c-x.users"),
        ("in.c-main.users.csv", "in.c-main.users"),
        ("in.c-main.users", "in.c-main.users"),
    ],
)
def test_without_a_manifest_the_name_decides(folder: DataFolder, name: str, destination: str) -> None:
    write(folder, name)

    assert [table.table_id for table in plan_tables(folder).tables] == [destination]


def test_the_configuration_wins_over_the_manifest(folder: DataFolder) -> None:
    write(folder, "a.csv", {"destination": "in.c-main.a", "incremental": True, "delimiter": ";", "primary_key": ["id"]})
    item = {"source": "a.csv", "destination": "out.c-main.b", "incremental": False, "primary_key": [], "columns": None}
    [table] = plan_tables(folder, item).tables

    assert (table.table_id, table.incremental, table.delimiter) == ("out.c-main.b", False, ";")
    assert table.primary_key == ["id"]


def test_the_configurations_bucket_comes_before_the_components(folder: DataFolder) -> None:
    write(folder, "a.csv")

    assert plan_tables(folder, default_bucket="out.c-mine").tables[0].table_id == "out.c-mine.a"


def test_one_file_may_go_into_two_tables(folder: DataFolder) -> None:
    write(folder, "a.csv")
    tables = plan_tables(folder, *({"source": "a.csv", "destination": f"in.c-main.{name}"} for name in "bc")).tables

    assert [table.table_id for table in tables] == ["in.c-main.b", "in.c-main.c"]
    assert len({table.id for table in tables}) == 2


def test_slices_have_no_header(folder: DataFolder) -> None:
    slices = folder.tables / "big.csv"
    slices.mkdir()
    (slices / "1.gz").write_bytes(b"")
    (folder.tables / "big.csv.manifest").write_text('{"columns": ["id"], "has_header": true}')
    [table] = plan_tables(folder).tables

    assert (table.has_header, table.columns, table.table_id) == (False, ["id"], "in.c-x.big")


@pytest.mark.parametrize(("has_header", "expected"), [(None, False), (False, False), (True, True)])
def test_named_columns_mean_no_header_unless_it_is_said(
    folder: DataFolder, has_header: bool | None, expected: bool
) -> None:
    write(folder, "a.csv", {"columns": ["id"], "has_header": has_header})

    assert plan_tables(folder).tables[0].has_header is expected


def test_a_schema_gives_columns_keys_types_and_metadata(folder: DataFolder) -> None:
    schema = [
        {"name": "id", "data_type": {"base": {"type": "INTEGER"}}, "primary_key": True, "nullable": False},
        {
            "name": "price",
            "data_type": {"snowflake": {"type": "NUMBER", "length": "10,2"}, "base": {"type": "NUMERIC"}},
        },
        {"name": "note", "description": "why", "metadata": {"a": 1}},
    ]
    write(folder, "a.csv", {"schema": schema, "description": "all", "table_metadata": {"k": "v"}})
    [table] = plan_tables(folder).tables

    assert (table.columns, table.primary_key) == (["id", "price", "note"], ["id"])
    assert [(each.native_type, each.base_type, each.length) for each in table.schema] == [
        ("", "INTEGER", None),
        ("NUMBER", "NUMERIC", "10,2"),
        ("", "", None),
    ]
    assert table.notes.metadata == [MetadataItem("k", "v"), MetadataItem("KBC.description", "all")]
    assert table.notes.columns == {"note": [MetadataItem("a", "1"), MetadataItem("KBC.description", "why")]}


def test_types_may_be_only_hints(folder: DataFolder) -> None:
    write(folder, "a.csv", {"schema": [{"name": "id", "data_type": {"base": {"type": "INTEGER"}}}]})
    [table] = plan_tables(folder, data_type_support="hints").tables

    assert (table.schema, table.columns) == ([], ["id"])
    assert MetadataItem("KBC.datatype.basetype", "INTEGER") in table.notes.columns["id"]


@pytest.mark.parametrize(
    ("output", "has_types"), [({}, False), ({"data_type_support": "authoritative"}, True), ({"tables": []}, False)]
)
def test_what_types_are_is_the_component_s_to_say_if_the_configuration_does_not(
    folder: DataFolder, output: dict[str, Any], has_types: bool
) -> None:
    write(folder, "a.csv", {"destination": "in.c-m.a", "schema": [{"name": "id", "data_type": {}}]})
    [table] = plan(folder, output, Defaults(load_id="x", data_type_support="hints")).tables

    assert bool(table.schema) == has_types


@pytest.mark.parametrize(("given", "shown"), [("maybe", '"maybe"'), (["hints"], '["hints"]'), (1, "1")])
def test_a_wrong_data_type_support_is_shown_with_the_right_ones(folder: DataFolder, given: Any, shown: str) -> None:
    with pytest.raises(BadConfiguration) as raised:
        plan(folder, {"data_type_support": given}, DEFAULTS)

    assert raised.value.message == (
        f'"container.storage.output.data_type_support": {shown} is not a valid value. '
        'Use "authoritative", "hints" or "none".'
    )


def test_rows_to_delete_are_read_in_both_ways(folder: DataFolder) -> None:
    rule = {"changed_since": "-1 day", "where_filters": [{"column": "a", "values_from_set": [1, "x"]}]}
    stored = {"column": "b", "operator": "ne", "values_from_storage": {"bucket_id": "in.c-m", "table": "t"}}
    manifest = {"delete_where": [rule, {"where_filters": [stored]}], "delete_where_column": "c"}
    write(folder, "a.csv", manifest | {"delete_where_values": ["z"], "delete_where_operator": "ne"})
    old, new, other = plan_tables(folder).tables[0].deletions

    assert [(each.column, each.operator, each.values) for each in old.filters] == [("c", "ne", ["z"])]
    assert (new.changed_since, new.filters[0].values) == ("-1 day", ["1", "x"])
    assert (other.filters[0].from_table, other.filters[0].operator) == ("in.c-m.t", "ne")


def test_a_failed_run_only_writes_what_is_always_written(folder: DataFolder) -> None:
    write(folder, "a.csv")
    write(folder, "b.csv", {"write_always": True})
    write(folder, "orphan.manifest", content="{}")
    write(folder, "file.txt", kind="files")
    mapping = {"tables": [{"source": "never-written.csv", "destination": "in.c-main.n"}]}
    made = plan(folder, mapping, Defaults(load_id="x", default_bucket="in.c-x", is_failed=True))

    assert [table.table_id for table in made.tables] == ["in.c-x.b"]
    assert made.files == []


def test_records_without_fields_are_left_out_with_a_warning(folder: DataFolder) -> None:
    write(folder, "a.csv", content="\n\n")
    made = plan_tables(folder)

    assert (made.tables, made.warnings) == (
        [],
        ["The records for table in.c-x.a have no fields, so it was left out."],
    )


def test_files_get_the_tags_of_manifest_and_configuration(folder: DataFolder) -> None:
    write(folder, "a.txt", {"tags": ["one"], "is_permanent": True}, kind="files")
    write(folder, "b.txt", {"tags": ["two"]}, kind="files")
    files = plan(folder, {"files": [{"source": "b.txt", "tags": ["three"], "is_public": True}]}, DEFAULTS).files

    assert [(file.name, file.tags, file.is_permanent, file.is_public) for file in files] == [
        ("a.txt", ["one"], True, False),
        ("b.txt", ["three"], False, True),
    ]


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [
        ({"schema": [{"name": "id"}], "columns": ["id"]}, 'Only one of "schema" or "columns" can be defined.'),
        ({"schema": [{"name": "id"}], "primary_key": ["id"]}, 'Only one of "schema" or "primary_key" can be defined.'),
        ({"delete_where": [{}]}, 'A rule of "delete_where" of the table "a.csv" is empty'),
        ({"delete_where": [{"where_filters": [{"column": "a"}]}]}, "needs exactly one of"),
        ({"delete_where": [{"where_filters": [{"column": "a", "values_from_set": []}]}]}, "has no values"),
        ({"delete_where": [{"where_filters": [{"column": "a", "values_from_workspace": {}}]}]}, "has no workspace"),
        ({"delete_where_column": "a"}, 'without "delete_where_values"'),
    ],
)
def test_what_contradicts_itself_is_refused(folder: DataFolder, manifest: object, sentence: str) -> None:
    write(folder, "a.csv", manifest)

    with pytest.raises(BadOutput) as raised:
        plan_tables(folder)
    assert sentence in raised.value.message


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ({"tables": [{"source": "b.csv", "destination": "in.c-m.b"}]}, 'Table sources not found: "b.csv"'),
        (
            {"tables": [{"source": "a.csv", "destination": "b"}]},
            'Failed to resolve destination for output table "a.csv".',
        ),
        ({"files": [{"source": "x"}]}, "File 'x' not found."),
    ],
)
def test_a_configuration_that_does_not_fit_what_was_written_is_refused(
    folder: DataFolder, output: dict[str, Any], sentence: str
) -> None:
    write(folder, "a.csv")

    with pytest.raises(BadOutput) as raised:
        plan(folder, output, DEFAULTS)
    assert raised.value.message == sentence


@pytest.mark.parametrize(
    "output",
    [
        {"foo": 1},
        {"tables": [{"source": "a", "foo": 1}]},
        {"tables": [{"destination": "in.c-m.b"}]},
        {"tables": {"source": "a"}},
        {"tables": [1]},
        {"tables": [{"source": "a", "incremental": "perhaps"}]},
        {"files": [{"source": "a", "tags": "x"}]},
        {"default_bucket": "main"},
        {"default_bucket": 5},
        {"data_type_support": "maybe"},
        {"treat_values_as_null": "NULL"},
    ],
)
def test_a_configuration_that_is_wrong_is_refused(folder: DataFolder, output: dict[str, Any]) -> None:
    with pytest.raises(BadConfiguration):
        plan(folder, output, DEFAULTS)


def test_an_unknown_option_is_named_with_its_place(folder: DataFolder) -> None:
    with pytest.raises(UnknownOption) as raised:
        plan_tables(folder, {"source": "a", "foo": 1})
    assert raised.value.message == 'Unrecognized option "foo" under "container.storage.output.tables.0"'


def test_without_a_bucket_a_plain_name_leads_nowhere(folder: DataFolder) -> None:
    write(folder, "users.csv")

    with pytest.raises(BadOutput, match=r'Failed to resolve destination for output table "users\.csv"'):
        plan(folder, {}, Defaults(load_id="x"))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("tables", 'Found orphaned table manifest: "u.manifest"'),
        ("files", "Found orphaned file manifest: 'u.manifest'"),
    ],
)
def test_a_manifest_without_a_file_is_refused(folder: DataFolder, kind: str, sentence: str) -> None:
    write(folder, "u.manifest", content="{}", kind=kind)

    with pytest.raises(BadOutput) as raised:
        plan_tables(folder)
    assert raised.value.message == sentence


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"incremental": "yes"}', b'{"primary_key": "id"}', b"\xff", b'{"a":' * 100_000]
)
def test_a_manifest_that_cannot_be_read_is_named(folder: DataFolder, content: bytes) -> None:
    write(folder, "users.csv").with_name("users.csv.manifest").write_bytes(content)

    with pytest.raises(BadOutput, match=r'The manifest "users\.csv\.manifest" cannot be read'):
        plan_tables(folder)


@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "manifest", "slice", "nested", "folder", "out"])
def test_nothing_that_leads_outside_is_taken(folder: DataFolder, tmp_path: Path, kind: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.csv").write_text("id\n")
    slices = folder.tables / "s.csv"
    if kind in ("link", "dangling"):
        (folder.tables / "a.csv").symlink_to(outside / ("a.csv" if kind == "link" else "b.csv"))
    elif kind == "pipe":
        os.mkfifo(folder.tables / "a.csv")
    elif kind == "manifest":
        write(folder, "a.csv").with_name("a.csv.manifest").symlink_to(outside / "a.csv")
    elif kind in ("slice", "nested"):
        slices.mkdir()
        (slices / "n").mkdir() if kind == "nested" else (slices / "n").symlink_to(outside / "a.csv")
    else:
        place = folder.tables if kind == "folder" else folder.path / "out"
        place.rename(tmp_path / "moved")
        place.symlink_to(outside if kind == "folder" else tmp_path / "moved")

    with pytest.raises(BadOutput):
        plan_tables(folder)


@given(documents, documents)
def test_what_the_configuration_says_wins_and_what_it_leaves_out_stays(
    manifest: dict[str, Any], mapping: dict[str, Any]
) -> None:
    merged = merge(manifest, mapping)

    for key in {*manifest, *mapping}:
        is_said = key in mapping and not is_empty(mapping[key])
        assert merged.get(key) == (mapping[key] if is_said else manifest.get(key))


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(documents, documents)
def test_whatever_is_written_is_planned_or_refused_with_a_sentence(
    folder: DataFolder, manifest: dict[str, Any], mapping: dict[str, Any]
) -> None:
    write(folder, "a.csv", manifest)
    with suppress(Invalid):
        made = plan_tables(folder, {"source": "a.csv", **mapping})
        assert all(table.file.parent == folder.tables for table in made.tables)
