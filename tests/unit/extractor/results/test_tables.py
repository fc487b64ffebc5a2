from __future__ import annotations

from pathlib import Path

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.results.tables import MAX_OPEN, Tables, file_name

USERS = Layout("users", "users", ("id", "name"), ("id",))


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path / "tables", "main")


def read(folder: Path, name: str) -> str:
    return (folder / "tables" / name).read_bytes().decode()


def test_a_table_is_a_csv_file_with_a_manifest(tmp_path: Path, tables: Tables):
    tables.write(Layout("users", "users", ("id", 'na"me')), b'"1","Ada"\n', 1)
    tables.finish(is_incremental=True)

    assert read(tmp_path, "main.users") == '"id","na""me"\n"1","Ada"\n'
    assert read(tmp_path, "main.users.manifest") == '{"destination":"in.c-main.users","incremental":true}'


def test_without_a_bucket_the_manifest_names_no_destination(tmp_path: Path):
    tables = Tables(tmp_path / "tables", "")
    tables.write(USERS, b"", 0)
    tables.finish(is_incremental=False)

    assert read(tmp_path, "users.manifest") == '{"incremental":false,"primary_key":["id"]}'


def test_a_manifest_is_compact_json_with_slashes_escaped(tmp_path: Path, tables: Tables):
    tables.write(Layout("users", "users", ("id", "x/y"), ("id", "x/y")), b"", 0)
    tables.finish(is_incremental=False)

    assert read(tmp_path, "main.users.manifest") == (
        '{"destination":"in.c-main.users","incremental":false,"primary_key":["id","x\\/y"]}'
    )


def test_a_table_without_columns_has_no_header(tmp_path: Path, tables: Tables):
    tables.write(Layout("users", "users", ()), b"\n\n", 2)
    tables.close()

    assert read(tmp_path, "main.users") == "\n\n"


def test_a_table_may_be_nothing_but_its_header(tmp_path: Path, tables: Tables):
    tables.write(USERS, b"", 0)
    tables.close()

    assert read(tmp_path, "main.users") == '"id","name"\n'


def test_results_of_one_name_and_one_header_are_one_table(tmp_path: Path, tables: Tables):
    tables.write(USERS, b'"1","Ada"\n', 1)
    tables.write(Layout("other/users", "users", ("id", "name")), b'"2","Eve"\n', 1)
    tables.close()

    assert read(tmp_path, "main.users") == '"id","name"\n"1","Ada"\n"2","Eve"\n'
    assert len(tables) == 1


def test_results_of_one_name_and_different_headers_are_the_users_error(tables: Tables):
    tables.write(USERS, b"", 0)

    with pytest.raises(UserError) as caught:
        tables.write(Layout("other/users", "users", ("id",)), b"", 0)

    assert str(caught.value).startswith("Multiple results for 'users' table have different columns!")


def test_a_missing_table_is_its_header_with_a_manifest_in_another_order(tmp_path: Path, tables: Tables):
    tables.add_missing(USERS, is_incremental=True)

    assert read(tmp_path, "main.users") == '"id","name"\n'
    assert read(tmp_path, "main.users.manifest") == (
        '{"incremental":true,"destination":"in.c-main.users","primary_key":["id"]}'
    )


def test_a_table_that_is_there_is_not_missing(tmp_path: Path, tables: Tables):
    tables.write(USERS, b'"1","Ada"\n', 1)
    tables.finish(is_incremental=False)

    tables.add_missing(Layout("users", "users", ("other",)), is_incremental=True)

    assert read(tmp_path, "main.users") == '"id","name"\n"1","Ada"\n'
    assert '"incremental":false' in read(tmp_path, "main.users.manifest")


def test_a_missing_table_without_columns_is_left_out(tmp_path: Path, tables: Tables):
    tables.add_missing(Layout("users", "users", ()), is_incremental=False)

    assert list((tmp_path / "tables").iterdir()) == []


def test_more_tables_than_files_may_be_open(tmp_path: Path, tables: Tables):
    layouts = [Layout(f"t{number}", f"t{number}", ("a",)) for number in range(MAX_OPEN + 5)]
    for round_ in (b"1", b"2"):
        for layout in layouts:
            tables.write(layout, b'"%b"\n' % round_, 1)
    tables.close()

    assert {read(tmp_path, f"main.{layout.name}") for layout in layouts} == {'"a"\n"1"\n"2"\n'}


def test_two_buckets_may_not_mean_the_same_file(tmp_path: Path):
    Tables(tmp_path / "tables", "a").write(Layout("b.c", "b.c", ("x",)), b"", 0)

    with pytest.raises(UserError, match=r"'a\.b\.c'"):
        Tables(tmp_path / "tables", "a.b").write(Layout("c", "c", ("x",)), b"", 0)


@pytest.mark.parametrize("bucket", ["x" * 250, ".hidden"])
def test_a_name_that_no_file_can_have_is_refused(bucket: str):
    with pytest.raises(UserError, match="cannot be a file's name"):
        file_name(bucket, Layout("users", "users", ("id",)))


def test_a_table_needs_a_name():
    with pytest.raises(UserError, match=r"The records of 'é' have no table name"):
        file_name("main", Layout("é", "", ("id",)))


def test_a_table_that_is_called_like_the_manifest_of_another_is_an_error(tables: Tables):
    tables.write(USERS, b"", 0)
    tables.write(Layout("users.manifest", "users.manifest", ("id",)), b'"1"\n', 1)
    with pytest.raises(UserError, match=r"Two tables would share the file 'main\.users\.manifest'"):
        tables.finish(is_incremental=False)
