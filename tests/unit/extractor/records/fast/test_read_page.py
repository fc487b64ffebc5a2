"""`read_page`: what is read fast, what is read in general and learnt from, and what both have in common."""

from __future__ import annotations

import pytest

from penstock.extractor.base.decode import decode
from penstock.extractor.records.columns import get_column
from penstock.extractor.records.fast import FastReader, FastReaders, read_page
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page

PAGES = [b'[{"id": 1}]', b'[{"id": 2}]', b'[{"id": "x"}]', b'[{"id": "y"}]']


class General:
    """The general path, counted."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def read(self, reader: FastReader | None, body: bytes) -> Page:
        def generally() -> Page:
            self.bodies.append(body)
            document = decode(body).document
            return Page(document, body, document)

        return read_page(reader, body, generally)


def test_without_a_reader_every_page_is_read_generally():
    general = General()

    pages = [general.read(None, body) for body in PAGES]

    assert [page.document for page in pages] == [decode(body).document for body in PAGES]
    assert general.bodies == PAGES


def test_a_page_like_the_one_before_is_read_fast_and_has_no_document():
    reader, general = FastReader(), General()

    first, second = general.read(reader, PAGES[0]), general.read(reader, PAGES[1])

    assert general.bodies == PAGES[:1]
    assert (list(first.records), first.document) == ([{"id": 1}], [{"id": 1}])
    assert (list(second.records), second.document, second.body) == ([{"id": 2}], None, PAGES[1])


def test_a_page_of_another_shape_is_read_generally_and_learnt_from():
    reader, general = FastReader(), General()
    bodies = [b'[{"id": 1}]', b'[{"id": 2, "name": "a"}]', b'[{"id": 3, "name": "b"}]']

    records = [list(general.read(reader, body).records) for body in bodies]

    assert records == [decode(body).document for body in bodies]
    assert general.bodies == bodies[:2]


def test_a_record_of_another_shape_in_the_middle_of_a_page_is_learnt_from_too():
    reader, general = FastReader(), General()
    bodies = [b'[{"id": 1}]', b'[{"id": 2}, {"id": -0}]', b'[{"id": 3}]']

    cells = [list(get_column(general.read(reader, body).records).member("id").cells) for body in bodies]

    assert cells == [["1"], ["2", "0"], ["3"]]
    assert general.bodies == bodies[:2]


def test_the_columns_that_were_learnt_from_are_not_computed_again():
    records = General().read(FastReader(), PAGES[0]).records

    assert get_column(records) is get_column(records)


@pytest.mark.parametrize("body", [b"[null]", b"[]", b"[1]"])
def test_a_page_without_objects_stays_a_list(body: bytes):
    assert General().read(FastReader(), body).records == decode(body).document


@pytest.mark.parametrize(
    ("field", "is_fast"),
    [
        (DataField(""), True),
        (DataField("0"), True),
        (DataField("a"), True),
        (DataField("a.b"), False),
        (DataField("a.b", "/"), True),
    ],
)
def test_only_records_at_the_root_of_a_response_have_a_reader(field: DataField, is_fast: bool):
    assert (FastReaders().reader_for("jobs[0]", field) is not None) == is_fast


def test_all_runs_of_a_job_share_one_reader():
    readers, field = FastReaders(), DataField("")

    assert readers.reader_for("jobs[0]", field) is readers.reader_for("jobs[0]", field)
    assert readers.reader_for("jobs[1]", field) is not readers.reader_for("jobs[0]", field)
