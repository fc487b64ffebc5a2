from __future__ import annotations

import json
from pathlib import Path

from penstock.extractor.base.numbers import Float
from penstock.extractor.results.proof.rejected import Rejected


def test_records_are_kept_in_a_file_per_table_with_their_reasons(tmp_path: Path):
    rejected = Rejected(tmp_path / "rejected", "shop")
    rejected.add("users", {"id": 1}, "too odd")
    rejected.add("orders", [None, "a\nb"], 'a "reason"')
    rejected.add("users", {"id": 2}, "as odd")
    rejected.close()

    assert rejected.counts == {"users": 2, "orders": 1}
    assert {path.name for path in (tmp_path / "rejected").iterdir()} == {"shop.users.ndjson", "shop.orders.ndjson"}
    assert [json.loads(line) for line in (tmp_path / "rejected/shop.users.ndjson").read_text().splitlines()] == [
        {"reason": "too odd", "record": {"id": 1}},
        {"reason": "as odd", "record": {"id": 2}},
    ]
    assert json.loads((tmp_path / "rejected/shop.orders.ndjson").read_text()) == {
        "reason": 'a "reason"',
        "record": [None, "a\nb"],
    }


def test_decimals_keep_their_digits(tmp_path: Path):
    rejected = Rejected(tmp_path)
    rejected.add("users", Float("0.1234567890123456789"), "x")
    rejected.close()

    assert (tmp_path / "users.ndjson").read_text() == '{"reason":"x","record":0.1234567890123456789}\n'


def test_without_records_there_is_no_folder(tmp_path: Path):
    Rejected(tmp_path / "rejected").close()

    assert not (tmp_path / "rejected").exists()
