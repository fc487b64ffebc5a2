from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock.extractor.base.formats import Format
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page
from penstock.extractor.requests.journal import Journal
from penstock.extractor.responses.contents import Reading
from penstock.extractor.results.spool import Batch, Source, Spool
from tests.unit.extractor.results.writing import kept

USERS = Source("users", "users", DataField("items"), Filter(("box",)))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path)
    yield journal
    journal.close()


def page_of(text: str) -> Page:
    return Page([], text.encode())


def test_batches_come_back_in_order_with_their_records_found_and_filtered_again(journal: Journal):
    spool = Spool(journal)
    boxes = page_of('{"items": [{"box": {"a": 1.50}}], "more": true}')
    spool.append(kept(journal, Batch(USERS, boxes, {"team": "a"})))
    spool.append(kept(journal, Batch(Source("orders", "orders"), page_of('[{"id": 1}, {"id": 2}]'))))

    first, second = spool.first(2)

    assert (first.data_type, first.records, first.extra) == ("users", [{"box": '{"a":1.5}'}], {"team": "a"})
    assert (second.data_type, second.records, second.extra) == ("orders", [{"id": 1}, {"id": 2}], {})
    assert len(spool) == 2


def test_the_order_is_that_of_appending_not_that_of_the_journal(journal: Journal):
    late, early = (kept(journal, Batch(USERS, page_of(f'{{"items": [{number}]}}'))) for number in (2, 1))
    spool = Spool(journal)
    for batch in (early, late):
        spool.append(batch)

    assert [batch.records for batch in spool.first(2)] == [[1], [2]]


def test_answers_are_read_again_in_their_format(journal: Journal):
    source = Source("users", "users", reading=Reading(Format("csv")))
    spool = Spool(journal)
    spool.append(kept(journal, Batch(source, page_of("id\n7\n"))))

    assert [batch.records for batch in spool.first(1)] == [[{"id": "7"}]]


def test_the_first_few_can_be_read_again_and_again(journal: Journal):
    spool = Spool(journal)
    for number in range(3):
        spool.append(kept(journal, Batch(Source("users", "users"), page_of(f"[{number}]"))))

    assert [batch.records for batch in spool.first(2)] == [[0], [1]]
    assert [batch.records for batch in spool.first(2)] == [[0], [1]]
    assert list(spool.first(0)) == []


def test_the_extra_columns_are_known_without_reading_a_page(journal: Journal):
    spool = Spool(journal)
    spool.append(kept(journal, Batch(USERS, page_of("not read"), {"team": "a"})))

    assert list(spool.extras()) == [("users", {"team": "a"})]
