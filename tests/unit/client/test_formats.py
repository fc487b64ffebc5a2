"""Formats of files, and exported rows in them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from penstock.client.formats import UnknownFormat, find_format, write_rows
from penstock.client.models import Table

TYPED = Table(id="in.c-a.b", name="b", is_typed=True, columns=["id", "large", "small", "note"])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a.csv", "csv"), ("A.CSV.GZ", "csv"), ("x/y.ndjson", "jsonl"), ("a.jsonl.gz", "jsonl"), ("a.parquet", "parquet")],
)
def test_the_name_says_the_format(name: str, wanted: str) -> None:
    assert find_format(name) == wanted


@pytest.mark.parametrize("name", ["a", "a.xlsx", ".gz", ""])
def test_a_name_without_a_known_suffix_is_refused(name: str) -> None:
    with pytest.raises(UnknownFormat, match=r"\.csv, \.jsonl or \.parquet"):
        find_format(name)


@pytest.fixture
def slices(tmp_path: Path) -> list[Path]:
    path = tmp_path / "slice"
    duckdb.sql(
        "SELECT 12345678901234567890123456789::DECIMAL(38,0) AS id,"
        " 12345678901234567890.123456789::DECIMAL(38,9) AS large,"
        " 1.5::DECIMAL(12,2) AS small, NULL::VARCHAR AS note, now()::TIMESTAMP AS _timestamp"
    ).write_parquet(str(path))
    return [path]


def test_numbers_keep_their_digits_in_every_format(slices: list[Path], tmp_path: Path) -> None:
    counts = {kind: write_rows(slices, TYPED, tmp_path / f"rows.{kind}", kind) for kind in ("csv", "jsonl", "parquet")}
    line = json.loads((tmp_path / "rows.jsonl").read_text(), parse_float=Decimal)

    assert counts == {"csv": 1, "jsonl": 1, "parquet": 1}
    assert (tmp_path / "rows.csv").read_text() == (
        "id,large,small,note\n12345678901234567890123456789,12345678901234567890.123456789,1.50,\n"
    )
    assert line == {
        "id": 12345678901234567890123456789,
        "large": "12345678901234567890.123456789",
        "small": Decimal("1.5"),
        "note": None,
    }
    assert duckdb.sql(f"SELECT * FROM '{tmp_path / 'rows.parquet'}'").columns == TYPED.columns
