from __future__ import annotations

from pathlib import Path

import pytest

from penstock.extractor.errors import UserError
from penstock.extractor.records.flatten import Layout
from penstock.extractor.tables import Tables, file_name, manifest


def test_a_table_is_a_csv_file_with_a_manifest(tmp_path: Path):
    tables = Tables(tmp_path / "tables", "main", is_incremental=True)

    tables.write(Layout("users", "users", ("id", 'na"me')), '"1","Ada"\n')
    tables.close()

    assert (tmp_path / "tables/main.users").read_text() == '"id","na""me"\n"1","Ada"\n'
    assert (
        tmp_path / "tables/main.users.manifest"
    ).read_text() == '{"destination":"in.c-main.users","incremental":true}'


def test_without_a_bucket_the_manifest_names_no_destination():
    assert manifest("", "users", False) == '{"incremental":false}'


def test_a_table_without_columns_has_no_header(tmp_path: Path):
    tables = Tables(tmp_path / "tables", "", is_incremental=False)

    tables.write(Layout("users", "users", ()), "\n\n")
    tables.close()

    assert (tmp_path / "tables/users").read_text() == "\n\n"


@pytest.mark.parametrize("bucket", ["x" * 250, ".hidden"])
def test_a_name_that_no_file_can_have_is_refused(bucket: str):
    with pytest.raises(UserError, match="cannot be a file's name"):
        file_name(bucket, Layout("users", "users", ("id",)))
