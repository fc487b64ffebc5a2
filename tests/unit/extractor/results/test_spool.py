from __future__ import annotations

from pathlib import Path

from penstock.extractor.http import Page
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField
from penstock.extractor.results.spool import Batch, Source, Spool

USERS = Source("users", "users", DataField("items"), Filter(("box",)))


def page_of(text: str) -> Page:
    return Page([], text.encode())


def test_batches_come_back_in_order_with_their_records_found_and_filtered_again(tmp_path: Path):
    spool = Spool(tmp_path / "pages")
    spool.append(Batch(USERS, page_of('{"items": [{"box": {"a": 1.50}}], "more": true}'), {"team": "a"}))
    spool.append(Batch(Source("orders", "orders"), page_of('[{"id": 1}, {"id": 2}]')))

    first, second = spool.first(2)

    assert (first.data_type, first.records, first.extra) == ("users", [{"box": '{"a":1.5}'}], {"team": "a"})
    assert (second.data_type, second.records, second.extra) == ("orders", [{"id": 1}, {"id": 2}], {})
    assert len(spool) == 2


def test_the_first_few_can_be_read_again_and_again(tmp_path: Path):
    spool = Spool(tmp_path / "pages")
    for number in range(3):
        spool.append(Batch(Source("users", "users"), page_of(f"[{number}]")))

    assert [batch.records for batch in spool.first(2)] == [[0], [1]]
    assert [batch.records for batch in spool.first(2)] == [[0], [1]]
    assert list(spool.first(0)) == []


def test_the_extra_columns_are_known_without_reading_a_page(tmp_path: Path):
    spool = Spool(tmp_path / "pages")
    spool.append(Batch(USERS, page_of("not read"), {"team": "a"}))

    assert list(spool.extras()) == [("users", {"team": "a"})]
